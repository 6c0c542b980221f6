// Importing a file of the bank: whole or not at all, in one transaction; operations and wallets follow afterwards.
import { type Cents, cents, sumOf } from '../../kernel/money.ts'
import { derivedId } from '../../kernel/random.ts'
import { ok, type Result } from '../../kernel/result.ts'
import type { Clock, Instant } from '../../kernel/time.ts'
import type { CreditorAccount } from '../../rails/index.ts'
import type { Database, Executor } from '../../storage/index.ts'
import { type Unconfirmed, unconfirmedOf } from '../by-hand/store.ts'
import { type OrderCharge, postCharges } from '../charges/post.ts'
import { fileIdOfGroup, fileIdOfMessage, groupsOf, messageIdOf, withHyphens } from '../groups.ts'
import type { BankFile, OrderAnswer, StoredOrder } from '../model.ts'
import { FileRefused } from './document.ts'
import { mayStandElsewhere } from './known-lines.ts'
import { type Line, type ReportedEntry, recognise } from './lines.ts'
import type { AccountReport, BankMessage, Entry, StatusReason, Transaction } from './messages.ts'
import {
  type BankEntry,
  type BankReport,
  nothingCameIn,
  nothingDistinguishesIt,
  refundedTwiceId,
} from './model.ts'
import { type ReadFile, readInThread } from './reader.ts'
import { contradictionOf, hintOf, isDuplicate, isForward, isRefused, meaningOf } from './rules.ts'
import {
  type AnsweredOrder,
  addEntries,
  answerOrders,
  dropUnsentRefunds,
  filesWithOrdersOf,
  findBankFile,
  lockImports,
  lockOrdersIn,
  lockOrdersOf,
  noteEntries,
  noteHints,
  ordersBackAlone,
  recordReport,
  refundsSent,
  replaceLines,
  type SuspenseAccounts,
} from './store.ts'

export interface ImportDeps {
  readonly database: Database
  readonly clock: Clock
  /** Whose account the bank speaks of. */
  readonly creditor: Pick<CreditorAccount, 'iban' | 'bic'>
  /** Not for inside a transaction. */
  suspenseAccounts(): Promise<SuspenseAccounts>
}

/** What a file said. */
export interface ImportSummary {
  readonly kind: BankMessage['kind']
  /** Such as `camt.053`. */
  readonly format: string
  readonly messageId: string
  /** Booked transactions of a statement or notification, statuses of orders in a status report. */
  readonly entries: number
  /** Those that answer an order, or put a transfer to a wallet or among those that are nobody's. */
  readonly matched: number
  readonly unmatched: number
  /** Those that were imported before, by this file or another one. */
  readonly repeated: number
  /** Orders that it answers. */
  readonly paid: number
  readonly returned: number
  /** Transfers that arrived. */
  readonly transfers: number
  /** Statements of other accounts, of which nothing was taken. */
  readonly skipped: number
}

/** The gateway's own number among wallets, for entries that answer no order. */
const noWallet = 0n
const accountCurrency = 'EUR'

/**
 * Imports a file of the bank. What follows from it is done by {@link createEntryWorker}.
 *
 * @param name of the file, for people
 * @param file its bytes, or its text
 * @param whenRead called before anything is made of what was read
 * @returns a refusal says what is wrong, with the line; then nothing was changed
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
    if (error instanceof FileRefused) return { ok: false, refusal: error.message }
    if (isDataException(error))
      return { ok: false, refusal: `the database does not take what it says: ${error.message}` }
    throw error
  }
}

/** Class 22: a value that its column cannot hold (PostgreSQL, appendix A). It will not hold it the next time. */
function isDataException(error: unknown): error is Error {
  return error instanceof Error && /^22...$/.test(String((error as { code?: unknown }).code))
}

