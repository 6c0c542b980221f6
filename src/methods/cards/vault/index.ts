// The vault: stored cards by token, opened only for the acquirer.
import { isUuid, type Randomness } from '../../../kernel/random.ts'
import { ok, type Result, refuse } from '../../../kernel/result.ts'
import type { Keyring } from '../../../kernel/sealing.ts'
import { type Clock, type Instant, toTimestamp } from '../../../kernel/time.ts'
import type { CreditCard } from '../../../kernel/values/card-numbers.ts'
import {
  type Database,
  type Executor,
  execute,
  hasRows,
  lookup,
  type Statement,
  type StoredRowOf,
  statement,
} from '../../../storage/index.ts'
import type { CardExpiry } from '../model.ts'
import { summaryOf } from '../rules.ts'
import {
  type CardToStore,
  type KeptFor,
  type LiveCard,
  type OpenedCard,
  type StoredCard,
  storedCards,
} from './model.ts'
import { cardOnWire } from './rules.ts'
import {
  fingerprintKey,
  fingerprintOf,
  keepDataKeys,
  openDataKey,
  openNumber,
  sealNumber,
} from './sealing.ts'

export { type CardCursor, type ListedCard, listCards } from './list-store.ts'
export type { CardToStore, LiveCard, OpenedCard, StoredCard, VoidedCard } from './model.ts'
export { attemptAssociatedData, cardSecrets, openCardOf } from './sealing.ts'

export interface VaultDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly keyring: Keyring
}

export interface Vault {
  /**
   * Stores a card in the transaction of its authentication. A merchant's known card keeps its token and gets
   * the new expiry, name and verification, and so does a customer's. Each subscription has its own record.
   * Returns the token in lower case, and whether it is the proposed one.
   */
  store(tx: Executor, asked: CardToStore): Promise<{ readonly token: string; readonly created: boolean }>
  find(walletId: bigint, token: string, tx?: Executor): Promise<StoredCard | undefined>
  /** Live cards that a customer saved, newest first. */
  ofCustomer(walletId: bigint, customerId: string): Promise<StoredCard[]>
  open(card: LiveCard): OpenedCard
  /**
   * Erases number, key, fingerprint and name. The rest stays readable. A repeated call returns true. The next
   * vacuum removes the old row versions. Refusals: not_found.
   */
  void(walletId: bigint, token: string, tx?: Executor): Promise<Result<true>>
  /** Erases all cards of a customer, and returns their number. */
  voidOfCustomer(tx: Executor, walletId: bigint, customerId: string): Promise<number>
  /** Marks a card that its issuer refused for good. */
  refuse(walletId: bigint, token: string): Promise<void>
  /** The card as the API shows it. `name` is only for merchants that store cards (SPEC.md CreditCard). */
  cardOnWire(card: StoredCard, now: Instant, shown?: { readonly name?: boolean }): CreditCard
}

export function createVault({ database, clock, random, keyring }: VaultDeps): Vault {
  const fingerprints = fingerprintKey(keyring)
  const dataKeys = keepDataKeys((card) => openDataKey(keyring, card))
  return {
    async store(tx, { walletId, token: proposed, keptFor, customerId, card, authentication, verified }) {
      const { number, name } = card
      const fingerprint = fingerprintOf(fingerprints, walletId, number)
      const known = customerId && (await tx.run(selectSaved, [walletId, customerId, fingerprint]))[0]?.token
      const token = known ?? proposed.toLowerCase()
      const { last4, bin, type: brand, valdate } = summaryOf(card)
      const sealed = sealNumber(keyring, random, { walletId, token }, number)
      const verificationStatus = verified ? 'VERIFIED' : 'UNVERIFIED'
      const shown = {
        last4,
        bin,
        brand,
        valdate,
        name,
        verificationStatus,
        keptFor,
        customerId,
        authentication,
      } as const
      const kept = await writeCard(tx, { walletId, token, fingerprint, ...sealed, ...shown }, clock.now())
      return { token: kept, created: kept === token }
    },
    find: async (walletId, token, tx = database) =>
      isUuid(token) ? findCard(tx, walletId, token.toLowerCase()) : undefined,
    async ofCustomer(walletId, customerId) {
      const rows = await database.run(selectOfCustomer, [walletId, customerId])
      return rows.map(cardOf)
    },
    open: (card) => ({ number: openNumber(dataKeys.of(card), card), expiry: card.expiry, name: card.name }),
    async void(walletId, token, tx = database) {
      dataKeys.forget(walletId, token.toLowerCase())
      const known = isUuid(token) && (await voidCard(tx, walletId, token.toLowerCase(), clock.now()))
      return known ? ok(true) : refuse('not_found', 'there is no card with that token')
    },
    async voidOfCustomer(tx, walletId, customerId) {
      const voided = await tx.run(voidCardsOfCustomer, [walletId, customerId, toTimestamp(clock.now())])
      for (const { token } of voided) dataKeys.forget(walletId, token)
      return voided.length
    },
    refuse: (walletId, token) => refuseCard(database, walletId, token, clock.now()),
    cardOnWire,
  }
}

