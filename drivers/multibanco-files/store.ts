// The SQL of the driver.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import { type Executor, rowSet, type StoredRowOf, statement } from '../../src/storage/index.ts'
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

const withdrawRows = statement(`
  update multibanco_references set withdrawn = true, pending = published
  where connection_id = $1 and ref = any($2::text[]) and not withdrawn`)

/** The next file withdraws them; unpublished ones need no file. */
export async function withdrawReferences(
  db: Executor,
  connectionId: bigint,
  refs: readonly string[],
): Promise<void> {
  await db.run(withdrawRows, [connectionId, refs])
}

const lockFiles = statement('lock table multibanco_files in share row exclusive mode')

export async function lockExchange(tx: Executor): Promise<void> {
  await tx.run(lockFiles)
}

type FileRow = StoredRowOf<typeof multibancoFiles>
export type MultibancoFile = ReturnType<typeof multibancoFiles.read>

const selectLast = statement<FileRow>(`
  select ${multibancoFiles.list()} from multibanco_files
  where connection_id = $1 and kind = $2 order by file_id desc limit 1`)

export async function lastFile(
  db: Executor,
  connectionId: bigint,
  kind: MultibancoFile['kind'],
): Promise<MultibancoFile | undefined> {
  return multibancoFiles.first(await db.run(selectLast, [connectionId, kind]))
}

const selectFile = statement<FileRow>(`
  select ${multibancoFiles.list()} from multibanco_files
  where connection_id = $1 and kind = $2 and file_id = $3`)

export async function findFile(
  db: Executor,
  { connectionId, kind, fileId }: Pick<MultibancoFile, 'connectionId' | 'kind' | 'fileId'>,
): Promise<MultibancoFile | undefined> {
  return multibancoFiles.first(await db.run(selectFile, [connectionId, kind, fileId]))
}

const insertFileRow = statement(`
  insert into multibanco_files (${multibancoFiles.list()}) values (${multibancoFiles.placeholders()})`)

export async function addFile(tx: Executor, file: MultibancoFile): Promise<void> {
  await tx.run(insertFileRow, multibancoFiles.values(file))
}

const takeReferences = statement<StoredRowOf<typeof multibancoReferences>>(`
  update multibanco_references set pending = false, published = true
  where connection_id = $1 and pending
  returning ${multibancoReferences.list()}`)

export async function takePendingReferences(tx: Executor, connectionId: bigint) {
  const rows = (await tx.run(takeReferences, [connectionId])).map(multibancoReferences.read)
  return rows.sort((one, other) => (one.ref < other.ref ? -1 : 1))
}

const selectUnwritten = statement<FileRow>(`
  select ${multibancoFiles.list()} from multibanco_files
  where connection_id = $1 and kind = 'AEPS' and written_at is null order by file_id`)

/** Oldest first. */
export async function unwrittenFiles(db: Executor, connectionId: bigint): Promise<MultibancoFile[]> {
  return (await db.run(selectUnwritten, [connectionId])).map(multibancoFiles.read)
}

const updateWritten = statement(`
  update multibanco_files set written_at = $3 where connection_id = $1 and kind = 'AEPS' and file_id = $2`)

export async function markFileWritten(
  db: Executor,
  { connectionId, fileId }: Pick<MultibancoFile, 'connectionId' | 'fileId'>,
  at: Instant,
): Promise<void> {
  await db.run(updateWritten, [connectionId, fileId, toTimestamp(at)])
}

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

type PaymentRow = StoredRowOf<typeof multibancoPayments>

const selectOpen = statement<PaymentRow>(`
  select ${multibancoPayments.list()} from multibanco_payments
  where connection_id = $1 and handled_at is null order by paid_at, id limit $2`)

export async function openPayments(
  db: Executor,
  connectionId: bigint,
  limit: number,
): Promise<ReportedPayment[]> {
  return (await db.run(selectOpen, [connectionId, limit])).map(multibancoPayments.read)
}

const selectOpenOf = statement<PaymentRow>(`
  select ${multibancoPayments.list()} from multibanco_payments
  where connection_id = $1 and handled_at is null and ref = any($2::text[])`)

export async function openPaymentsOf(
  db: Executor,
  connectionId: bigint,
  refs: readonly string[],
): Promise<ReportedPayment[]> {
  return (await db.run(selectOpenOf, [connectionId, refs])).map(multibancoPayments.read)
}

const updateHandled = statement('update multibanco_payments set handled_at = $2 where id = $1')

export async function markPaymentHandled(db: Executor, id: string, at: Instant): Promise<void> {
  await db.run(updateHandled, [id, toTimestamp(at)])
}
