// Bank charges that explain the difference between an entry and its transactions.
import { type Cents, cents, sumOf } from '../../kernel/money.ts'
import { accountCurrency } from '../model.ts'

export interface Charge {
  readonly amount: Cents
  readonly currency: string
  readonly isCredited?: boolean
}

interface ChargedPart {
  readonly amount: Cents
  readonly charges: readonly Charge[]
}

interface ChargedEntry extends ChargedPart {
  readonly direction: 'credit' | 'debit'
}

/** Adds stated charges to the transactions. Undefined unless they explain the difference exactly. */
export function withCharges<T extends ChargedPart>(
  { direction, amount, charges }: ChargedEntry,
  transactions: readonly T[],
): (T & { readonly charge?: Cents | undefined; readonly isShared?: boolean })[] | undefined {
  const total = sumOf(transactions.map((one) => one.amount))
  // Charges reduce incoming money and increase outgoing money.
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

/** Adds charges up; credited ones count as negative. Undefined if one has another currency. */
function costOf(charges: readonly Charge[]): Cents | undefined {
  if (charges.some(({ currency }) => currency !== accountCurrency)) return undefined
  return sumOf(charges.map(({ amount, isCredited }) => cents(isCredited ? -amount : amount)))
}
