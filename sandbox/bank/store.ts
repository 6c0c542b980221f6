// SQL of the bank's debits and transfers.
import type { ReturnReason } from '../../src/rails/index.ts'
import { type Executor, type Statement, type StoredRowOf, statement } from '../../src/storage/index.ts'
import { type BankEntry, type BankState, debits, transfers } from './model.ts'

type EntryRow = StoredRowOf<typeof transfers>
const sharedColumns = transfers.omit('name')

interface BookStatements {
  readonly find: Statement<EntryRow>
  readonly latest: Statement<EntryRow>
  readonly list: Statement<EntryRow>
  readonly move: Statement<{ key: string }>
}

function statementsFor(table: string, name: string): BookStatements {
  const columns = `${sharedColumns.list()}, ${name} as name`
  return {
    find: statement(`select ${columns} from ${table} where key = $1`),
    latest: statement(
      `select ${columns} from ${table} where reference = $1 order by created_at desc, key desc limit 1`,
    ),
    list: statement(`select ${columns} from ${table} order by created_at desc, key desc limit $1`),
    move: statement(
      `update ${table} set state = $3, reason = $4 where key = $1 and state = $2 returning key`,
    ),
  }
}

const books = {
  debits: statementsFor('sandbox.debits', 'debtor_name'),
  transfers: statementsFor('sandbox.transfers', 'name'),
} as const

export type Book = keyof typeof books

export async function findEntry(db: Executor, book: Book, key: string): Promise<BankEntry | undefined> {
  return transfers.first(await db.run(books[book].find, [key]))
}

export async function findLatestEntry(
  db: Executor,
  book: Book,
  reference: string,
): Promise<BankEntry | undefined> {
  return transfers.first(await db.run(books[book].latest, [reference]))
}

export async function listEntries(db: Executor, book: Book, limit: number): Promise<BankEntry[]> {
  return (await db.run(books[book].list, [limit])).map(transfers.read)
}

/** False if the entry was not in the state `from`. */
export async function moveEntry(
  db: Executor,
  book: Book,
  key: string,
  move: { readonly from: BankState; readonly to: BankState; readonly reason?: ReturnReason | undefined },
): Promise<boolean> {
  const { from, to, reason } = move
  return (await db.run(books[book].move, [key, from, to, reason ?? null])).length === 1
}

type NewEntry = Omit<BankEntry, 'state' | 'reason'>

const newDebits = debits.whole.omit('reason', 'refunded')
const newTransfers = transfers.omit('reason')

const insertDebitRow = statement(`
  insert into sandbox.debits (${newDebits.list()}) values (${newDebits.placeholders()})
  on conflict (key) do nothing`)

export async function insertDebit(
  db: Executor,
  debit: NewEntry & { readonly merchantName: string; readonly mandateId: string },
): Promise<void> {
  await db.run(insertDebitRow, newDebits.values({ ...debit, state: 'waiting' }))
}

const insertTransferRow = statement(`
  insert into sandbox.transfers (${newTransfers.list()}) values (${newTransfers.placeholders()})
  on conflict (key) do nothing`)

export async function insertTransfer(db: Executor, transfer: NewEntry): Promise<void> {
  await db.run(insertTransferRow, newTransfers.values({ ...transfer, state: 'waiting' }))
}
