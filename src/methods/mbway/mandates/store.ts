// The SQL of mandates.
import { type Claim, idempotencyClaimCte } from '../../../idempotency/index.ts'
import { type Instant, toTimestamp } from '../../../kernel/time.ts'
import {
  claimDueSql,
  type Executor,
  execute,
  findAll,
  hasRows,
  lookup,
  rowSet,
  type StoredRowOf,
} from '../../../storage/index.ts'
import { type Mandate, mandates, mandatesWithUse } from './model.ts'

type MandateRow = StoredRowOf<typeof mandatesWithUse>

const newMandates = mandates.whole.pick(
  'id',
  'walletId',
  'type',
  'phone',
  'clientName',
  'urlCallback',
  'subscriptionId',
  'awaitsPayment',
  'wanted',
  'askedUntil',
  'createdAt',
  'dueAt',
)
const newMandateSet = rowSet({ ...newMandates.types, ...idempotencyClaimCte.columns })

export const insertMandate = hasRows((mandate: Mandate, claim: Claim | undefined, dueAt: Instant) =>
  newMandateSet.parameters([
    { ...newMandates.write({ ...mandate, dueAt }), ...idempotencyClaimCte.row(claim) },
  ]),
)`
  with input as (${newMandateSet.source}),
  ${idempotencyClaimCte.sql('input')}
  insert into mandates (${newMandates.list()}, state, request_id, modified_at)
  select ${newMandates.list()}, 'REQUESTED', request_id, created_at from admitted
  returning id`

const selectMandates = `
  select mandates.*, mandate_allowances.used
  from mandates
  left join mandate_allowances on mandate_allowances.wallet_id = mandates.wallet_id
    and mandate_allowances.mandate_id = mandates.id and mandate_allowances.month = wanted.month`

const mandateByKey = lookup<MandateRow>({
  key: { wallet_id: 'bigint', id: 'uuid', month: 'text' },
  sql: `${selectMandates} where mandates.wallet_id = wanted.wallet_id and mandates.id = wanted.id`,
})

export async function findMandateRow(
  db: Executor,
  walletId: bigint,
  id: string,
  month: string,
): Promise<Mandate | undefined> {
  const row = await db.find(mandateByKey, [walletId, id, month])
  return row && mandatesWithUse.read(row)
}

const mandateById = lookup<MandateRow>({
  key: { id: 'uuid', month: 'text' },
  sql: `${selectMandates} where mandates.id = wanted.id`,
})

export async function findMandateOfKey(
  db: Executor,
  key: string,
  month: string,
): Promise<Mandate | undefined> {
  const row = await db.find(mandateById, [key, month])
  return row && mandatesWithUse.read(row)
}

export const freeMandate = execute(({ walletId, id }: Mandate, dueAt: Instant) => [
  walletId,
  id,
  toTimestamp(dueAt),
])`
  update mandates set awaits_payment = false, due_at = $3 where wallet_id = $1 and id = $2 and awaits_payment`

export const markWithdrawn = execute(({ walletId, id }: Mandate) => [walletId, id])`
  update mandates set withdrawn = true where wallet_id = $1 and id = $2 and state = 'REQUESTED'`

export const recordMove = hasRows((from: Mandate, to: Mandate, dueAt: Instant | undefined, now: Instant) => [
  ...[from.walletId, from.id, from.state, from.version],
  ...[to.state, to.limit, to.expiryDate ?? null, to.version],
  ...[dueAt === undefined ? null : toTimestamp(dueAt), toTimestamp(now)],
])`
  update mandates set state = $5, amount_limit = $6, expiry_date = $7, version = $8, due_at = $9, inquiries = 0,
    modified_at = $10
  where wallet_id = $1 and id = $2 and state = $3 and version = $4
  returning id`

/** Claims due mandates under a lease. It does not read the used amount, which shows as zero. */
export const claimDueMandates = findAll(
  mandatesWithUse,
  (now: Instant, leasedUntil: Instant, limit: number) => [toTimestamp(now), toTimestamp(leasedUntil), limit],
)`
  ${claimDueSql('mandates', 'inquiries = inquiries + 1')}
  returning mandates.*, null::bigint as used`

export const postponeMandate = execute(
  ({ walletId, id, state, version }: Mandate, dueAt: Instant | undefined) => [
    walletId,
    id,
    state,
    version,
    dueAt === undefined ? null : toTimestamp(dueAt),
  ],
)`
  update mandates set due_at = $5
  where wallet_id = $1 and id = $2 and state = $3 and version = $4 and due_at is not null`
