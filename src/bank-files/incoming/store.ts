// The SQL of imported bank files, their entries, and the answers to orders.
import { type Cents, cents } from '../../kernel/money.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import {
  claimDueSql,
  type Executor,
  execute,
  findAll,
  findFirst,
  hasRows,
  rowSet,
  type StoredRowOf,
  statement,
} from '../../storage/index.ts'
import { isGivenSql } from '../by-hand/model.ts'
import { bankFiles, bankOrders, type OrderAnswer, type StoredOrder } from '../model.ts'
import {
  type BankEntry,
  type BankReport,
  bankEntries,
  bankReports,
  entriesOfReportsSql,
  textOfEntry,
} from './model.ts'

/** False if the file was imported before. */
export const recordReport = hasRows((report: BankReport) => bankReports.values(report))`
  insert into bank_reports (${bankReports.list()}) values (${bankReports.placeholders()})
  on conflict (id) do nothing
  returning id`

/** Imports run one at a time, because two files can contain the same entry. */
export const lockImports = execute(() => [])`
  lock table bank_reports in share row exclusive mode`

export interface SuspenseAccounts {
  readonly bank: bigint
  readonly suspense: bigint
  readonly charges: bigint
  ofMerchant(tx: Executor, walletId: bigint): Promise<bigint>
}

/** Runs `change` and moves money of its entries out of suspense; $1: time, $2: suspense account, $3: bank account. */
const leavingSuspense = (change: string) => `
  with ended as (${change} returning id, amount),
  posted as (
    insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
    select 0, ended.id, 'suspense', $2::bigint, $3::bigint, ended.amount, $1::timestamptz from ended
    where exists (
      select from postings
      where postings.operation_id = ended.id and postings.purpose = 'suspense' and postings.credit_account = $2::bigint
    )
  )
  select id from ended`

const left = ({ bank, suspense }: SuspenseAccounts, now: Instant) => [toTimestamp(now), suspense, bank]

const replaceRows = statement(
  leavingSuspense(`
    update bank_entries set state = 'RESOLVED', resolution = $5
    where entry_id = any($4::uuid[]) and state = 'UNMATCHED' and not has_details`),
)

/** Closes lines without details, whose transactions arrived now. */
export async function replaceLines(
  tx: Executor,
  ids: readonly string[],
  resolution: string,
  accounts: SuspenseAccounts,
  now: Instant,
): Promise<void> {
  if (ids.length > 0) await tx.run(replaceRows, [...left(accounts, now), ids, resolution])
}

/** Locks the filed orders of these operations. */
export const lockOrdersOf = findAll(bankOrders, (operationIds: readonly string[]) => [operationIds])`
  select ${bankOrders.list()} from bank_orders where operation_id = any($1::uuid[]) and file_id is not null
  order by wallet_id, id
  for no key update`

export const lockOrdersIn = findAll(bankOrders, (fileId: string) => [fileId])`
  select ${bankOrders.list()} from bank_orders where file_id = $1 order by wallet_id, id for no key update`

const selectFilesOf = statement<{ file_id: string }>(`
  select distinct file_id from bank_orders where operation_id = any($1::uuid[]) and file_id is not null`)

export async function filesWithOrdersOf(tx: Executor, operationIds: readonly string[]): Promise<string[]> {
  return (await tx.run(selectFilesOf, [operationIds])).map(({ file_id }) => file_id)
}

export const findBankFile = findFirst(bankFiles, (id: string) => [id])`
  select * from bank_files where id = $1`

const returnedOrders = rowSet({ wallet_id: 'bigint', id: 'uuid' })

const selectOnlyReturned = statement<{ id: string }>(`
  with input as (${returnedOrders.source})
  select input.id
  from input
  join bank_orders on bank_orders.wallet_id = input.wallet_id and bank_orders.id = input.id
  join bank_entries as entry on entry.wallet_id = input.wallet_id and entry.order_id = input.id
  group by input.id
  having bool_and((entry.direction = 'credit') <> (bank_orders.kind = 'collection'))`)

