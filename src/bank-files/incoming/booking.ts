// Booked entries: each answers an order, is a transfer to a wallet, or waits for the operator.
import { cents } from '../../kernel/money.ts'
import { derivedId } from '../../kernel/random.ts'
import type { Instant } from '../../kernel/time.ts'
import type { Executor } from '../../storage/index.ts'
import { type Unconfirmed, unconfirmedOf } from '../by-hand/store.ts'
import { type OrderCharge, postCharges } from '../charges/post.ts'
import { accountCurrency, type OrderAnswer, type StoredOrder } from '../model.ts'
import { sumsOfRefunds } from '../store.ts'
import { possibleDuplicateOf } from './known-lines.ts'
import { type Line, type ReportedEntry, recognize } from './lines.ts'
import type { Transaction } from './messages.ts'
import {
  type BankEntry,
  type BankReport,
  nothingCameIn,
  nothingDistinguishesIt,
  refundedTwiceId,
} from './model.ts'
import { ordersAbout } from './orders-named.ts'
import { isForward, type Meaning, meaningOf } from './rules.ts'
import {
  type AnsweredOrder,
  addEntries,
  answerOrders,
  dropUnsentRefunds,
  ordersOnlyReturned,
  replaceLines,
  type SuspenseAccounts,
} from './store.ts'

const noWallet = 0n
const candidatesShown = 5

export interface Counted {
  readonly answers: readonly AnsweredOrder[]
  readonly unmatched: number
  readonly transfers: number
  readonly repeated: number
}

interface Booked extends Line {
  readonly id: string
  readonly transaction: Transaction
}

function transactionsOf(line: Line): Booked[] {
  const { entryId, entry } = line
  return entry.transactions.map((transaction, index) => ({
    ...line,
    id: derivedId(`${entryId} ${entry.hasDetails ? index : 'whole'}`, 'bank transaction'),
    transaction,
  }))
}

/** Books the entries of a statement or notification. A worker later applies them to orders and transfers. */
export async function bookEntries(
  tx: Executor,
  lines: readonly ReportedEntry[],
  report: BankReport,
  accounts: SuspenseAccounts,
  now: Instant,
): Promise<Counted> {
  const booked = (await recognize(tx, report, lines)).flatMap(transactionsOf)
  const isCompleted = ({ entry, known }: Booked) =>
    entry.hasDetails &&
    known?.entries.every(({ state, hasDetails }) => state === 'UNMATCHED' && !hasDetails) === true
  // A message may contain a line twice, and only one of the two has its transactions.
  const first = new Map(booked.toReversed().map((one) => [one.id, one]))
  const withDetails = new Set(booked.flatMap(({ entryId, entry }) => (entry.hasDetails ? [entryId] : [])))
  const isReported = (one: Booked) =>
    first.get(one.id) !== one || (!one.entry.hasDetails && withDetails.has(one.entryId))
  const fresh = booked.filter((one) => !isReported(one) && (one.known === undefined || isCompleted(one)))
  const completed = fresh.filter(isCompleted).map(({ entryId }) => entryId)
  await replaceLines(tx, accounts, now, completed, `its transactions came with ${report.fileName}`)
  const { about: orders, uncertain } = await ordersAbout(tx, fresh)
  const about = [...orders.values()].flat()
  const returnedOnly = await ordersOnlyReturned(tx, about)
  const byHand = await unconfirmedOf(tx, about)
  const states: OrderStates = new Map(
    about.map((order) => [
      order.id,
      {
        ...order,
        isReturnedOnly: returnedOnly.has(order.id),
        byHand: byHand.get(order.id) ?? [],
        settledCharges: new Set<string>(),
      },
    ]),
  )
  let unmatched = 0
  const made = paidFirst(fresh, orders).flatMap((one): BankEntry[] => {
    const of = { reportId: report.id, createdAt: now }
    const entries = uncertain.has(one)
      ? [{ ...entryOf(one, of), problem: namesSeveral(uncertain.get(one) ?? []) }]
      : entriesOf(one, orders.get(one) ?? [], states, of)
    if (entries.some(({ state }) => state === 'UNMATCHED')) unmatched += 1
    return entries
  })
  const answers = [...states.values()].flatMap(({ newAnswer }) => newAnswer ?? [])
  await answerOrders(tx, answers, now)
  // Orders are answered before this: a refund that came back in the same file does not count as sent.
  const entries = await withoutRefundsSent(tx, made, states)
  await addEntries(tx, entries, accounts, now)
  await postCharges(tx, chargesOf(entries, states), accounts, now)
  const transfers = entries.filter(({ state }) => state === 'TRANSFER').length
  return { answers, unmatched, transfers, repeated: booked.length - fresh.length }
}

/** Payments before returns, because some banks list the newest line first. Settled returns come first. */
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

/** The state of an order. Each entry of the file can change it. */
interface OrderState extends StoredOrder {
  answer?: OrderAnswer | undefined
  /** True if a return is booked, but no payment. */
  isReturnedOnly: boolean
  byHand: readonly Unconfirmed[]
  newAnswer?: AnsweredOrder
  /** A settled return that this file confirms. */
  confirmedReturn?: Unconfirmed
  /** Ids of entries whose charge was posted with a settlement. */
  readonly settledCharges: Set<string>
}

