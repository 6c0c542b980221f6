// The SQL of stored cards.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import { type Executor, lookup, type Statement, statement } from '../../storage/index.ts'
import type { Authentication, CardExpiry } from '../model.ts'
import type { KeptFor, StoredCard } from './model.ts'

interface StoredCardRow {
  wallet_id: bigint
  token: string
  wrapped_key: Uint8Array | null
  sealed_pan: Uint8Array | null
  bin: string
  last4: string
  brand: string
  valdate: string
  name: string | null
  verification_status: 'VERIFIED' | 'UNVERIFIED'
  kept_for: KeptFor
  authentication: Authentication | null
  created_at: Instant
  modified_at: Instant
  voided_at: Instant | null
}

function cardOf(row: StoredCardRow): StoredCard {
  const { wallet_id: walletId, token, bin, last4, brand, valdate } = row
  const record = {
    walletId,
    token,
    bin,
    last4,
    brand,
    valdate,
    expiry: expiryOf(valdate),
    verified: row.verification_status === 'VERIFIED',
    keptFor: row.kept_for,
    authentication: row.authentication ?? undefined,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
  if (row.voided_at !== null) return { ...record, voidedAt: row.voided_at }
  const { name, wrapped_key: wrappedKey, sealed_pan: sealedPan } = row
  if (name === null || wrappedKey === null || sealedPan === null) {
    throw new Error(`the live card ${token} of wallet ${walletId} is not whole`)
  }
  return { ...record, name, wrappedKey, sealedPan }
}

function expiryOf(valdate: string): CardExpiry {
  return { month: Number(valdate.slice(0, 2)), year: Number(valdate.slice(3)) }
}

const cardByToken = lookup<StoredCardRow>({
  key: { wallet_id: 'bigint', token: 'uuid' },
  sql: `
    select wallet_id, token, wrapped_key, sealed_pan, bin, last4, brand, valdate, name, verification_status,
      kept_for, authentication, created_at, modified_at, voided_at
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

export interface NewStoredCard {
  readonly walletId: bigint
  readonly token: string
  readonly wrappedKey: Uint8Array
  readonly sealedPan: Uint8Array
  readonly fingerprint: Uint8Array
  readonly bin: string
  readonly last4: string
  readonly brand: string
  readonly valdate: string
  readonly name: string
  readonly verified: boolean
  readonly keptFor: KeptFor
  readonly authentication?: Authentication | undefined
}

const insertCard = `
  insert into stored_cards (
    wallet_id, token, wrapped_key, sealed_pan, fingerprint, bin, last4, brand, valdate, name,
    verification_status, authentication, created_at, modified_at, kept_for
  ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::jsonb, $13, $13, $14)`
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
  const [row] = await db.run(upsertCard[card.keptFor], [
    card.walletId,
    card.token,
    card.wrappedKey,
    card.sealedPan,
    card.fingerprint,
    card.bin,
    card.last4,
    card.brand,
    card.valdate,
    card.name,
    card.verified ? 'VERIFIED' : 'UNVERIFIED',
    card.authentication === undefined ? null : JSON.stringify(card.authentication),
    toTimestamp(now),
    card.keptFor,
  ])
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
