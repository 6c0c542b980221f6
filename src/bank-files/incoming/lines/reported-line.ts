// A booked line as two kinds of files report it: whether the two are one, and how surely (decision 0205).
import { type Cents, sumOf } from '../../../kernel/money.ts'
import { creditorReferencesIn, lettersAndDigitsOf } from '../../../kernel/values/creditor-reference.ts'
import { withHyphens } from '../../groups.ts'
import type { Direction, Entry } from '../messages.ts'
import { type BankEntry, refundedTwiceId } from '../model.ts'
import { pairsAmong } from './pairs.ts'

/** A transaction as far as two files report it alike. */
export interface ReportedTransaction {
  /** In cents. */
  readonly amount: Cents
  readonly currency: string
  readonly iban?: string | undefined
  readonly endToEndId?: string | undefined
  readonly returnCode?: string | undefined
  readonly text?: string | undefined
}

/** A booked line of our account with its transactions; one without them is never the same as another. */
export interface ReportedLine {
  readonly direction: Direction
  readonly bookedOn?: string | undefined
  readonly servicerReference?: string | undefined
  readonly transactions: readonly ReportedTransaction[]
}

/** A transaction with what its text and other end are compared by. */
export interface PreparedTransaction extends ReportedTransaction {
  readonly words: string
  readonly named: ReadonlySet<string>
  /** Whether the reference is that of an order of ours. */
  readonly isOrder: boolean
}

export interface PreparedLine extends ReportedLine {
  readonly id: string
  readonly sumKey: string
  readonly words: string
  /** References of wallets and of whoever ordered it. */
  readonly references: ReadonlySet<string>
  /** In an order that follows from what is in them. */
  readonly transactions: readonly PreparedTransaction[]
}

/** Lines by their ids, as they are compared. */
export function prepared(lines: ReadonlyMap<string, ReportedLine>): PreparedLine[] {
  return [...lines].map(([id, line]) => {
    const transactions = line.transactions.map(preparedTransaction).toSorted(inOrder)
    const { bookedOn, direction } = line
    return {
      ...line,
      id,
      transactions,
      sumKey: `${bookedOn} ${direction} ${sumOf(transactions.map(({ amount }) => amount))}`,
      words: transactions.map(({ words }) => words).join('|'),
      references: new Set(
        transactions.flatMap(({ named, endToEndId }) => [
          ...named,
          ...(endToEndId === undefined ? [] : [`order ${endToEndId}`]),
        ]),
      ),
    }
  })
}

function preparedTransaction(transaction: ReportedTransaction): PreparedTransaction {
  const { iban, endToEndId, text = '' } = transaction
  return {
    ...transaction,
    // Some write it in groups of four.
    iban: iban === undefined ? undefined : lettersAndDigitsOf(iban),
    words: lettersAndDigitsOf(text),
    named: creditorReferencesIn(text),
    isOrder: isOrder(endToEndId),
  }
}

function inOrder(one: PreparedTransaction, other: PreparedTransaction): number {
  const keyOf = ({ amount, iban = '', endToEndId = '', words }: PreparedTransaction) =>
    [String(amount).padStart(20, '0'), iban, endToEndId, words].join('|')
  return keyOf(one) < keyOf(other) ? -1 : 1
}

/**
 * How surely two lines are the same, 0 surest: in the same letters and digits, with a reference in common, or neither;
 * undefined where they are two.
 */
export function rankOf(one: PreparedLine, other: PreparedLine): number | undefined {
  return isSameLine(one, other) ? likenessOf(one, other) : undefined
}

/** Above it, transactions of two lines are compared in order only. */
const comparedTransactionsMax = 200

/**
 * The same day, direction and transactions, of which each has the same amount and other end. Banks write texts differently
 * in their two kinds of files, so that other words alone make no other line; two references of ours do, and so do two of
 * the bank.
 */
function isSameLine(one: PreparedLine, other: PreparedLine): boolean {
  if (one.bookedOn === undefined || one.bookedOn !== other.bookedOn || one.direction !== other.direction)
    return false
  // The same one would have made it the same line before this is asked.
  if (one.servicerReference !== undefined && other.servicerReference !== undefined) return false
  return arePaired(one, other, isSameTransaction)
}

/** Whether each transaction of a line is another one of the other line. */
function arePaired(
  one: PreparedLine,
  other: PreparedLine,
  isSame: (one: PreparedTransaction, other: PreparedTransaction) => boolean,
): boolean {
  const { length } = one.transactions
  if (length !== other.transactions.length) return false
  const areAlike = one.transactions.every((transaction, index) =>
    isSame(transaction, other.transactions[index] as PreparedTransaction),
  )
  if (areAlike || length === 1 || length > comparedTransactionsMax) return areAlike
  // Other words, or an IBAN that one of them leaves out, make another order.
  const possible = one.transactions.flatMap((transaction, first) =>
    other.transactions.flatMap((candidate, second) =>
      isSame(transaction, candidate) ? [{ first, second, rank: 0 }] : [],
    ),
  )
  return pairsAmong(possible).length === length
}

