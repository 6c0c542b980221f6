// What a bank charged within an entry: the difference to its transactions, where the bank says so to the cent.
import { type Cents, cents, sumOf } from '../../kernel/money.ts'

/** What the bank charged for an entry or a transaction, as far as it says. */
export interface Charge {
  readonly amount: Cents
  readonly currency: string
  readonly direction?: 'credit' | 'debit' | undefined
  /** Whether the amount of the entry or transaction includes it; undefined: not said. */
  readonly isIncluded?: boolean | undefined
}

interface ChargedPart {
  readonly amount: Cents
  readonly charges: readonly Charge[]
}

interface ChargedEntry extends ChargedPart {
  readonly direction: 'credit' | 'debit'
}

const accountCurrency = 'EUR'

/**
 * The transactions of an entry over another amount than theirs, with what the bank charged beside them; undefined if no
 * charges that it states explain the difference exactly. A bank may state them for the entry, for its transactions, or for
 * both; what is stated for several at once `isShared`.
 */
export function withCharges<T extends ChargedPart>(
  { direction, amount, charges }: ChargedEntry,
  transactions: readonly T[],
): (T & { readonly charge?: Cents | undefined; readonly isShared?: boolean })[] | undefined {
  const total = sumOf(transactions.map((one) => one.amount))
  // Of money in less arrives, of money out more leaves.
  const cost = direction === 'debit' ? amount - total : total - amount
  if (cost <= 0n) return undefined
  const each = transactions.map((one) => costOf(one.charges))
  if (each.every((one) => one !== undefined && one >= 0n) && sumOf(each as Cents[]) === cost)
    return transactions.map((one, index) => ({ ...one, charge: each[index] || undefined }))
  const stated = [...charges, ...transactions.flatMap((one) => one.charges)]
  if (![costOf(charges), costOf(stated)].includes(cents(cost))) return undefined
  const isShared = transactions.length > 1
  return transactions.map((one, index) => (index === 0 ? { ...one, charge: cents(cost), isShared } : one))
}

/** In cents; a charge that is credited was given back. Undefined if there is one in another currency. */
function costOf(charges: readonly Charge[]): Cents | undefined {
  if (charges.some(({ currency }) => currency !== accountCurrency)) return undefined
  return sumOf(charges.map(({ amount, direction }) => cents(direction === 'credit' ? -amount : amount)))
}
