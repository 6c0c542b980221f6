// The SQL of incoming transfers.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { IncomingTransfer } from '../../rails/index.ts'
import { findAll, findFirst, hasRows } from '../../storage/index.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'

export const incomingTransfers = table(
  'incoming_transfers',
  {
    id: column.uuid(),
    text: column.text(),
    iban: column.text().optional(),
    amount: column.cents(),
    currency: column.text(),
    walletId: column.bigint().optional(),
    operationId: column.uuid().optional(),
    problem: column.text().optional(),
    createdAt: column.instant(),
  },
  {
    assignedAt: column.instant().optional(),
  },
)

export type ReceivedTransfer = RowOf<typeof incomingTransfers>

const newTransfers = incomingTransfers.whole

export type Assignment =
  | { readonly walletId: bigint; readonly operationId: string }
  | { readonly problem: string }

export const insertTransfer = hasRows(
  ({ key: id, text, iban, amount, currency }: IncomingTransfer, to: Assignment, createdAt: Instant) => {
    const assignedAt = 'walletId' in to ? createdAt : undefined
    return newTransfers.values({ id, text, iban, amount, currency, ...to, createdAt, assignedAt })
  },
)`
  insert into incoming_transfers (${newTransfers.list()}) values (${newTransfers.placeholders()})
  on conflict (id) do nothing
  returning id`

export const findTransfer = findFirst(incomingTransfers, (id: string) => [id])`
  select * from incoming_transfers where id = $1`

export const listTransfers = findAll(incomingTransfers, (onlyUnassigned: boolean, limit: number) => [
  ...[onlyUnassigned, limit],
])`
  select * from incoming_transfers where not $1 or wallet_id is null order by created_at desc, id desc limit $2`

/** Only a transfer that no wallet has yet can be assigned. */
export const assignTransfer = hasRows(
  (id: string, to: { readonly walletId: bigint; readonly operationId: string }, now: Instant) => {
    return [id, to.walletId, to.operationId, toTimestamp(now)]
  },
)`
  update incoming_transfers set wallet_id = $2, operation_id = $3, assigned_at = $4
  where id = $1 and wallet_id is null
  returning id`