type OrderStates = ReadonlyMap<string, OrderState>

/** Converts a transaction to an entry, or to one for each order of a group. Updates `states`. */
function entriesOf(
  one: Booked,
  about: readonly StoredOrder[],
  states: OrderStates,
  of: Pick<BankEntry, 'reportId' | 'createdAt'>,
): BankEntry[] {
  const entry = entryOf(one, of)
  const { problem } = one.entry
  if (problem !== undefined) return [{ ...entry, problem: withDoubt(problem, one) }]
  if (about.length === 0) return [withoutOrder(entry, one)]
  const isOnly = about.length === 1
  return about.map((order, index) => {
    const { walletId, id: orderId } = order
    const state = states.get(orderId) as OrderState
    const { amount } = isOnly ? one.transaction : order
    const charge = index === 0 ? one.transaction.charge : undefined
    const id = isOnly ? entry.id : derivedId(`${entry.id} ${orderId}`, 'bank entry')
    const isShared = charge !== undefined && !isOnly
    const part = { ...entry, id, amount, charge, ...(isShared && { chargeIsShared: true }) }
    const isSettled = state.byHand.length > 0
    const meaning = meaningOf(state, { amount, charge }, one.entry.direction)
    // This charge is not posted: either the settlement has posted it, or the operator checks the difference.
    if (meaning.kind === 'unmatched')
      return { ...part, ...(isSettled && { charge: undefined }), problem: meaning.problem }
    applyMeaning(state, meaning, part)
    return { ...part, state: 'ORDER', walletId, orderId }
  })
}

/** Each settlement is confirmed once, so a second equal line is unmatched. */
function applyMeaning(
  state: OrderState,
  meaning: Exclude<Meaning, { kind: 'unmatched' }>,
  { id: entryId, returnCode }: Pick<BankEntry, 'id' | 'returnCode'>,
): void {
  const { walletId, id } = state
  if (meaning.kind === 'late') state.isReturnedOnly = false
  else if (meaning.kind === 'answer') {
    state.answer = meaning.answer
    state.newAnswer = { walletId, id, answer: meaning.answer, returnCode }
  } else {
    const { settled } = meaning
    state.byHand = state.byHand.filter((one) => one !== settled)
    if (settled.fee > 0n) state.settledCharges.add(entryId)
    if (settled.answer === 'returned') state.confirmedReturn = settled
    state.isReturnedOnly = settled.answer === 'returned' && (state.isReturnedOnly || settled.isAlone)
  }
}

function chargesOf(entries: readonly BankEntry[], states: OrderStates): OrderCharge[] {
  return entries.flatMap(({ id, charge, chargeIsShared, walletId, orderId = '' }) =>
    charge === undefined || states.get(orderId)?.settledCharges.has(id)
      ? []
      : [{ id, amount: charge, walletId: chargeIsShared === true ? undefined : walletId }],
  )
}

/**
 * A debit comes back with its whole amount, even after refunds. Unsent refunds are deleted. A sent refund
 * becomes an unmatched entry, because the debtor received that amount twice.
 */
async function withoutRefundsSent(
  tx: Executor,
  entries: readonly BankEntry[],
  states: OrderStates,
): Promise<BankEntry[]> {
  const returned = entries.flatMap(({ orderId, direction }) =>
    orderId !== undefined && direction === 'debit' ? [orderId] : [],
  )
  await dropUnsentRefunds(tx, returned)
  const sent = await sumsOfRefunds(tx, returned)
  return entries.flatMap((entry): BankEntry[] => {
    const settled = states.get(entry.orderId ?? '')?.confirmedReturn
    // If the return was settled by hand, the settlement has already subtracted the sent refunds.
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

function entryOf(
  { id, entryId, statementPosition, maybe, entry, transaction }: Booked,
  of: Pick<BankEntry, 'reportId' | 'createdAt'>,
): BankEntry {
  const { servicerReference, direction, bookedOn, code, hasDetails } = entry
  const { amount, endToEndId, party, furtherText, charge } = transaction
  return {
    ...of,
    ...{ id, entryId, statementPosition, servicerReference, direction, bookedOn, code, hasDetails },
    ...{ amount, currency: accountCurrency, endToEndId, party, furtherText, charge },
    walletId: noWallet,
    inDoubt: maybe !== undefined,
    remittance: transaction.text,
    returnCode: transaction.returnReason,
    chargeIsShared: transaction.isShared || undefined,
    state: 'UNMATCHED',
  }
}

function namesSeveral(operationIds: readonly string[]): string {
  const shown = operationIds.slice(0, candidatesShown).join(', ')
  const more = operationIds.length - candidatesShown
  return `it names several orders: ${shown}${more > 0 ? ` and ${more} more` : ''}`
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
  const problem = `${what}, and no order has its reference`
  return { ...entry, problem: booked.hasDetails ? problem : withDoubt(problem, { maybe }) }
}

function withDoubt(problem: string, { maybe }: Pick<Line, 'maybe'>): string {
  return maybe === undefined ? problem : `${problem}; ${possibleDuplicateOf(maybe)}`
}
