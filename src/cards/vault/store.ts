// The SQL of stored cards.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, lookup, type Statement, type StoredRowOf, statement } from '../../storage/index.ts'
import type { CardExpiry } from '../model.ts'
import { type KeptFor, type LiveCard, type StoredCard, storedCards } from './model.ts'

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

/** The wallet's card of that token, a UUID. */
export async function findCard(
  db: Executor,
  walletId: bigint,
  token: string,
): Promise<StoredCard | undefined> {
  const row = await db.find(cardByToken, [walletId, token])
  return row && cardOf(row)
}

export type NewStoredCard = Omit<LiveCard, 'expiry' | 'createdAt' | 'modifiedAt' | 'voidedAt'> & {
  readonly fingerprint: Uint8Array
}

const newCards = storedCards.whole.omit('voidedAt')

const insertCard = `insert into stored_cards (${newCards.list()}) values (${newCards.placeholders()})`
const refreshed = `
    valdate = excluded.valdate,
    name = excluded.name,
    verification_status = excluded.verification_status,
    authentication = excluded.authentication,
    modified_at = excluded.modified_at`

const upsertCard: Record<KeptFor, Statement<{ token: string }>> = {
  merchant: statement(`${insertCard}
  on conflict (wallet_id, fingerprint) where voided_at is null and kept_for = 'merchant' do update set ${refreshed}
  returning token`),
  subscription: statement(`${insertCard}
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
 * Writes the card. A merchant's refreshes the one that the wallet stored before: the unique fingerprint lets one of
 * several writers make it. A subscription's replaces the one under its token. Answers the token that the card has.
 */
export async function writeCard(db: Executor, card: NewStoredCard, now: Instant): Promise<string> {
  const written = newCards.values({ ...card, createdAt: now, modifiedAt: now })
  const [row] = await db.run(upsertCard[card.keptFor], written)
  if (row === undefined)
    throw new Error(`the token ${card.token} is of another card of wallet ${card.walletId}`)
  return row.token
}

const eraseCard = statement<{ token: string }>(`
  update stored_cards set
    wrapped_key = null,
    sealed_pan = null,
    fingerprint = null,
    name = null,
    modified_at = coalesce(voided_at, $3),
    voided_at = coalesce(voided_at, $3)
  where wallet_id = $1 and token = $2
  returning token`)

/** Voids the card, once; false when the wallet has none of that token. */
export async function voidCard(
  db: Executor,
  walletId: bigint,
  token: string,
  now: Instant,
): Promise<boolean> {
  return (await db.run(eraseCard, [walletId, token, toTimestamp(now)])).length === 1
}