function cardOf(row: StoredRowOf<typeof storedCards>): StoredCard {
  const card = storedCards.read(row)
  const { name, wrappedKey, sealedPan, voidedAt } = card
  const expiry = expiryOf(card.valdate)
  if (voidedAt !== undefined) return { ...card, expiry, voidedAt }
  if (name === undefined || wrappedKey === undefined || sealedPan === undefined) {
    throw new Error(`the live card ${card.token} of wallet ${card.walletId} is not whole`)
  }
  return { ...card, expiry, voidedAt, name, wrappedKey, sealedPan }
}

function expiryOf(valdate: string): CardExpiry {
  return { month: Number(valdate.slice(0, 2)), year: Number(valdate.slice(3)) }
}

const cardByToken = lookup<StoredRowOf<typeof storedCards>>({
  key: { wallet_id: 'bigint', token: 'uuid' },
  sql: `
    select ${storedCards.list()}
    from stored_cards where wallet_id = wanted.wallet_id and token = wanted.token`,
})

async function findCard(db: Executor, walletId: bigint, token: string): Promise<StoredCard | undefined> {
  const row = await db.find(cardByToken, [walletId, token])
  return row && cardOf(row)
}

/** The customer is locked, so that concurrent payments save a card once. */
const selectSaved = statement<{ token: string }>(`
  select token from stored_cards
  where wallet_id = $1 and customer_id = $2 and fingerprint = $3 and kept_for = 'customer' and voided_at is null`)

const selectOfCustomer = statement<StoredRowOf<typeof storedCards>>(`
  select ${storedCards.list()} from stored_cards
  where wallet_id = $1 and customer_id = $2 and kept_for = 'customer' and voided_at is null
  order by modified_at desc, token desc`)

type NewStoredCard = Omit<LiveCard, 'expiry' | 'createdAt' | 'modifiedAt' | 'voidedAt' | 'refusedAt'> & {
  readonly fingerprint: Uint8Array
}

const newCards = storedCards.whole.omit('voidedAt', 'refusedAt')

const refreshed = `
    valdate = excluded.valdate,
    name = excluded.name,
    verification_status = excluded.verification_status,
    authentication = excluded.authentication,
    modified_at = excluded.modified_at`

const upsertCard: Record<KeptFor, Statement<{ token: string }>> = {
  merchant: statement(`
    insert into stored_cards (${newCards.list()}) values (${newCards.placeholders()})
  on conflict (wallet_id, fingerprint) where voided_at is null and kept_for = 'merchant' do update set ${refreshed}
  returning token`),
  customer: statement(`
    insert into stored_cards (${newCards.list()}) values (${newCards.placeholders()})
  on conflict (wallet_id, token) do update set ${refreshed},
    refused_at = null,
    wrapped_key = excluded.wrapped_key,
    sealed_pan = excluded.sealed_pan,
    fingerprint = excluded.fingerprint,
    bin = excluded.bin,
    last4 = excluded.last4,
    brand = excluded.brand
  where stored_cards.kept_for = 'customer' and stored_cards.voided_at is null
  returning token`),
  subscription: statement(`
    insert into stored_cards (${newCards.list()}) values (${newCards.placeholders()})
  on conflict (wallet_id, token) do update set ${refreshed},
    wrapped_key = excluded.wrapped_key,
    sealed_pan = excluded.sealed_pan,
    fingerprint = excluded.fingerprint,
    bin = excluded.bin,
    last4 = excluded.last4,
    brand = excluded.brand
  where stored_cards.kept_for = 'subscription' and stored_cards.voided_at is null
  returning token`),
}

/**
 * Stores a card. If a merchant stores a card again, the unique fingerprint finds the existing one, also under
 * parallel writers. A subscription's card replaces the one under its token. Returns the final token.
 */
async function writeCard(db: Executor, card: NewStoredCard, now: Instant): Promise<string> {
  const written = newCards.values({ ...card, createdAt: now, modifiedAt: now })
  const [row] = await db.run(upsertCard[card.keptFor], written)
  if (row === undefined)
    throw new Error(`the token ${card.token} is of another card of wallet ${card.walletId}`)
  return row.token
}

const voidCard = hasRows((walletId: bigint, token: string, now: Instant) => [
  walletId,
  token,
  toTimestamp(now),
])`
  update stored_cards set
    wrapped_key = null,
    sealed_pan = null,
    fingerprint = null,
    name = null,
    modified_at = coalesce(voided_at, $3),
    voided_at = coalesce(voided_at, $3)
  where wallet_id = $1 and token = $2
  returning token`

const voidCardsOfCustomer = statement<{ token: string }>(`
  update stored_cards set
    wrapped_key = null, sealed_pan = null, fingerprint = null, name = null, modified_at = $3, voided_at = $3
  where wallet_id = $1 and customer_id = $2 and kept_for = 'customer' and voided_at is null
  returning token`)

const refuseCard = execute((walletId: bigint, token: string, now: Instant) => [
  walletId,
  token,
  toTimestamp(now),
])`
  update stored_cards set refused_at = $3 where wallet_id = $1 and token = $2 and refused_at is null`