async function importMessage(
  deps: ImportDeps,
  name: string,
  { id, message }: ReadFile,
): Promise<ImportSummary> {
  const now = deps.clock.now()
  const { kind, id: messageId } = message
  const report = { id, kind, messageId, fileName: name, importedAt: now }
  const lines = message.kind === 'status' ? [] : linesOf(message, deps.creditor)
  const count =
    message.kind === 'status'
      ? statusesIn(message)
      : lines.reduce((sum, { entry }) => sum + entry.transactions.length, 0)
  const accounts = await deps.suspenseAccounts()
  const written = await deps.database.transaction(async (tx) => {
    await lockImports(tx)
    if (!(await recordReport(tx, report))) return undefined
    const taken =
      message.kind === 'status'
        ? await takeStatus(tx, await withFile(tx, message), now)
        : await takeEntries(tx, lines, report, accounts, now)
    await noteEntries(tx, report)
    return taken
  })
  const { entries, repeated, answers, unmatched } = written ?? { ...nothingWritten, repeated: count }
  // A status of the whole file names none of the orders that it leaves open.
  const said = Math.max(count, unmatched)
  const ofAnswer = (answer: OrderAnswer) => answers.filter((one) => one === answer).length
  return {
    kind,
    format: message.format,
    messageId,
    entries: said,
    matched: said - unmatched - repeated,
    unmatched,
    repeated,
    paid: ofAnswer('paid'),
    returned: ofAnswer('returned'),
    transfers: entries.filter(({ state }) => state === 'TRANSFER').length,
    skipped:
      message.kind === 'status'
        ? 0
        : message.accounts.filter((account) => notOurs(account, deps.creditor) !== undefined).length,
  }
}

type AnyStatusReport = Extract<BankMessage, { kind: 'status' }>
/** One of which it is known which file it is about. */
type StatusReport = AnyStatusReport & { readonly originalId: string }

function statusesIn({ groups, orders }: AnyStatusReport): number {
  return groups.reduce((sum, group) => sum + group.orders.length, orders.length)
}

/** A report that does not say which file it is about is about that of its orders. */
async function withFile(tx: Executor, message: AnyStatusReport): Promise<StatusReport> {
  const { originalId, orders } = message
  if (originalId !== undefined) return { ...message, originalId }
  const operationIds = orders.flatMap(({ endToEndId }) => withHyphens(endToEndId) ?? [])
  const [id, ...others] = await filesWithOrdersOf(tx, operationIds)
  if (id === undefined || others.length > 0)
    throw new FileRefused('it does not say which file it is about, and neither do its orders')
  return { ...message, originalId: messageIdOf({ id }) }
}

/** A transaction with the booked line it stands in, and the id under which it counts once. */
interface Booked extends Line {
  readonly id: string
  readonly transaction: Transaction
}

function linesOf(
  message: Extract<BankMessage, { kind: 'statement' | 'notification' }>,
  creditor: ImportDeps['creditor'],
): ReportedEntry[] {
  const others = message.accounts.map((account) => notOurs(account, creditor))
  const [first] = message.accounts
  // Banks may report several accounts in a file; of those that are not ours there is nothing to do.
  if (first !== undefined && others.every((problem) => problem !== undefined))
    throw new FileRefused(others[0] ?? '', first.line)
  return message.accounts.flatMap((account, report) => {
    if (others[report] !== undefined) return []
    if (account.problem !== undefined) throw new FileRefused(account.problem, account.line)
    return account.entries.map((entry) => {
      const place = JSON.stringify({ id: account.id, day: entry.bookedOn })
      return { words: identityOf(creditor.iban, entry), place, report, entry }
    })
  })
}

function transactionsOf(line: Line): Booked[] {
  const { entryId, entry } = line
  return entry.transactions.map((transaction, index) => ({
    ...line,
    id: derivedId(`${entryId} ${entry.hasDetails ? index : 'whole'}`, 'bank transaction'),
    transaction,
  }))
}

const bicLengthWithoutBranch = 8

/** What follows the country and its check digits: how banks number the account at home. */
const countryLength = 4

/** Why a statement is not about our account in euros; undefined if it is. */
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

/** What makes a booked line the same in two files of a kind: the bank's reference, or else all that it says. */
function identityOf(iban: string, entry: Entry): string {
  const { servicerReference, direction, amount, currency, bookedOn, transactions } = entry
  const own =
    servicerReference === undefined
      ? [
          bookedOn,
          ...transactions.map((one) => [one.endToEndId, String(one.amount), one.party.iban, one.text]),
        ]
      : [servicerReference]
  // Two groups or files of orders that were booked as one are two, whatever else is the same.
  const groups = transactions.flatMap((one) =>
    withHyphens(one.endToEndId ?? '') === undefined
      ? (one.paymentGroupId?.toLowerCase() ?? one.references.filter(isOfFile))
      : [],
  )
  return JSON.stringify([iban, direction, String(amount), currency, ...own, ...groups])
}

