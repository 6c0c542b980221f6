// The SQL of the driver.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import {
  type Executor,
  execute,
  findAll,
  findFirst,
  rowSet,
  type StoredRowOf,
  statement,
} from '../../src/storage/index.ts'
import { multibancoFiles, multibancoPayments, multibancoReferences } from './model.ts'

const toPublish = multibancoReferences.pick(
  'connectionId',
  'ref',
  'amountMin',
  'amountMax',
  'firstDay',
  'lastDay',
)
const publishedSet = rowSet(toPublish.types)

const upsertReferences = statement(`
  with input as (${publishedSet.source})
  insert into multibanco_references (${toPublish.list()})
  select ${toPublish.list('input')} from input
  on conflict (connection_id, ref) do update set
    amount_min = excluded.amount_min, amount_max = excluded.amount_max, first_day = excluded.first_day,
    last_day = excluded.last_day, withdrawn = false, pending = true`)

export interface ReferenceToPublish {
  readonly connectionId: bigint
  readonly ref: string
  readonly amountMin: bigint
  readonly amountMax: bigint
  readonly firstDay: string
  readonly lastDay: string
}

export async function addReferences(db: Executor, references: readonly ReferenceToPublish[]): Promise<void> {
  if (references.length === 0) return
  const rows = references.map((one) => toPublish.write(one as never))
  await db.run(upsertReferences, publishedSet.parameters(rows))
}

/** The next file reports the withdrawal to the network. A reference that no file has published needs no report. */
export const withdrawReferences = execute((connectionId: bigint, refs: readonly string[]) => [
  connectionId,
  refs,
])`
  update multibanco_references set withdrawn = true, pending = published
  where connection_id = $1 and ref = any($2::text[]) and not withdrawn`

export const lockExchange = execute(() => [])`
  lock table multibanco_files in share row exclusive mode`

export type MultibancoFile = ReturnType<typeof multibancoFiles.read>

export const lastFile = findFirst(multibancoFiles, (connectionId: bigint, kind: MultibancoFile['kind']) => [
  connectionId,
  kind,
])`
  select ${multibancoFiles.list()} from multibanco_files
  where connection_id = $1 and kind = $2 order by file_id desc limit 1`

export const findFile = findFirst(
  multibancoFiles,
  ({ connectionId, kind, fileId }: Pick<MultibancoFile, 'connectionId' | 'kind' | 'fileId'>) => [
    connectionId,
    kind,
    fileId,
  ],
)`
  select ${multibancoFiles.list()} from multibanco_files
  where connection_id = $1 and kind = $2 and file_id = $3`

export const addFile = execute((file: MultibancoFile) => multibancoFiles.values(file))`
  insert into multibanco_files (${multibancoFiles.list()}) values (${multibancoFiles.placeholders()})`

const takeReferences = statement<StoredRowOf<typeof multibancoReferences>>(`
  update multibanco_references set pending = false, published = true
  where connection_id = $1 and pending
  returning ${multibancoReferences.list()}`)

export async function takePendingReferences(tx: Executor, connectionId: bigint) {
  const rows = (await tx.run(takeReferences, [connectionId])).map(multibancoReferences.read)
  return rows.sort((one, other) => (one.ref < other.ref ? -1 : 1))
}

export const unwrittenFiles = findAll(multibancoFiles, (connectionId: bigint) => [connectionId])`
  select ${multibancoFiles.list()} from multibanco_files
  where connection_id = $1 and kind = 'AEPS' and written_at is null order by file_id`

export const markFileWritten = execute(
  ({ connectionId, fileId }: Pick<MultibancoFile, 'connectionId' | 'fileId'>, at: Instant) => [
    connectionId,
    fileId,
    toTimestamp(at),
  ],
)`
  update multibanco_files set written_at = $3 where connection_id = $1 and kind = 'AEPS' and file_id = $2`

const paymentSet = rowSet(multibancoPayments.types)

const insertPayments = statement(`
  with input as (${paymentSet.source})
  insert into multibanco_payments (${multibancoPayments.list()}) select ${multibancoPayments.list('input')} from input
  on conflict (id) do nothing`)

export type ReportedPayment = ReturnType<typeof multibancoPayments.read>

export async function addPayments(tx: Executor, payments: readonly ReportedPayment[]): Promise<void> {
  if (payments.length === 0) return
  await tx.run(insertPayments, paymentSet.parameters(payments.map(multibancoPayments.write)))
}

export const openPayments = findAll(multibancoPayments, (connectionId: bigint, limit: number) => [
  connectionId,
  limit,
])`
  select ${multibancoPayments.list()} from multibanco_payments
  where connection_id = $1 and handled_at is null order by paid_at, id limit $2`

export const openPaymentsOf = findAll(multibancoPayments, (connectionId: bigint, refs: readonly string[]) => [
  connectionId,
  refs,
])`
  select ${multibancoPayments.list()} from multibanco_payments
  where connection_id = $1 and handled_at is null and ref = any($2::text[])`

export const markPaymentHandled = execute((id: string, at: Instant) => [id, toTimestamp(at)])`
  update multibanco_payments set handled_at = $2 where id = $1`
