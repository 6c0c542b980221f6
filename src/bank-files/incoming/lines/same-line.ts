// Whether a line of a statement and one of a notification are the same, where no reference of the bank says so.
import type { Cents } from '../../../kernel/money.ts'
import { creditorReferencesIn, lettersAndDigitsOf } from '../../../kernel/values/creditor-reference.ts'
import { withHyphens } from '../../groups.ts'
import type { Direction } from '../messages.ts'

/** A transaction as far as two files tell it alike. */
export interface ToldTransaction {
  /** In cents. */
  readonly amount: Cents
  readonly currency: string
  readonly iban?: string | undefined
  readonly endToEndId?: string | undefined
  readonly returnCode?: string | undefined
  readonly text?: string | undefined
}

/** A booked line of our account with its transactions; one without them is never the same as another. */
export interface ToldLine {
  readonly direction: Direction
  readonly bookedOn?: string | undefined
  readonly servicerReference?: string | undefined
  readonly transactions: readonly ToldTransaction[]
}

/**
 * The same day, direction and transactions, of which each has the same amount and other end. Banks write texts differently
 * in their two kinds of files, so that other words alone make no other line; two references of ours do, and so do two of
 * the bank.
 */
export function isSameLine(one: ToldLine, other: ToldLine): boolean {
  if (one.bookedOn === undefined || one.bookedOn !== other.bookedOn || one.direction !== other.direction)
    return false
  // The same one would have made it the same line before this is asked.
  if (one.servicerReference !== undefined && other.servicerReference !== undefined) return false
  const others = inOrder(other)
  return (
    one.transactions.length === others.length &&
    inOrder(one).every((transaction, index) =>
      isSameTransaction(transaction, others[index] as ToldTransaction),
    )
  )
}

/** Whether all texts of two lines are the same in letters and digits. */
export function isInSameWords(one: ToldLine, other: ToldLine): boolean {
  const wordsOf = (line: ToldLine) =>
    inOrder(line)
      .map(({ text }) => folded(text))
      .join('|')
  return wordsOf(one) === wordsOf(other)
}

function inOrder({ transactions }: ToldLine): ToldTransaction[] {
  const keyOf = ({ amount, iban = '', endToEndId = '', text }: ToldTransaction) =>
    [String(amount).padStart(20, '0'), iban, endToEndId, folded(text)].join('|')
  return transactions.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

function isSameTransaction(one: ToldTransaction, other: ToldTransaction): boolean {
  if (one.amount !== other.amount || one.currency !== other.currency) return false
  if (one.returnCode !== other.returnCode) return false
  const ids = [one.endToEndId, other.endToEndId] as const
  const isOrder = ids.some((id) => id !== undefined && withHyphens(id) !== undefined)
  const isGiven = ids.every((id) => id !== undefined)
  if ((isOrder || isGiven) && ids[0] !== ids[1]) return false
  return isOrder || isSameCounterparty(one, other)
}

/** The same IBAN; where a file leaves it out, the same reference of a wallet or the same words. */
function isSameCounterparty(one: ToldTransaction, other: ToldTransaction): boolean {
  const named = creditorReferencesIn(one.text ?? '')
  const otherwise = creditorReferencesIn(other.text ?? '')
  const isShared = [...named].some((reference) => otherwise.has(reference))
  if (named.size > 0 && otherwise.size > 0 && !isShared) return false
  if (one.iban !== undefined && other.iban !== undefined) return one.iban === other.iban
  return isShared || (folded(one.text) !== '' && folded(one.text) === folded(other.text))
}

function folded(text = ''): string {
  return lettersAndDigitsOf(text)
}