/** Whether a name is that of a file or a group, which no payer writes. */
function isOfFile(name: string): boolean {
  return fileIdOfMessage(name) !== undefined || name.includes('-')
}

interface Written {
  readonly entries: readonly BankEntry[]
  readonly repeated: number
  readonly unmatched: number
  readonly answers: readonly OrderAnswer[]
}

const nothingWritten: Written = { entries: [], repeated: 0, unmatched: 0, answers: [] }

async function takeEntries(
  tx: Executor,
  lines: readonly ReportedEntry[],
  report: BankReport,
  accounts: SuspenseAccounts,
  now: Instant,
): Promise<Written> {
  const booked = (await recognise(tx, report, lines)).flatMap(transactionsOf)
  const isCompleted = ({ entry, known }: Booked) =>
    entry.hasDetails &&
    known?.entries.every(({ state, hasDetails }) => state === 'UNMATCHED' && !hasDetails) === true
  // A message may repeat a line, and report its transactions in one place only.
  const first = new Map(booked.toReversed().map((one) => [one.id, one]))
  const withDetails = new Set(booked.flatMap(({ entryId, entry }) => (entry.hasDetails ? [entryId] : [])))
  const isReported = (one: Booked) =>
    first.get(one.id) !== one || (!one.entry.hasDetails && withDetails.has(one.entryId))
  const fresh = booked.filter((one) => !isReported(one) && (one.known === undefined || isCompleted(one)))
  await replaceLines(
    tx,
    fresh.filter(isCompleted).map(({ entryId }) => entryId),
    `its transactions came with ${report.fileName}`,
    accounts,
    now,
  )
  const orders = await ordersAbout(tx, fresh)
  const about = [...orders.values()].flat()
  const returnedOnly = new Set(await ordersBackAlone(tx, about))
  const byHand = await unconfirmedOf(tx, about)
  const said: Said = { answered: new Map(), returnedOnly, byHand, confirmed: new Map(), charged: new Set() }
  let unmatched = 0
  const made = paidFirst(fresh, orders).flatMap((one): BankEntry[] => {
    const entries = entriesOf(one, orders.get(one) ?? [], said, { reportId: report.id, createdAt: now })
    if (entries.some(({ state }) => state === 'UNMATCHED')) unmatched += 1
    return entries
  })
  const answers = [...said.answered.values()]
  await answerOrders(tx, answers, now)
  // After the answers: a refund of which the same file says that it came back has sent nothing.
  const entries = await withoutRefundsSent(tx, made, said)
  await addEntries(tx, entries, accounts, now)
  await postCharges(tx, chargesOf(entries, said), accounts, now)
  return {
    entries,
    unmatched,
    repeated: booked.length - fresh.length,
    answers: answers.map(({ answer }) => answer),
  }
}

/**
 * A bank may list what came back above the payment that it came back of: some begin with the newest line. Of an order that
 * was settled as returned, what came back confirms that first.
 */
function paidFirst(
  booked: readonly Booked[],
  orders: ReadonlyMap<Booked, readonly StoredOrder[]>,
): readonly Booked[] {
  const place = (one: Booked) => {
    const back = orders.get(one)?.find(({ kind }) => !isForward(kind, one.entry.direction))
    return back === undefined ? 1 : back.answer === 'returned' ? 0 : 2
  }
  return booked.toSorted((a, b) => place(a) - place(b))
}

/** What files have said of orders by now. */
interface Said {
  readonly answered: Map<string, AnsweredOrder>
  /** Orders of which files before this one booked that they came back, and none that they were paid. */
  readonly returnedOnly: Set<string>
  /** What people have settled by hand, and no file has said. */
  readonly byHand: Map<string, readonly Unconfirmed[]>
  /** Settled returns that this file confirms, by order. */
  readonly confirmed: Map<string, Unconfirmed>
  /** Entries whose charge was booked when their order was settled. */
  readonly charged: Set<string>
}

