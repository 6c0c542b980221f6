// The SQL of wallets and stores.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import {
  column,
  type Executor,
  execute,
  hasRows,
  type RowOf,
  type StoredRowOf,
  statement,
  storeFunction,
} from '../storage/index.ts'
import { feesAsStored } from './fee-model.ts'
import { type Wallet, type WalletSettings, wallets } from './model.ts'

type Secrets = Pick<
  RowOf<typeof wallets.whole>,
  | 'esbTokenDigest'
  | 'callbackSecretSealed'
  | 'callbackSecretPrevious'
  | 'signingSecretSealed'
  | 'signingSecretPrevious'
>

/** A wallet with secrets that only this module may read. */
export interface WalletRecord extends Secrets {
  readonly wallet: Wallet
}

export type PreviousSecret = NonNullable<Secrets['callbackSecretPrevious']>

const readColumns = wallets.whole.omit('pinDigest', 'pinFailures', 'lockedUntil', 'modifiedAt')
const records = readColumns.with({ stores: column.integer().array() })
type WalletRow = StoredRowOf<typeof records>

const walletColumns = `
  ${readColumns.list()},
  array(select stores.id from stores where stores.wallet_id = wallets.id order by stores.id) as stores`

export const findWallet = storeFunction(
  (walletId: bigint) => [walletId],
  ([row]: WalletRow[]) => row && recordOf(row),
)`
  select ${walletColumns} from wallets where id = $1`

export const lockWallet = storeFunction(
  (walletId: bigint) => [walletId],
  ([row]: WalletRow[]) => row && recordOf(row),
)`
  select ${walletColumns} from wallets where id = $1 for update`

export const findWalletIdByPublicId = storeFunction(
  (publicId: string) => [publicId],
  ([row]: { id: bigint }[]) => row?.id,
)`
  select id from wallets where public_id = $1`

export const listMerchants = storeFunction(
  () => [],
  (rows: WalletRow[]) => rows.map((row) => recordOf(row).wallet),
)`
  select ${walletColumns} from wallets where kind = 'merchant' order by id`

export interface NewMerchant {
  readonly publicId: string
  readonly name: string
  readonly email: string
  readonly callbackUser: string
  readonly callbackSecretSealed: Uint8Array
  readonly signingSecretSealed: Uint8Array
  readonly now: Instant
}

const insertMerchantRow = statement<{ id: bigint }>(`
  insert into wallets (
    public_id, kind, name, email, callback_user, callback_secret_sealed, callback_signing_sealed, created_at, modified_at
  )
  values ($1, 'merchant', $2, $3, $4, $5, $6, $7, $7)
  returning id`)

/** Writes a merchant with default settings; returns its number. */
export async function insertMerchant(tx: Executor, merchant: NewMerchant): Promise<bigint> {
  const { publicId, name, email, callbackUser, callbackSecretSealed, signingSecretSealed, now } = merchant
  const [row] = await tx.run(insertMerchantRow, [
    publicId,
    name,
    email,
    callbackUser,
    callbackSecretSealed,
    signingSecretSealed,
    toTimestamp(now),
  ])
  return (row as { id: bigint }).id
}

export const writeSettings = execute((walletId: bigint, settings: WalletSettings, now: Instant) => [
  walletId,
  settings.name,
  settings.email,
  settings.phone,
  settings.iban,
  settings.rights,
  settings.methods,
  JSON.stringify(feesAsStored(settings.feeSchedule)),
  settings.splitFeeFixed,
  settings.splitFeeVariableBp,
  settings.callbackUrl,
  settings.cardCallbackUrl,
  settings.selfEvents,
  settings.secureFieldOrigins,
  toTimestamp(now),
  settings.subscriptionMethods,
  settings.brandColour,
  settings.termsUrl,
  settings.privacyUrl,
  settings.supportUrl,
  settings.supportEmail,
  settings.supportPhone,
  settings.pageLanguage,
  settings.methodsOff,
  settings.paymentLimit,
  settings.dayLimit,
  settings.payoutDayLimit,
  settings.bankChargesPassedOn,
  settings.mbRefunds,
  settings.embedOrigins,
])`
  update wallets set
    name = $2, email = $3, phone = $4, iban = $5, rights = $6::text[], methods = $7::text[],
    fee_schedule = $8::jsonb, split_fee_fixed = $9, split_fee_variable_bp = $10, callback_url = $11,
    card_callback_url = $12, self_events = $13, secure_field_origins = $14::text[], modified_at = $15,
    subscription_methods = $16::text[], brand_colour = $17, terms_url = $18, privacy_url = $19, support_url = $20,
    support_email = $21, support_phone = $22, page_language = $23, methods_off = $24::text[],
    payment_limit = $25, day_limit = $26, payout_day_limit = $27, bank_charges_passed_on = $28, mb_refunds = $29,
    embed_origins = $30::text[]
  where id = $1 and kind = 'merchant'`

