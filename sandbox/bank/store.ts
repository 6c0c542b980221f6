// The SQL of the bank's books: debits and transfers, alike but for whose money moves.
import { type Instant, toTimestamp } from '../../src/kernel/time.ts'
import type { ReturnReason } from '../../src/rails/index.ts'
import { type Executor, type Statement, statement } from '../../src/storage/index.ts'
import type { BankEntry, BankState } from './model.ts'

interface EntryRow {
  key: string
  reference: string
  name: string
  iban: string
  amount: bigint
  currency: string
  state: BankState
  reason: ReturnReason | null
  created_at: Instant
  answers_at: Instant
}

function entryOf(row: EntryRow): BankEntry {
  const { key, reference, name, iban, amount, currency, state } = row
  const entry = { key, reference, name, iban, amount, currency, state, reason: row.reason ?? undefined }
  return { ...entry, createdAt: row.created_at, answersAt: row.answers_at }
}

interface BookStatements {
  readonly find: Statement<EntryRow>
  readonly latest: Statement<EntryRow>
  readonly list: Statement<EntryRow>
  readonly move: Statement<{ key: string }>
}

function statementsFor(table: string, name: string): BookStatements {
  const columns = `key, reference, ${name} as name, iban, amount, currency, state, reason, created_at, answers_at`
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

/** The entry of a key. */
export async function findEntry(db: Executor, book: Book, key: string): Promise<BankEntry | undefined> {
  const [row] = await db.run(books[book].find, [key])
  return row && entryOf(row)
}

/** The latest entry for one of the gateway's operations. */
export async function findLatestEntry(
  db: Executor,
  book: Book,
  reference: string,
): Promise<BankEntry | undefined> {
  const [row] = await db.run(books[book].latest, [reference])
  return row && entryOf(row)
}

/** Newest first. */
export async function listEntries(db: Executor, book: Book, limit: number): Promise<BankEntry[]> {
  return (await db.run(books[book].list, [limit])).map(entryOf)
}

/** Moves an entry from one state to another; false when it was not in that state. */
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

const insertDebitRow = statement(`
  insert into sandbox.debits (
    key, reference, merchant_name, debtor_name, iban, mandate_id, amount, currency, state, created_at, answers_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', $9, $10)
  on conflict (key) do nothing`)

/** Writes a debit; a known key changes nothing. */
export async function insertDebit(
  db: Executor,
  debit: NewEntry & { readonly merchantName: string; readonly mandateId: string },
): Promise<void> {
  const { key, reference, merchantName, name, iban, mandateId, amount, currency } = debit
  const times = [toTimestamp(debit.createdAt), toTimestamp(debit.answersAt)]
  await db.run(insertDebitRow, [
    key,
    reference,
    merchantName,
    name,
    iban,
    mandateId,
    amount,
    currency,
    ...times,
  ])
}

const insertTransferRow = statement(`
  insert into sandbox.transfers (key, reference, name, iban, amount, currency, state, created_at, answers_at)
  values ($1, $2, $3, $4, $5, $6, 'waiting', $7, $8)
  on conflict (key) do nothing`)

/** Writes a transfer; a known key changes nothing. */
export async function insertTransfer(db: Executor, transfer: NewEntry): Promise<void> {
  const { key, reference, name, iban, amount, currency, createdAt, answersAt } = transfer
  const times = [toTimestamp(createdAt), toTimestamp(answersAt)]
  await db.run(insertTransferRow, [key, reference, name, iban, amount, currency, ...times])
}