/** A transaction as entries: one, or one for each order of a group that was booked as one. Notes in `said` what it says. */
function entriesOf(
  one: Booked,
  about: readonly StoredOrder[],
  said: Said,
  of: Pick<BankEntry, 'reportId' | 'createdAt'>,
): BankEntry[] {
  const entry = entryOf(one, of)
  const { problem } = one.entry
  if (problem !== undefined) return [{ ...entry, problem }]
  if (about.length === 0) return [withoutOrder(entry, one)]
  return about.map((order, index) => {
    const isOnly = about.length === 1
    const { amount, currency } = isOnly ? one.transaction : order
    const charge = index === 0 ? one.transaction.charge : undefined
    const id = isOnly ? entry.id : derivedId(`${entry.id} ${order.id}`, 'bank entry')
    const { walletId, id: orderId } = order
    const asAnswered = {
      ...order,
      answer: said.answered.get(orderId)?.answer ?? order.answer,
      isReturnedOnly: said.returnedOnly.has(orderId),
      byHand: said.byHand.get(orderId) ?? [],
    }
    const meaning = meaningOf(asAnswered, { amount, currency, charge }, one.entry.direction)
    const part = {
      ...entry,
      id,
      amount,
      charge,
      ...(charge !== undefined && !isOnly && { chargeIsShared: true }),
    }
    // What was settled by hand has its charge, or the operator looks at it.
    const isSettled = asAnswered.byHand.length > 0
    if (meaning.kind === 'unmatched')
      return { ...part, ...(isSettled && { charge: undefined }), problem: meaning.problem }
    const { returnReason: returnCode } = one.transaction
    if (meaning.kind === 'late') said.returnedOnly.delete(orderId)
    else if (meaning.kind === 'confirms') noteConfirmed(said, orderId, meaning.settled)
    else said.answered.set(orderId, { walletId, id: orderId, answer: meaning.answer, returnCode })
    if (meaning.kind === 'confirms' && meaning.settled.fee > 0n) said.charged.add(id)
    return { ...part, state: 'ORDER', walletId, orderId }
  })
}

/** What the bank charged within entries, for whose orders, but for what was booked when they were settled by hand. */
function chargesOf(entries: readonly BankEntry[], { charged }: Said): OrderCharge[] {
  return entries.flatMap(({ id, charge, chargeIsShared, walletId }) =>
    charge === undefined || charged.has(id)
      ? []
      : [{ id, amount: charge, walletId: chargeIsShared === true ? undefined : walletId }],
  )
}

/** A settlement is confirmed once: a second line that says the same is one too many. */
function noteConfirmed(
  { byHand, returnedOnly, confirmed }: Said,
  orderId: string,
  settled: Unconfirmed,
): void {
  byHand.set(orderId, byHand.get(orderId)?.filter((one) => one !== settled) ?? [])
  if (settled.answer === 'paid') returnedOnly.delete(orderId)
  else {
    confirmed.set(orderId, settled)
    if (settled.isAlone) returnedOnly.add(orderId)
  }
}

/**
 * Debits come back whole, whatever was refunded of them before. A refund that is in no file yet goes into none: it is a
 * part of what came back. What a refund has sent, or is sending, the debtor has twice: the operator is to know.
 */
async function withoutRefundsSent(
  tx: Executor,
  entries: readonly BankEntry[],
  { confirmed }: Said,
): Promise<BankEntry[]> {
  const cameBack = entries.flatMap(({ orderId, direction }) =>
    orderId !== undefined && direction === 'debit' ? [orderId] : [],
  )
  await dropUnsentRefunds(tx, cameBack)
  const sent = await refundsSent(tx, cameBack)
  return entries.flatMap((entry): BankEntry[] => {
    const settled = confirmed.get(entry.orderId ?? '')
    // As it was divided when it was settled by hand.
    const before = settled === undefined ? sent.get(entry.orderId ?? '') : entry.amount - settled.amount
    const twice = entry.direction === 'debit' ? (before ?? 0n) : 0n
    if (twice === 0n) return [entry]
    const { walletId, orderId: _, ...rest } = entry
    const id = refundedTwiceId(entry.id)
    const problem = `the debit came back whole, though this much had been refunded by transfer: wallet ${walletId} owes it`
    return [
      { ...entry, amount: cents(entry.amount - twice) },
      {
        ...rest,
        walletId: noWallet,
        id,
        amount: cents(twice),
        charge: undefined,
        state: 'UNMATCHED',
        problem,
      },
    ]
  })
}

