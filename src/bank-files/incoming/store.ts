// The SQL of imported bank files, their entries, and the answers to orders.
import { cents } from '../../kernel/money.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import {
  claimDueSql,
  type Executor,
  execute,
  findAll,
  findFirst,
  hasRows,
  type RowOf,
  rowSet,
  type StoredRowOf,
  storeFunction,
} from '../../storage/index.ts'
import { isGivenSql } from '../by-hand/model.ts'
import { bankFiles, bankOrders, orderKeys, type StoredOrder } from '../model.ts'
import {
  type BankEntry,
  type BankReport,
  bankEntries,
  bankReports,
  entriesOfReportsSql,
  textOfEntry,
} from './model.ts'

/** Returns false if the file was imported before. */
export const recordReport = hasRows((report: BankReport) => bankReports.values(report))`
  insert into bank_reports (${bankReports.list()}) values (${bankReports.placeholders()})
  on conflict (id) do nothing
  returning id`

/** Imports wait for each other, because two files can contain the same entry. */
export const lockImports = execute(() => [])`
  lock table bank_reports in share row exclusive mode`

export interface SuspenseAccounts {
  readonly bank: bigint
  readonly suspense: bigint
  readonly charges: bigint
  ofMerchant(tx: Executor, walletId: bigint): Promise<bigint>
}