/**
 * Whether two lines under one reference of the bank, in which direction and amount are the same, are one: `another` where
 * who ordered them says that they are two, `doubtful` where accounts, wallets or amounts within them differ. What only one
 * of them reports contradicts nothing.
 */
export function contradictionOf(one: PreparedLine, other: PreparedLine): 'none' | 'doubtful' | 'another' {
  if (one.transactions.length !== other.transactions.length) return 'none'
  if (!arePaired(one, other, isOrderedAlike)) return 'another'
  const isNotOther = (first: PreparedTransaction, second: PreparedTransaction) =>
    isOrderedAlike(first, second) && ((first.isOrder && second.isOrder) || !areApart(first, second))
  return arePaired(one, other, isNotOther) ? 'none' : 'doubtful'
}

function isOrderedAlike(
  { endToEndId }: PreparedTransaction,
  { endToEndId: other }: PreparedTransaction,
): boolean {
  return endToEndId === undefined || other === undefined || endToEndId === other
}

function areApart(one: PreparedTransaction, other: PreparedTransaction): boolean {
  if (one.amount !== other.amount) return true
  if (one.iban !== undefined && other.iban !== undefined && one.iban !== other.iban) return true
  return one.named.size > 0 && other.named.size > 0 && one.named.isDisjointFrom(other.named)
}

/** How surely two lines that nothing contradicts are the same, 0 surest. */
export function likenessOf(one: PreparedLine, other: PreparedLine): number {
  if (one.words === other.words) return 0
  return one.references.isDisjointFrom(other.references) ? 2 : 1
}

function isSameTransaction(one: PreparedTransaction, other: PreparedTransaction): boolean {
  if (one.amount !== other.amount || one.currency !== other.currency) return false
  // An order of ours goes once, and comes back once.
  if (one.isOrder || other.isOrder) return one.endToEndId === other.endToEndId
  if (one.returnCode !== other.returnCode) return false
  const isGiven = one.endToEndId !== undefined && other.endToEndId !== undefined
  if (isGiven && one.endToEndId !== other.endToEndId) return false
  return isSameCounterparty(one, other)
}

/** The same IBAN; where a file leaves it out, the same reference of a wallet or the same words. */
function isSameCounterparty(one: PreparedTransaction, other: PreparedTransaction): boolean {
  const isKnown = one.iban !== undefined && other.iban !== undefined
  if (isKnown && one.iban !== other.iban) return false
  const isShared = !one.named.isDisjointFrom(other.named)
  if (one.named.size > 0 && other.named.size > 0 && !isShared) return false
  return isKnown || isShared || (one.words !== '' && one.words === other.words)
}

export function isOrder(endToEndId: string | undefined): boolean {
  return withHyphens(endToEndId ?? '') !== undefined
}

/** As a file reports it. */
export function reportedLineOf({
  direction,
  bookedOn,
  servicerReference,
  transactions,
}: Entry): ReportedLine {
  return {
    ...{ direction, bookedOn, servicerReference },
    transactions: transactions.map(({ amount, currency, party, endToEndId, returnReason, text }) => ({
      ...{ amount, currency, iban: party.iban, endToEndId, returnCode: returnReason, text },
    })),
  }
}

/** As entries report them, by line; without groups of orders. */
export function reportedLinesOf(entries: readonly BankEntry[]): Map<string, ReportedLine> {
  const lines = new Map<string, ReportedLine>()
  for (const [entryId, ofLine] of Map.groupBy(wholeAgain(entries), (entry) => entry.entryId)) {
    const [first] = ofLine
    if (first === undefined || ofLine.some((one) => one.orderId !== undefined && !isOrder(one.endToEndId)))
      continue
    const { direction, bookedOn, servicerReference } = first
    lines.set(entryId, {
      ...{ direction, bookedOn, servicerReference },
      transactions: ofLine.map(({ amount, currency, party, endToEndId, returnCode, remittance: text }) => ({
        ...{ amount, currency, iban: party.iban, endToEndId, returnCode, text },
      })),
    })
  }
  return lines
}

/** Transactions as the bank reported them: what had been refunded before stands in an entry of its own. */
function wholeAgain(entries: readonly BankEntry[]): BankEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const parts = new Map(
    entries.flatMap(({ id }) => byId.get(refundedTwiceId(id)) ?? []).map((part) => [part.id, part]),
  )
  return entries.flatMap((entry): BankEntry[] => {
    if (parts.has(entry.id)) return []
    const part = parts.get(refundedTwiceId(entry.id))
    return [part === undefined ? entry : { ...entry, amount: sumOf([entry.amount, part.amount]) }]
  })
}