/** The orders that each transaction is about: one by its reference, or all of a group or file that was booked as one. */
async function ordersAbout(
  tx: Executor,
  booked: readonly Booked[],
): Promise<ReadonlyMap<Booked, readonly StoredOrder[]>> {
  const clear = booked.filter(({ entry }) => entry.problem === undefined)
  const operationIds = clear.flatMap(({ transaction }) => operationsNamed(transaction))
  const byOperation = Map.groupBy(await lockOrdersOf(tx, operationIds), ({ operationId }) => operationId)
  const about = new Map<Booked, readonly StoredOrder[]>()
  for (const one of clear) {
    const { transaction } = one
    const named = operationsNamed(transaction).filter((id) => byOperation.has(id))
    const isNamed = withHyphens(transaction.endToEndId ?? '') !== undefined
    if (named.length > 0 || isNamed)
      about.set(one, (named.length === 1 && byOperation.get(named[0] ?? '')) || [])
    else about.set(one, await ordersTogether(tx, transaction))
  }
  return about
}

/** The operations whose orders a transaction may be about: its end-to-end reference says so alone, if it is one of ours. */
function operationsNamed({ endToEndId = '', references }: Transaction): string[] {
  const own = withHyphens(endToEndId)
  return own === undefined ? references.flatMap((name) => withHyphens(name) ?? []) : [own]
}

/** The orders of the one group, or file, that a transaction names and that makes up its amount; none otherwise. */
async function ordersTogether(
  tx: Executor,
  { paymentGroupId, references, amount }: Transaction,
): Promise<readonly StoredOrder[]> {
  const names = new Set([paymentGroupId?.toLowerCase() ?? [], references].flat())
  const found = new Map<string, readonly StoredOrder[]>()
  for (const name of names) {
    const fileId = fileIdOfMessage(name) ?? fileIdOfGroup(name)
    const file = fileId === undefined ? undefined : await findBankFile(tx, fileId)
    if (file === undefined) continue
    const all = await lockOrdersIn(tx, file.id)
    const groups = groupsOf(file, all).filter(({ id }) => id === name || fileIdOfMessage(name) !== undefined)
    for (const { id, orders } of groups) {
      const booked = await bookedTogether(tx, orders, amount)
      if (booked.length > 0) found.set(id, booked)
    }
    if (groups.length < 2) continue
    const booked = await bookedTogether(tx, all, amount)
    if (booked.length > 0) found.set(name, booked)
  }
  const [only, ...others] = found.values()
  return only !== undefined && others.length === 0 ? only : []
}

/**
 * Those that were not refused before, where they make up the amount, or do with those of which files reported first
 * that they came back, or with those that were settled by hand; none otherwise.
 */
async function bookedTogether(
  tx: Executor,
  all: readonly StoredOrder[],
  amount: Cents,
): Promise<readonly StoredOrder[]> {
  const open = all.filter(({ answer }) => answer !== 'returned')
  const returnedOnly = await ordersBackAlone(tx, all)
  const booked = all.filter((order) => open.includes(order) || returnedOnly.has(order.id))
  const byHand = await unconfirmedOf(tx, all)
  const withSettled = all.filter((order) => booked.includes(order) || byHand.has(order.id))
  return [open, booked, withSettled].find((some) => sumOf(some.map((order) => order.amount)) === amount) ?? []
}

function entryOf(
  { id, entryId, place, maybe, entry, transaction }: Booked,
  of: Pick<BankEntry, 'reportId' | 'createdAt'>,
): BankEntry {
  const { servicerReference, direction, bookedOn, code, hasDetails } = entry
  const { amount, currency, endToEndId, party, text: remittance, furtherText, charge, isShared } = transaction
  return {
    ...of,
    ...{
      walletId: noWallet,
      id,
      entryId,
      place,
      inDoubt: maybe !== undefined,
      hasDetails,
      servicerReference,
      direction,
      bookedOn,
      code,
    },
    ...{ amount, currency, endToEndId, party, remittance, furtherText, returnCode: transaction.returnReason },
    ...{ charge, chargeIsShared: isShared || undefined },
    state: 'UNMATCHED',
  }
}