/** Runs `change` and moves its entries' money out of suspense. $1: time; `change` has $4 and later. */
const leavingSuspense =
  <Asked extends unknown[]>(values: (...asked: Asked) => readonly unknown[]) =>
  (change: string) =>
    hasRows(({ bank, suspense }: SuspenseAccounts, now: Instant, ...asked: Asked) => [
      toTimestamp(now),
      suspense,
      bank,
      ...values(...asked),
    ])`
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

/** Closes lines that had no details, because their transactions have arrived now. */
export const replaceLines = leavingSuspense((ids: readonly string[], resolution: string) => [
  ids,
  resolution,
])(`
  update bank_entries set state = 'RESOLVED', resolution = $5
  where entry_id = any($4::uuid[]) and state = 'UNMATCHED' and not has_details`)

/** Closes an unmatched entry with a note. Returns false if it is not unmatched. */
export const resolveEntry = leavingSuspense((id: string, resolution: string) => [id, resolution])(`
  update bank_entries set state = 'RESOLVED', resolution = $5 where id = $4 and state = 'UNMATCHED'`)

/** Turns an unmatched credit into a transfer. Returns false if it is not one, or has no amount. */
export const takeAsTransfer = leavingSuspense((id: string) => [id])(`
  update bank_entries set state = 'TRANSFER', due_at = $1
  where id = $4 and state = 'UNMATCHED' and direction = 'credit' and amount > 0`)

/** Locks the orders of these operations that are in a file. */
export const lockOrdersOf = findAll(bankOrders, (operationIds: readonly string[]) => [operationIds])`
  select ${bankOrders.list()} from bank_orders where operation_id = any($1::uuid[]) and file_id is not null
  order by wallet_id, id
  for no key update`

export const lockOrdersIn = findAll(bankOrders, (fileId: string) => [fileId])`
  select ${bankOrders.list()} from bank_orders where file_id = $1 order by wallet_id, id for no key update`

/** The ids of these operations, each with the file that contains its order. */
export const filesOfOrders = storeFunction(
  (operationIds: readonly string[]) => [operationIds],
  (rows: { operation_id: string; file_id: string }[]): ReadonlyMap<string, string> =>
    new Map(rows.map(({ operation_id, file_id }) => [operation_id, file_id])),
)`
  select distinct operation_id, file_id from bank_orders
  where operation_id = any($1::uuid[]) and file_id is not null`

export const findBankFile = findFirst(bankFiles, (id: string) => [id])`
  select * from bank_files where id = $1`

const askedOrders = rowSet(orderKeys.types)

/** The returned orders whose payment is not booked. */
export const ordersOnlyReturned = storeFunction(
  (orders: readonly StoredOrder[]) =>
    askedOrders.parameters(orders.filter(({ answer }) => answer === 'returned').map(orderKeys.write)),
  (rows: { id: string }[]): ReadonlySet<string> => new Set(rows.map(({ id }) => id)),
)`
  with input as (${askedOrders.source})
  select input.id
  from input
  join bank_orders on bank_orders.wallet_id = input.wallet_id and bank_orders.id = input.id
  join bank_entries as entry on entry.wallet_id = input.wallet_id and entry.order_id = input.id
  group by input.id
  having bool_and((entry.direction = 'credit') <> (bank_orders.kind = 'collection'))`

const answered = bankOrders.pick('walletId', 'id', 'answer', 'returnCode')
const answers = rowSet(answered.types, 2)

export type AnsweredOrder = RowOf<typeof answered>

/** The caller has locked the orders. Settlements that wait for approval and add nothing new are deleted. */
export const answerOrders = execute((orders: readonly AnsweredOrder[], now: Instant) => [
  toTimestamp(now),
  ...answers.parameters(orders.map(answered.write)),
])`
  with input as (${answers.source}),
  moot as (
    delete from bank_settlements as waiting using input
    where waiting.wallet_id = input.wallet_id and waiting.order_id = input.id and not ${isGivenSql('waiting')}
      and (input.answer = 'returned' or waiting.answer = 'paid')
  )
  update bank_orders set answer = input.answer, return_code = input.return_code, answered_at = $1, due_at = $1,
    hint = null
  from input
  where bank_orders.wallet_id = input.wallet_id and bank_orders.id = input.id`

const hinted = rowSet({ wallet_id: 'bigint', id: 'uuid', hint: 'text' })

export const noteHints = execute(hinted.parameters)`
  with input as (${hinted.source})
  update bank_orders set hint = input.hint
  from input
  where bank_orders.wallet_id = input.wallet_id and bank_orders.id = input.id`

const hintedOrders = bankOrders.whole

export const listHinted = storeFunction(
  (limit: number) => [limit],
  (rows: StoredRowOf<typeof hintedOrders>[]) =>
    rows.map(hintedOrders.read).map(({ hint = '', ...order }) => ({ ...order, hint })),
)`
  select ${hintedOrders.list()} from (
    select * from bank_orders where answer is null and hint is not null
    union all
    select bank_orders.* from bank_settlements as settled
    join bank_orders on bank_orders.wallet_id = settled.wallet_id and bank_orders.id = settled.order_id
    where settled.answer = 'paid' and bank_orders.answer = 'paid' and bank_orders.hint is not null
  ) as hinted
  order by created_at, id limit $1`

/** Deletes refund orders of these collections, unless they are in a file. */
export const dropUnsentRefunds = execute((keys: readonly string[]) => [keys])`
  delete from bank_orders where refund_of = any($1::uuid[]) and file_id is null`

/** Cents that the bank took back of a collection, less refunds sent before. Undefined if not returned. */
export const returnedByFile = storeFunction(
  ({ walletId, id }: Pick<StoredOrder, 'walletId' | 'id'>) => [walletId, id],
  ([entry]: { amount: bigint }[]) => entry && cents(entry.amount),
)`
  select amount from bank_entries where wallet_id = $1 and order_id = $2 and direction = 'debit'
  union all
  select amount from bank_settlements as settled
  where wallet_id = $1 and order_id = $2 and answer = 'returned' and ${isGivenSql('settled')}`

const newEntries = rowSet(bankEntries.types, 4)

/** Adds entries. Unmatched money that came in moves from the bank's clearing account, $2, to suspense, $3. */
export const addEntries = execute(
  (entries: readonly BankEntry[], { bank, suspense }: SuspenseAccounts, now: Instant) => [
    ...[toTimestamp(now), bank, suspense],
    ...newEntries.parameters(entries.map(bankEntries.write)),
  ],
)`
  with input as (${newEntries.source}),
  added as (
    insert into bank_entries (${bankEntries.list()}, due_at)
    select ${bankEntries.list('input')}, case when input.state = 'TRANSFER' then $1::timestamptz end
    from input
    returning id, state, direction, amount
  )
  insert into postings (wallet_id, operation_id, purpose, debit_account, credit_account, amount, created_at)
  select 0, id, 'suspense', $2::bigint, $3::bigint, amount, $1::timestamptz from added
  where state = 'UNMATCHED' and direction = 'credit' and amount > 0`

export const noteEntries = execute(({ id }: Pick<BankReport, 'id'>) => [id])`
  update bank_reports
  set entries = coalesce(written.entries, 0), credited = coalesce(written.credited, 0),
    debited = coalesce(written.debited, 0), digest = coalesce(written.digest, '')
  from (select $1::uuid as id) as report
  left join (${entriesOfReportsSql('where report_id = $1')}) as written on written.report_id = report.id
  where bank_reports.id = report.id`

function claimDue<Row>(of: { readonly table: string; list(): string; read(row: never): Row }) {
  return findAll(of, (now: Instant, leasedUntil: Instant, limit: number) => [
    toTimestamp(now),
    toTimestamp(leasedUntil),
    limit,
  ])`
  ${claimDueSql(of.table)} returning ${of.list()}`
}

export const claimDueTransfers = claimDue(bankEntries)
export const claimAnsweredOrders = claimDue(bankOrders)

export const markTransferTaken = execute(({ walletId, id }: Pick<BankEntry, 'walletId' | 'id'>) => [
  walletId,
  id,
])`
  update bank_entries set due_at = null where wallet_id = $1 and id = $2`

/** Marks the answer as applied, unless the answer has changed since. */
export const markAnswerFollowed = execute(
  ({ walletId, id, answer }: Pick<StoredOrder, 'walletId' | 'id' | 'answer'>) => [walletId, id, answer],
)`
  update bank_orders set due_at = null where wallet_id = $1 and id = $2 and answer = $3`

export const listUnmatched = storeFunction(
  (limit: number) => [limit],
  (rows: StoredRowOf<typeof bankEntries>[]) =>
    rows.map(bankEntries.read).map((entry) => ({ ...entry, text: textOfEntry(entry) })),
)`
  select ${bankEntries.list()} from bank_entries where state = 'UNMATCHED' order by created_at, id limit $1`

export const listReports = findAll(bankReports, (limit: number) => [limit])`
  select ${bankReports.list()} from bank_reports order by imported_at desc, id desc limit $1`
