// SQL of mandates and their changes.
import type { Day } from '../../src/kernel/lisbon.ts'
import type { Cents } from '../../src/kernel/money.ts'
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import type { WalletMandateChange } from '../../src/rails/index.ts'
import { column, type Executor, type StoredRowOf, statement } from '../../src/storage/index.ts'
import {
  type ChangeKind,
  type MandateTerms,
  mandateSteps,
  type PhoneMandate,
  type PhoneRequest,
  phoneChanges,
  phoneMandates,
} from './model.ts'

const insertMandate = statement(`
  insert into sandbox.phone_mandates (key, phone, merchant_id, merchant_name, type, state, created_at)
  values ($1, $2, $3, $4, $5, 'requested', $6)
  on conflict (key) do nothing`)

export async function recordMandate(db: Executor, request: PhoneRequest): Promise<void> {
  const { mandate, phone, merchantId, merchantName, mandateType, createdAt } = request
  if (mandate === undefined) return
  await db.run(insertMandate, [mandate, phone, merchantId, merchantName, mandateType, toTimestamp(createdAt)])
}

const changeMandate = statement<{ key: string }>(`
  with changed as (
    update sandbox.phone_mandates set
      state = coalesce($3, state), version = version + 1,
      amount_limit = coalesce($4, amount_limit), expiry_date = coalesce($5, expiry_date)
    where key = $1 and state = any($2::text[])
    returning key, version
  )
  insert into sandbox.phone_changes (key, version, kind, amount_limit, expiry_date, changed_at)
  select key, version, $6, $4, $5, $7 from changed
  returning key`)

/** Changes a mandate and records the change. False if its state does not allow this. */
export async function recordChange(
  db: Executor,
  key: string,
  kind: ChangeKind,
  terms: MandateTerms | undefined,
  now: Instant,
): Promise<boolean> {
  const { from, to } = mandateSteps[kind]
  const parameters = [
    key,
    [...from],
    to ?? null,
    terms?.limit ?? null,
    terms?.expiryDate ?? null,
    kind,
    toTimestamp(now),
  ]
  return (await db.run(changeMandate, parameters)).length === 1
}

const changes = phoneChanges.pick('version', 'kind', 'limit', 'expiryDate')

const selectChanges = statement<StoredRowOf<typeof changes>>(`
  select ${changes.list()} from sandbox.phone_changes
  where key = $1 and version > $2 order by version`)

export async function listChanges(
  db: Executor,
  key: string,
  afterVersion: number,
): Promise<WalletMandateChange[]> {
  const rows = await db.run(selectChanges, [key, afterVersion])
  return rows
    .map(changes.read)
    .map(({ version, kind, limit, expiryDate }) =>
      kind === 'approved' || kind === 'updated'
        ? { version, kind, limit: limit as Cents, expiryDate: expiryDate as Day }
        : { version, kind },
    )
}

const withUse = phoneMandates.with({ used: column.cents() })
type MandateRow = StoredRowOf<typeof withUse>

/** $1 is the start of the month, for the amount paid in it. */
const mandatesWithUse = `
  select ${phoneMandates.list('mandates')},
    coalesce((
      select sum(requests.amount) from sandbox.phone_requests as requests
      where requests.by_mandate = mandates.key and requests.state = 'approved'
        and requests.reversed_by is null and requests.decided_at >= $1
    ), 0)::bigint as used
  from sandbox.phone_mandates as mandates`

const selectMandate = statement<MandateRow>(`${mandatesWithUse} where mandates.key = $2`)

/** The mandate, with its payments since `monthStart`. */
export async function findPhoneMandate(
  db: Executor,
  key: string,
  monthStart: Instant,
): Promise<PhoneMandate | undefined> {
  return withUse.first(await db.run(selectMandate, [toTimestamp(monthStart), key]))
}

const selectMandates = statement<MandateRow>(`
  ${mandatesWithUse} where mandates.phone = $2 and mandates.version > 0
  order by mandates.created_at desc, mandates.key desc limit $3`)

export async function listPhoneMandates(
  db: Executor,
  phone: string,
  monthStart: Instant,
  limit: number,
): Promise<PhoneMandate[]> {
  return (await db.run(selectMandates, [toTimestamp(monthStart), phone, limit])).map(withUse.read)
}

const selectUsable = statement<{ key: string }>(`
  select key from sandbox.phone_mandates
  where key = $1 and phone = $2 and merchant_id = $3 and state = 'active' and expiry_date >= $4
    and amount_limit >= $5
  for share`)

/** Whether the merchant can use the mandate for this payment. */
export async function isUsable(
  db: Executor,
  key: string,
  payment: Pick<PhoneRequest, 'phone' | 'merchantId' | 'amount'>,
  today: Day,
): Promise<boolean> {
  const { phone, merchantId, amount } = payment
  return (await db.run(selectUsable, [key, phone, merchantId, today, amount ?? 0n])).length === 1
}