/** Money that arrived without a reference of ours is a transfer; what went out without one is the operator's to explain. */
function withoutOrder(entry: BankEntry, { entry: booked, transaction, maybe }: Booked): BankEntry {
  if (booked.direction === 'credit' && transaction.amount === 0n) return { ...entry, problem: nothingCameIn }
  const cameBack = transaction.returnReason !== undefined || booked.isReversal
  if (booked.direction === 'credit' && !cameBack && booked.hasDetails) {
    if (maybe !== undefined) return { ...entry, problem: mayStandElsewhere(maybe) }
    const isKnownAgain = booked.bookedOn !== undefined || booked.servicerReference !== undefined
    return isKnownAgain ? { ...entry, state: 'TRANSFER' } : { ...entry, problem: nothingDistinguishesIt }
  }
  const what = cameBack
    ? 'money came back, or was taken back'
    : booked.direction === 'debit'
      ? 'money went out'
      : 'money came in, without its transactions'
  return { ...entry, problem: `${what}, and no order of ours carries its reference` }
}

/** A refusal is final; that the bank accepts an order is no money yet. */
async function takeStatus(tx: Executor, message: StatusReport, now: Instant): Promise<Written> {
  const fileId = fileIdOfMessage(message.originalId)
  const file = fileId === undefined ? undefined : await findBankFile(tx, fileId)
  if (file === undefined)
    throw new FileRefused(`it is about the file ${message.originalId}, which was not written here`)
  const orders = await lockOrdersIn(tx, file.id)
  const words = wordsOn(message, file, orders)
  const open = orders.filter(({ answer }) => answer === undefined)
  const answers = open.flatMap(({ walletId, id }): AnsweredOrder[] => {
    const { status, reasons = [] } = words.get(id) ?? {}
    // Of a duplicate the bank says nothing about the first one: its money may have gone.
    if (!isRefused(status) || reasons.some(isDuplicate)) return []
    return [
      { walletId, id, answer: 'returned', returnCode: reasons.find(({ code }) => code !== undefined)?.code },
    ]
  })
  await answerOrders(tx, answers, now)
  const byHand = await unconfirmedOf(tx, orders)
  const unsure = orders.filter(
    ({ id, answer }) => answer === undefined || (answer === 'paid' && byHand.has(id)),
  )
  const hints = unsure.flatMap(({ walletId, id }) => {
    const { status, reasons = [] } = words.get(id) ?? {}
    const [settled] = byHand.get(id) ?? []
    const hint =
      settled === undefined
        ? hintOf(status, reasons, message.unnamed)
        : contradictionOf(settled, status, reasons)
    return hint === undefined ? [] : [{ wallet_id: walletId, id, hint }]
  })
  await noteHints(tx, hints)
  return { ...nothingWritten, unmatched: hints.length, answers: answers.map(({ answer }) => answer) }
}

/** A status with its reasons, nearest first: of the order, of its group, of the file. */
interface Word {
  readonly status?: string | undefined
  readonly reasons: readonly StatusReason[]
}

/** What a status report says of each order: of the order itself, else of its group, else of the file. */
function wordsOn(
  { status, reasons, groups, orders: named }: StatusReport,
  file: BankFile,
  orders: readonly StoredOrder[],
): Map<string, Word> {
  const words = new Map<string, Word>(orders.map(({ id }) => [id, { status, reasons }]))
  const byOperation = new Map(orders.map((order) => [order.operationId, order]))
  const byGroup = new Map(groupsOf(file, orders).map((group) => [group.id, group.orders]))
  for (const { groupId, line, ...group } of groups) {
    if (group.status === undefined) continue
    const ofGroup = byGroup.get(groupId.toLowerCase())
    if (ofGroup === undefined) throw new FileRefused(`${groupId} is no group of the file ${file.name}`, line)
    for (const { id } of ofGroup)
      words.set(id, { status: group.status, reasons: [...group.reasons, ...reasons] })
  }
  for (const { orders: ofGroup, reasons: ofAll } of [{ orders: named, reasons: [] }, ...groups])
    for (const one of ofGroup) {
      const order = byOperation.get(withHyphens(one.endToEndId) ?? '')
      if (order === undefined)
        throw new FileRefused(`${one.endToEndId} is no order of the file ${file.name}`, one.line)
      words.set(order.id, { status: one.status, reasons: [...one.reasons, ...ofAll, ...reasons] })
    }
  return words
}