/** The returned orders without a booked payment. */
export async function ordersOnlyReturned(
  tx: Executor,
  orders: readonly StoredOrder[],
): Promise<ReadonlySet<string>> {
  const returned = orders.filter(({ answer }) => answer === 'returned')
  if (returned.length === 0) return new Set()
  const rows = returned.map(({ walletId, id }) => ({ wallet_id: walletId, id }))
  return new Set((await tx.run(selectOnlyReturned, returnedOrders.parameters(rows))).map(({ id }) => id))
}

export interface AnsweredOrder {
  readonly walletId: bigint
  readonly id: string
  readonly answer: OrderAnswer
  readonly returnCode: string | undefined
}

const answers = rowSet({ wallet_id: 'bigint', id: 'uuid', answer: 'text', return_code: 'text' }, 2)

// Waiting settlements that add nothing new are deleted.
const updateOrders = statement(`
  with input as (${answers.source}),
  moot as (
    delete from bank_settlements as waiting using input
    where waiting.wallet_id = input.wallet_id and waiting.order_id = input.id and not ${isGivenSql('waiting')}
      and (input.answer = 'returned' or waiting.answer = 'paid')
  )
  update bank_orders set answer = input.answer, return_code = input.return_code, answered_at = $1, due_at = $1,
    hint = null
  from input
  where bank_orders.wallet_id = input.wallet_id and bank_orders.id = input.id`)

/** The caller has locked the orders. */
export async function answerOrders(
  tx: Executor,
  orders: readonly AnsweredOrder[],
  now: Instant,
): Promise<void> {
  const rows = orders.map(({ walletId, id, answer, returnCode }) => ({
    wallet_id: walletId,
    id,
    answer,
    return_code: returnCode,
  }))
  if (rows.length > 0) await tx.run(updateOrders, [toTimestamp(now), ...answers.parameters(rows)])
}

const hinted = rowSet({ wallet_id: 'bigint', id: 'uuid', hint: 'text' })

const updateHints = statement(`
  with input as (${hinted.source})
  update bank_orders set hint = input.hint
  from input
  where bank_orders.wallet_id = input.wallet_id and bank_orders.id = input.id`)

export async function noteHints(tx: Executor, rows: Parameters<typeof hinted.parameters>[0]): Promise<void> {
  if (rows.length > 0) await tx.run(updateHints, hinted.parameters(rows))
}

const hintedOrders = bankOrders.whole

const selectHinted = statement<StoredRowOf<typeof hintedOrders>>(`
  select ${hintedOrders.list()} from (
    select * from bank_orders where answer is null and hint is not null
    union all
    select bank_orders.* from bank_settlements as settled
    join bank_orders on bank_orders.wallet_id = settled.wallet_id and bank_orders.id = settled.order_id
    where settled.answer = 'paid' and bank_orders.answer = 'paid' and bank_orders.hint is not null
  ) as hinted
  order by created_at, id limit $1`)

export async function listHinted(db: Executor, limit: number) {
  const orders = (await db.run(selectHinted, [limit])).map(hintedOrders.read)
  return orders.map(({ hint = '', ...order }) => ({ ...order, hint }))
}

const deleteRefunds = statement(`
  delete from bank_orders where refund_of = any($1::uuid[]) and file_id is null`)

/** Deletes refund orders of these collections that are in no file. */
export async function dropUnsentRefunds(tx: Executor, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await tx.run(deleteRefunds, [keys])
}

const selectReturn = statement<{ amount: bigint }>(`
  select amount from bank_entries where wallet_id = $1 and order_id = $2 and direction = 'debit'
  union all
  select amount from bank_settlements as settled
  where wallet_id = $1 and order_id = $2 and answer = 'returned' and ${isGivenSql('settled')}`)

/** Amount in cents that the bank took back of a collection, without refunds sent before; undefined if not returned. */
export async function returnedByFile(
  db: Executor,
  { walletId, id }: Pick<StoredOrder, 'walletId' | 'id'>,
): Promise<Cents | undefined> {
  const [entry] = await db.run(selectReturn, [walletId, id])
  return entry && cents(entry.amount)
}

const newEntries = rowSet(bankEntries.types, 4)

