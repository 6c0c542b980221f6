// Imports a bank file in one transaction. A worker applies it to operations and wallets afterwards.
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { ok, type Result } from '../../kernel/result.ts'
import type { Clock } from '../../kernel/time.ts'
import type { CreditorAccount } from '../../rails/index.ts'
import type { Database } from '../../storage/index.ts'
import { accountCurrency, type OrderAnswer } from '../model.ts'
import { bookEntries } from './booking.ts'
import { FileRefused } from './document.ts'
import { fingerprintOf, type ReportedEntry } from './lines.ts'
import type { AccountReport, BankMessage, BookingReport, Entry } from './messages.ts'
import { type ReadFile, readInThread } from './reader.ts'
import { namedOrders, takeStatus } from './status.ts'
import { lockImports, noteEntries, recordReport, type SuspenseAccounts } from './store.ts'

export interface ImportDeps {
  readonly database: Database
  readonly clock: Clock
  readonly creditor: Pick<CreditorAccount, 'iban' | 'bic'>
  /** Must not be called in a transaction. */
  suspenseAccounts(): Promise<SuspenseAccounts>
}

export interface ImportSummary {
  readonly kind: BankMessage['kind']
  readonly format: string
  readonly messageId: string
  readonly entries: number
  readonly matched: number
  readonly unmatched: number
  readonly repeated: number
  readonly paid: number
  readonly returned: number
  readonly transfers: number
  readonly skipped: number
}

const bytesPerMebibyte = 1024 * 1024
const fileSizeMaxMiB = 64

/** Imports a file from the disk, like {@link importBankFile}. */
export async function importFileAt(
  deps: ImportDeps,
  path: string,
  whenRead?: () => Promise<void>,
): Promise<Result<ImportSummary, string>> {
  let bytes: Buffer
  try {
    const { size } = await stat(path)
    if (size > fileSizeMaxMiB * bytesPerMebibyte)
      return refused(`it has ${size} bytes; at most ${fileSizeMaxMiB} MiB are allowed`)
    bytes = await readFile(path)
  } catch (error) {
    return refused(`it cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`)
  }
  return importBankFile(deps, basename(path), bytes, whenRead)
}

function refused(refusal: string): Result<never, string> {
  return { ok: false, refusal }
}

/**
 * Imports a file, which a worker applies. Calls `whenRead` between read and import. Refusals change nothing.
 */
export async function importBankFile(
  deps: ImportDeps,
  name: string,
  file: string | Uint8Array,
  whenRead?: () => Promise<void>,
): Promise<Result<ImportSummary, string>> {
  try {
    const read = await readInThread(file)
    await whenRead?.()
    return ok(await importMessage(deps, name, read))
  } catch (error) {
    if (error instanceof FileRefused) return refused(error.message)
    if (isDataException(error))
      return refused(`the database cannot store a value of the file: ${error.message}`)
    throw error
  }
}

/** SQL state class 22: a column cannot store the value (PostgreSQL, appendix A). A retry is useless. */
function isDataException(error: unknown): error is Error {
  return error instanceof Error && /^22...$/.test(String((error as { code?: unknown }).code))
}

async function importMessage(
  deps: ImportDeps,
  name: string,
  { id, message }: ReadFile,
): Promise<ImportSummary> {
  const now = deps.clock.now()
  const { kind, id: messageId, format } = message
  const report = { id, kind, messageId, fileName: name, importedAt: now }
  const { lines, skipped } =
    message.kind === 'status' ? { lines: [], skipped: 0 } : linesOf(message, deps.creditor)
  const named = message.kind === 'status' ? namedOrders(message).length : transactionsIn(lines)
  const nothing = { answers: [], hinted: 0, notices: [] }
  const accounts = await deps.suspenseAccounts()
  const counted = await deps.database.transaction(async (tx) => {
    await lockImports(tx)
    if (!(await recordReport(tx, report))) return { answers: [], unmatched: 0, transfers: 0, repeated: named }
    const status = message.kind === 'status' ? await takeStatus(tx, message, now) : nothing
    const about = (message.kind === 'status' && message.originalId) || messageId
    const notices = status.notices.map((entry) => reported(deps.creditor, about, 0, entry))
    const booked = await bookEntries(tx, [...lines, ...notices], report, accounts, now)
    await noteEntries(tx, report)
    const answers = [...status.answers, ...booked.answers]
    return { ...booked, answers, unmatched: status.hinted + booked.unmatched }
  })
  const { answers, unmatched, transfers, repeated } = counted
  // A status of a whole file or group counts once for each of its orders.
  const ofStatus = message.kind === 'status' ? answers.length + unmatched + repeated : 0
  const entries = Math.max(named, ofStatus)
  const answered = (answer: OrderAnswer) => answers.filter((one) => one.answer === answer).length
  return {
    ...{ kind, format, messageId, entries, matched: entries - unmatched - repeated, unmatched, repeated },
    ...{ paid: answered('paid'), returned: answered('returned'), transfers, skipped },
  }
}

/** The lines of our account. The lines of other accounts in the file are skipped. */
function linesOf(
  { accounts }: BookingReport,
  creditor: ImportDeps['creditor'],
): { readonly lines: readonly ReportedEntry[]; readonly skipped: number } {
  const others = accounts.map((account) => notOurs(account, creditor))
  const skipped = others.filter((problem) => problem !== undefined).length
  if (skipped === accounts.length) throw new FileRefused(others[0] ?? '', accounts[0]?.line)
  const lines = accounts.flatMap(({ id, entries }, report) =>
    others[report] === undefined ? entries.map((entry) => reported(creditor, id, report, entry)) : [],
  )
  return { lines, skipped }
}

function reported({ iban }: ImportDeps['creditor'], id: string, report: number, entry: Entry): ReportedEntry {
  const statementPosition = JSON.stringify({ id, day: entry.bookedOn })
  const plainFingerprint = fingerprintOf(iban, { ...entry, servicerReference: undefined })
  return { fingerprint: fingerprintOf(iban, entry), plainFingerprint, statementPosition, report, entry }
}

function transactionsIn(lines: readonly ReportedEntry[]): number {
  return lines.reduce((sum, { entry }) => sum + entry.transactions.length, 0)
}

const bicLengthWithoutBranch = 8

/** Length of country code and check digits, which national account numbers do not have. */
const countryLength = 4

function notOurs(
  { iban, bic, currency }: AccountReport,
  creditor: ImportDeps['creditor'],
): string | undefined {
  if (iban !== creditor.iban && iban !== creditor.iban.slice(countryLength))
    return `it is about the account ${iban ?? 'without a number'}, ours is ${creditor.iban}`
  if (currency !== undefined && currency !== accountCurrency)
    return `the account is in ${currency}, ours is in ${accountCurrency}`
  const bank = creditor.bic.slice(0, bicLengthWithoutBranch)
  return bic === undefined || bic.slice(0, bicLengthWithoutBranch).toUpperCase() === bank.toUpperCase()
    ? undefined
    : `it comes from the bank ${bic}, ours is ${creditor.bic}`
}
