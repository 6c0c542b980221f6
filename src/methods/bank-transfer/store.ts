// The SQL of incoming transfers.
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { IncomingTransfer } from '../../rails/index.ts'
import { type Executor, type StoredRowOf, statement } from '../../storage/index.ts'
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

type TransferRow = StoredRowOf<typeof incomingTransfers>

const newTransfers = incomingTransfers.whole

const insertTransferRow = statement<{ id: string }>(`
  insert into incoming_transfers (${newTransfers.list()}) values (${newTransfers.placeholders()})
  on conflict (id) do nothing
  returning id`)

export type Assignment =
  | { readonly walletId: bigint; readonly operationId: string }
  | { readonly problem: string }

export async function insertTransfer(
  tx: Executor,
  { key, text, iban, amount, currency }: IncomingTransfer,
  to: Assignment,
  now: Instant,
): Promise<boolean> {
  const assignedAt = 'walletId' in to ? now : undefined
  const row = { id: key, text, iban, amount, currency, ...to, createdAt: now, assignedAt }
  return (await tx.run(insertTransferRow, newTransfers.values(row))).length === 1
}

const selectTransfer = statement<TransferRow>('select * from incoming_transfers where id = $1')

export async function findTransfer(db: Executor, id: string): Promise<ReceivedTransfer | undefined> {
  return incomingTransfers.first(await db.run(selectTransfer, [id]))
}

const selectTransfers = statement<TransferRow>(`
  select * from incoming_transfers where not $1 or wallet_id is null order by created_at desc, id desc limit $2`)

export async function listTransfers(
  db: Executor,
  onlyUnassigned: boolean,
  limit: number,
): Promise<ReceivedTransfer[]> {
  return (await db.run(selectTransfers, [onlyUnassigned, limit])).map(incomingTransfers.read)
}

const assignTransferRow = statement<{ id: string }>(`
  update incoming_transfers set wallet_id = $2, operation_id = $3, assigned_at = $4
  where id = $1 and wallet_id is null
  returning id`)

export async function assignTransfer(
  tx: Executor,
  id: string,
  to: { readonly walletId: bigint; readonly operationId: string },
  now: Instant,
): Promise<boolean> {
  const values = [id, to.walletId, to.operationId, toTimestamp(now)]
  return (await tx.run(assignTransferRow, values)).length === 1
}