/** Unmatched incoming money moves from the bank's clearing account, $2, to suspense, $3. */
const insertEntries = statement(`
  with input as (${newEntries.source}),
  added as (
    insert into bank_entries (${bankEntries.list()}, due_at)
    select ${bankEntries.list('input')}, case when input.state = 'TRANSFER' then $1::timestamptz end
    from input
    returning id, state, direction, amount
  )
  insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
  select 0, id, 'suspense', $2::bigint, $3::bigint, amount, $1::timestamptz from added
  where state = 'UNMATCHED' and direction = 'credit' and amount > 0`)

export async function addEntries(
  tx: Executor,
  entries: readonly BankEntry[],
  { bank, suspense }: SuspenseAccounts,
  now: Instant,
): Promise<void> {
  if (entries.length === 0) return
  const values = newEntries.parameters(entries.map(bankEntries.write))
  await tx.run(insertEntries, [toTimestamp(now), bank, suspense, ...values])
}

export const noteEntries = execute(({ id }: Pick<BankReport, 'id'>) => [id])`
  update bank_reports
  set entries = coalesce(written.entries, 0), credited = coalesce(written.credited, 0),
    debited = coalesce(written.debited, 0), digest = coalesce(written.digest, '')
  from (select $1::uuid as id) as report
  left join (${entriesOfReportsSql('where report_id = $1')}) as written on written.report_id = report.id
  where bank_reports.id = report.id`

export const claimDueTransfers = findAll(bankEntries, (now: Instant, leasedUntil: Instant, limit: number) => [
  toTimestamp(now),
  toTimestamp(leasedUntil),
  limit,
])`
  ${claimDueSql('bank_entries')} returning ${bankEntries.list()}`

export const claimAnsweredOrders = findAll(
  bankOrders,
  (now: Instant, leasedUntil: Instant, limit: number) => [toTimestamp(now), toTimestamp(leasedUntil), limit],
)`
  ${claimDueSql('bank_orders')} returning ${bankOrders.list()}`

export const markTransferTaken = execute(({ walletId, id }: Pick<BankEntry, 'walletId' | 'id'>) => [
  walletId,
  id,
])`
  update bank_entries set due_at = null where wallet_id = $1 and id = $2`

/** Marks the answer as applied, unless the answer has changed. */
export const markAnswerFollowed = execute(
  ({ walletId, id, answer }: Pick<StoredOrder, 'walletId' | 'id' | 'answer'>) => [walletId, id, answer],
)`
  update bank_orders set due_at = null where wallet_id = $1 and id = $2 and answer = $3`

const selectUnmatched = statement<StoredRowOf<typeof bankEntries>>(`
  select ${bankEntries.list()} from bank_entries where state = 'UNMATCHED' order by created_at, id limit $1`)

export async function listUnmatched(db: Executor, limit: number) {
  const entries = (await db.run(selectUnmatched, [limit])).map(bankEntries.read)
  return entries.map((entry) => ({ ...entry, text: textOfEntry(entry) }))
}

const resolveRow = statement<{ id: string }>(
  leavingSuspense(`
    update bank_entries set state = 'RESOLVED', resolution = $5 where id = $4 and state = 'UNMATCHED'`),
)

export async function resolveEntry(
  db: Executor,
  id: string,
  resolution: string,
  accounts: SuspenseAccounts,
  now: Instant,
): Promise<boolean> {
  return (await db.run(resolveRow, [...left(accounts, now), id, resolution])).length === 1
}

const releaseRow = statement<{ id: string }>(
  leavingSuspense(`
    update bank_entries set state = 'TRANSFER', due_at = $1
    where id = $4 and state = 'UNMATCHED' and direction = 'credit' and amount > 0`),
)

/** Turns an unmatched credit into a transfer; false if it is not one, or has no amount. */
export async function takeAsTransfer(
  db: Executor,
  id: string,
  accounts: SuspenseAccounts,
  now: Instant,
): Promise<boolean> {
  return (await db.run(releaseRow, [...left(accounts, now), id])).length === 1
}

export const listReports = findAll(bankReports, (limit: number) => [limit])`
  select ${bankReports.list()} from bank_reports order by imported_at desc, id desc limit $1`