/** Suspends a merchant, or lifts the suspension; a repeated suspension keeps its first time. */
export const writeSuspended = execute(
  (walletId: bigint, suspended: boolean, reason: string | undefined, now: Instant) => [
    walletId,
    suspended,
    toTimestamp(now),
    reason ?? null,
  ],
)`
  update wallets set suspended_at = case when $2 then coalesce(suspended_at, $3) end,
    suspended_reason = case when $2 then coalesce($4, suspended_reason) end, modified_at = $3
  where id = $1 and kind = 'merchant'`

/** Replaces the callback secret; the old one is valid until `previousUntil`, or dropped if null. */
export const replaceCallbackSecret = execute(
  (walletId: bigint, sealed: Uint8Array, now: Instant, previousUntil: Instant | null) => [
    walletId,
    sealed,
    toTimestamp(now),
    previousUntil === null ? null : toTimestamp(previousUntil),
  ],
)`
  update wallets set
    callback_secret_previous_sealed = case when $4::timestamptz is null then null else callback_secret_sealed end,
    callback_secret_previous_until = $4,
    callback_secret_sealed = $2,
    modified_at = $3
  where id = $1 and kind = 'merchant'`

export const writeSigningSecret = execute(
  (walletId: bigint, sealed: Uint8Array, previous: PreviousSecret | null, now: Instant) => [
    walletId,
    sealed,
    previous?.sealed ?? null,
    previous === null ? null : toTimestamp(previous.until),
    toTimestamp(now),
  ],
)`
  update wallets set
    callback_signing_sealed = $2, callback_signing_previous_sealed = $3, callback_signing_previous_until = $4,
    modified_at = $5
  where id = $1 and kind = 'merchant'`

export const replaceEsbToken = execute((walletId: bigint, digest: Uint8Array, now: Instant) => [
  walletId,
  digest,
  toTimestamp(now),
])`
  update wallets set esb_token_digest = $2, modified_at = $3 where id = $1 and kind = 'merchant'`

export const insertStore = storeFunction(
  (walletId: bigint, name: string) => [walletId, name],
  ([row]: { id: number }[]) => (row as { id: number }).id,
)`
  insert into stores (wallet_id, name) values ($1, $2) returning id`

/** Returns false if the wallet has no such store. */
export const renameStore = hasRows(
  (walletId: bigint, { id, name }: { readonly id: number; readonly name: string }) => [walletId, id, name],
)`
  update stores set name = $3 where wallet_id = $1 and id = $2 returning id`

const selectStores = statement<{ id: number; name: string }>(
  'select id, name from stores where wallet_id = $1 order by id',
)

export function listStores(db: Executor, walletId: bigint): Promise<{ id: number; name: string }[]> {
  return db.run(selectStores, [walletId])
}

function recordOf(row: WalletRow): WalletRecord {
  const {
    esbTokenDigest,
    callbackSecretSealed,
    callbackSecretPrevious,
    signingSecretSealed,
    signingSecretPrevious,
    ...wallet
  } = records.read(row)
  return {
    wallet,
    esbTokenDigest,
    callbackSecretSealed,
    callbackSecretPrevious,
    signingSecretSealed,
    signingSecretPrevious,
  }
}
