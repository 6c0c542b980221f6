// Importing a bank file in one transaction; operations and wallets follow later.
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
import { possibleDuplicateOf } from './known-lines.ts'
import { type Line, type ReportedEntry, recognize } from './lines.ts'
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
  ordersOnlyReturned,
  recordReport,
  refundsSent,
  replaceLines,
  type SuspenseAccounts,
} from './store.ts'

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

const noWallet = 0n
const accountCurrency = 'EUR'

/** Imports a file, which {@link createEntryWorker} then applies. `whenRead` is called before the content is processed. */
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
      return { ok: false, refusal: `the database cannot store a value of the file: ${error.message}` }
    throw error
  }
}

/** Class 22: a value that its column cannot store (PostgreSQL, appendix A). A retry would fail too. */
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
  // A status of the whole file counts once for each order that stays open.
  const total = Math.max(count, unmatched)
  const ofAnswer = (answer: OrderAnswer) => answers.filter((one) => one === answer).length
  return {
    kind,
    format: message.format,
    messageId,
    entries: total,
    matched: total - unmatched - repeated,
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
type StatusReport = AnyStatusReport & { readonly originalId: string }

function statusesIn({ groups, orders }: AnyStatusReport): number {
  return groups.reduce((sum, group) => sum + group.orders.length, orders.length)
}

/** Finds the file by its orders if the report does not name it. */
async function withFile(tx: Executor, message: AnyStatusReport): Promise<StatusReport> {
  const { originalId, orders } = message
  if (originalId !== undefined) return { ...message, originalId }
  const operationIds = orders.flatMap(({ endToEndId }) => withHyphens(endToEndId) ?? [])
  const [id, ...others] = await filesWithOrdersOf(tx, operationIds)
  if (id === undefined || others.length > 0)
    throw new FileRefused('it does not name its file, and its orders belong to no file or to several')
  return { ...message, originalId: messageIdOf({ id }) }
}

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
  // A file may contain several accounts; those of others are ignored.
  if (first !== undefined && others.every((problem) => problem !== undefined))
    throw new FileRefused(others[0] ?? '', first.line)
  return message.accounts.flatMap((account, report) => {
    if (others[report] !== undefined) return []
    if (account.problem !== undefined) throw new FileRefused(account.problem, account.line)
    return account.entries.map((entry) => {
      const statementPosition = JSON.stringify({ id: account.id, day: entry.bookedOn })
      return { fingerprint: fingerprintOf(creditor.iban, entry), statementPosition, report, entry }
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

/** Country code and check digits, which national account numbers lack. */
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

/** The fingerprint of a booked line: the bank's reference, or else its content. */
function fingerprintOf(iban: string, entry: Entry): string {
  const { servicerReference, direction, amount, currency, bookedOn, transactions } = entry
  const own =
    servicerReference === undefined
      ? [
          bookedOn,
          ...transactions.map((one) => [one.endToEndId, String(one.amount), one.party.iban, one.text]),
        ]
      : [servicerReference]
  // Groups of orders stay distinct even if everything else is equal.
  const groups = transactions.flatMap((one) =>
    withHyphens(one.endToEndId ?? '') === undefined
      ? (one.paymentGroupId?.toLowerCase() ?? one.references.filter(isOfFile))
      : [],
  )
  return JSON.stringify([iban, direction, String(amount), currency, ...own, ...groups])
}

/** Whether a name is that of a file or a group; no payer writes one. */
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
  const booked = (await recognize(tx, report, lines)).flatMap(transactionsOf)
  const isCompleted = ({ entry, known }: Booked) =>
    entry.hasDetails &&
    known?.entries.every(({ state, hasDetails }) => state === 'UNMATCHED' && !hasDetails) === true
  // A message may repeat a line, with its transactions in only one of the copies.
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
  const returnedOnly = new Set(await ordersOnlyReturned(tx, about))
  const byHand = await unconfirmedOf(tx, about)
  const known: KnownAnswers = {
    answered: new Map(),
    returnedOnly,
    byHand,
    confirmed: new Map(),
    charged: new Set(),
  }
  let unmatched = 0
  const made = paidFirst(fresh, orders).flatMap((one): BankEntry[] => {
    const entries = entriesOf(one, orders.get(one) ?? [], known, { reportId: report.id, createdAt: now })
    if (entries.some(({ state }) => state === 'UNMATCHED')) unmatched += 1
    return entries
  })
  const answers = [...known.answered.values()]
  await answerOrders(tx, answers, now)
  // After the answers: a refund that came back in the same file has sent nothing.
  const entries = await withoutRefundsSent(tx, made, known)
  await addEntries(tx, entries, accounts, now)
  await postCharges(tx, chargesOf(entries, known), accounts, now)
  return {
    entries,
    unmatched,
    repeated: booked.length - fresh.length,
    answers: answers.map(({ answer }) => answer),
  }
}

/** Payments before returns, because some banks list the newest line first; returns settled by hand come first of all. */
function paidFirst(
  booked: readonly Booked[],
  orders: ReadonlyMap<Booked, readonly StoredOrder[]>,
): readonly Booked[] {
  const rank = (one: Booked) => {
    const back = orders.get(one)?.find(({ kind }) => !isForward(kind, one.entry.direction))
    return back === undefined ? 1 : back.answer === 'returned' ? 0 : 2
  }
  return booked.toSorted((a, b) => rank(a) - rank(b))
}

interface KnownAnswers {
  readonly answered: Map<string, AnsweredOrder>
  /** Orders with a booked return but no booked payment. */
  readonly returnedOnly: Set<string>
  readonly byHand: Map<string, readonly Unconfirmed[]>
  /** Settled returns that this file confirms, by order id. */
  readonly confirmed: Map<string, Unconfirmed>
  /** Entries whose charge was posted with the settlement. */
  readonly charged: Set<string>
}

/** Converts a transaction to an entry, or to one for each order of a group; updates `known`. */
function entriesOf(
  one: Booked,
  about: readonly StoredOrder[],
  known: KnownAnswers,
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
      answer: known.answered.get(orderId)?.answer ?? order.answer,
      isReturnedOnly: known.returnedOnly.has(orderId),
      byHand: known.byHand.get(orderId) ?? [],
    }
    const meaning = meaningOf(asAnswered, { amount, currency, charge }, one.entry.direction)
    const part = {
      ...entry,
      id,
      amount,
      charge,
      ...(charge !== undefined && !isOnly && { chargeIsShared: true }),
    }
    // The settlement already has a charge, or the operator checks the difference.
    const isSettled = asAnswered.byHand.length > 0
    if (meaning.kind === 'unmatched')
      return { ...part, ...(isSettled && { charge: undefined }), problem: meaning.problem }
    const { returnReason: returnCode } = one.transaction
    if (meaning.kind === 'late') known.returnedOnly.delete(orderId)
    else if (meaning.kind === 'confirms') noteConfirmed(known, orderId, meaning.settled)
    else known.answered.set(orderId, { walletId, id: orderId, answer: meaning.answer, returnCode })
    if (meaning.kind === 'confirms' && meaning.settled.fee > 0n) known.charged.add(id)
    return { ...part, state: 'ORDER', walletId, orderId }
  })
}

function chargesOf(entries: readonly BankEntry[], { charged }: KnownAnswers): OrderCharge[] {
  return entries.flatMap(({ id, charge, chargeIsShared, walletId }) =>
    charge === undefined || charged.has(id)
      ? []
      : [{ id, amount: charge, walletId: chargeIsShared === true ? undefined : walletId }],
  )
}

/** Each settlement is confirmed once: a second equal line is unmatched. */
function noteConfirmed(
  { byHand, returnedOnly, confirmed }: KnownAnswers,
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
 * Debits come back with the whole amount, even after refunds. Unsent refunds are dropped; a sent refund becomes an
 * unmatched entry, because the debtor received it twice.
 */
async function withoutRefundsSent(
  tx: Executor,
  entries: readonly BankEntry[],
  { confirmed }: KnownAnswers,
): Promise<BankEntry[]> {
  const returned = entries.flatMap(({ orderId, direction }) =>
    orderId !== undefined && direction === 'debit' ? [orderId] : [],
  )
  await dropUnsentRefunds(tx, returned)
  const sent = await refundsSent(tx, returned)
  return entries.flatMap((entry): BankEntry[] => {
    const settled = confirmed.get(entry.orderId ?? '')
    // A settled return was divided when it was settled.
    const before = settled === undefined ? sent.get(entry.orderId ?? '') : entry.amount - settled.amount
    const twice = entry.direction === 'debit' ? (before ?? 0n) : 0n
    if (twice === 0n) return [entry]
    const { walletId, orderId: _, ...rest } = entry
    const id = refundedTwiceId(entry.id)
    const problem = `the debit was returned after this amount had been refunded by transfer: wallet ${walletId} owes it`
    return [
      { ...entry, amount: cents(entry.amount - twice) },
      {
        ...{ ...rest, walletId: noWallet, id, amount: cents(twice), charge: undefined },
        ...{ state: 'UNMATCHED', problem },
      },
    ]
  })
}

/** The orders of each transaction: one by its reference, or all of a group or file. */
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

/** Operations named by a transaction; our end-to-end reference alone decides if present. */
function operationsNamed({ endToEndId = '', references }: Transaction): string[] {
  const own = withHyphens(endToEndId)
  return own === undefined ? references.flatMap((name) => withHyphens(name) ?? []) : [own]
}

/** The orders of the only named group or file whose sum is the amount of the transaction. */
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

/** The open orders if their sum is the amount; else with those only returned so far, or those settled by hand. */
async function bookedTogether(
  tx: Executor,
  all: readonly StoredOrder[],
  amount: Cents,
): Promise<readonly StoredOrder[]> {
  const open = all.filter(({ answer }) => answer !== 'returned')
  const returnedOnly = await ordersOnlyReturned(tx, all)
  const booked = all.filter((order) => open.includes(order) || returnedOnly.has(order.id))
  const byHand = await unconfirmedOf(tx, all)
  const withSettled = all.filter((order) => booked.includes(order) || byHand.has(order.id))
  return [open, booked, withSettled].find((some) => sumOf(some.map((order) => order.amount)) === amount) ?? []
}

function entryOf(
  { id, entryId, statementPosition, maybe, entry, transaction }: Booked,
  of: Pick<BankEntry, 'reportId' | 'createdAt'>,
): BankEntry {
  const { servicerReference, direction, bookedOn, code, hasDetails } = entry
  const { amount, currency, endToEndId, party, furtherText, charge } = transaction
  return {
    ...of,
    ...{ id, entryId, statementPosition, servicerReference, direction, bookedOn, code, hasDetails },
    ...{ amount, currency, endToEndId, party, furtherText, charge },
    walletId: noWallet,
    inDoubt: maybe !== undefined,
    remittance: transaction.text,
    returnCode: transaction.returnReason,
    chargeIsShared: transaction.isShared || undefined,
    state: 'UNMATCHED',
  }
}

function withoutOrder(entry: BankEntry, { entry: booked, transaction, maybe }: Booked): BankEntry {
  if (booked.direction === 'credit' && transaction.amount === 0n) return { ...entry, problem: nothingCameIn }
  const isReturn = transaction.returnReason !== undefined || booked.isReversal
  if (booked.direction === 'credit' && !isReturn && booked.hasDetails) {
    if (maybe !== undefined) return { ...entry, problem: possibleDuplicateOf(maybe) }
    const isDistinct = booked.bookedOn !== undefined || booked.servicerReference !== undefined
    return isDistinct ? { ...entry, state: 'TRANSFER' } : { ...entry, problem: nothingDistinguishesIt }
  }
  const what = isReturn
    ? 'money was returned or reversed'
    : booked.direction === 'debit'
      ? 'money went out'
      : 'money came in, without its transactions'
  return { ...entry, problem: `${what}, and no order has its reference` }
}

/** A rejection is final; an accepted order is not paid yet. */
async function takeStatus(tx: Executor, message: StatusReport, now: Instant): Promise<Written> {
  const fileId = fileIdOfMessage(message.originalId)
  const file = fileId === undefined ? undefined : await findBankFile(tx, fileId)
  if (file === undefined)
    throw new FileRefused(`it is about the file ${message.originalId}, which was not written here`)
  const orders = await lockOrdersIn(tx, file.id)
  const statuses = statusesByOrder(message, file, orders)
  const open = orders.filter(({ answer }) => answer === undefined)
  const answers = open.flatMap(({ walletId, id }): AnsweredOrder[] => {
    const { status, reasons = [] } = statuses.get(id) ?? {}
    // About a duplicate the bank says nothing of the first order, which may be paid.
    if (!isRefused(status) || reasons.some(isDuplicate)) return []
    return [
      { walletId, id, answer: 'returned', returnCode: reasons.find(({ code }) => code !== undefined)?.code },
    ]
  })
  await answerOrders(tx, answers, now)
  const byHand = await unconfirmedOf(tx, orders)
  const unconfirmed = orders.filter(
    ({ id, answer }) => answer === undefined || (answer === 'paid' && byHand.has(id)),
  )
  const hints = unconfirmed.flatMap(({ walletId, id }) => {
    const { status, reasons = [] } = statuses.get(id) ?? {}
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

interface StatusOfOrder {
  readonly status?: string | undefined
  readonly reasons: readonly StatusReason[]
}

/** The status of each order: its own, else of its group, else of the file. */
function statusesByOrder(
  { status, reasons, groups, orders: named }: StatusReport,
  file: BankFile,
  orders: readonly StoredOrder[],
): Map<string, StatusOfOrder> {
  const statuses = new Map<string, StatusOfOrder>(orders.map(({ id }) => [id, { status, reasons }]))
  const byOperation = new Map(orders.map((order) => [order.operationId, order]))
  const byGroup = new Map(groupsOf(file, orders).map((group) => [group.id, group.orders]))
  for (const { groupId, line, ...group } of groups) {
    if (group.status === undefined) continue
    const ofGroup = byGroup.get(groupId.toLowerCase())
    if (ofGroup === undefined) throw new FileRefused(`${groupId} is no group of the file ${file.name}`, line)
    for (const { id } of ofGroup)
      statuses.set(id, { status: group.status, reasons: [...group.reasons, ...reasons] })
  }
  for (const { orders: ofGroup, reasons: ofAll } of [{ orders: named, reasons: [] }, ...groups])
    for (const one of ofGroup) {
      const order = byOperation.get(withHyphens(one.endToEndId) ?? '')
      if (order === undefined)
        throw new FileRefused(`${one.endToEndId} is no order of the file ${file.name}`, one.line)
      statuses.set(order.id, { status: one.status, reasons: [...one.reasons, ...ofAll, ...reasons] })
    }
  return statuses
}
