// Taking money into suspense: from the clearing account of its rail, once for each payment.
import type { Cents } from '../kernel/money.ts'
import { derivedId, newId } from '../kernel/random.ts'
import type { Instant } from '../kernel/time.ts'
import { type AccountName, clearingOf, gatewayWalletId, type PostingRow, suspense } from '../ledger/index.ts'
import type { SuspenseDeps } from './deps.ts'
import type { SuspenseEntry } from './model.ts'
import { insertSuspense } from './store.ts'

/** A payment that a rail took, and with which nothing was paid. */
export interface HeldPayment {
  readonly method: SuspenseEntry['method']
  /** The provider's (a UUID). */
  readonly paymentId: string
  /** Under which the provider made the reference. */
  readonly referenceKey?: string | undefined
  readonly reference: string
  readonly amount: Cents
  readonly paidAt: Instant
  readonly reason: string
  /** Whose reference it is, as far as that is known. */
  readonly walletId?: bigint | undefined
}

/** The key of the `count`th try to give an entry back. */
export function refundKeyOf(entryId: string, count: number): string {
  return derivedId(entryId, `refund ${count}`)
}

/** Keeps a payment in suspense, and gives it back by itself where its provider can; a known one changes nothing. */
export async function hold(deps: SuspenseDeps, payment: HeldPayment): Promise<void> {
  const { database, clock, random, networks } = deps
  const now = clock.now()
  const id = newId(now, random)
  const { walletId = gatewayWalletId, referenceKey, ...rest } = payment
  const isGivenBack = referenceKey !== undefined && networks.made.refundPayment !== undefined
  const entry: SuspenseEntry = {
    ...rest,
    ...{ id, walletId, referenceKey, createdAt: now, tries: 0 },
    ...(isGivenBack
      ? { state: 'REFUNDING', refundKey: refundKeyOf(id, 1), refundBy: 'rail', refunds: 1, dueAt: now }
      : { state: 'OPEN', refunds: 0 }),
  }
  const from = clearingOf(payment.method)
  await insertSuspense(database, entry, await postingOf(deps, id, { debit: from, credit: suspense }, entry))
}

/** A posting of an entry's amount, under the id of what moved it. */
export async function postingOf(
  { ledger }: Pick<SuspenseDeps, 'ledger'>,
  id: string,
  between: { readonly debit: AccountName; readonly credit: AccountName },
  { amount }: Pick<SuspenseEntry, 'amount'>,
): Promise<PostingRow> {
  const [row] = await ledger.postingRows(id, [{ ...between, amount }])
  if (row === undefined) throw new Error('nothing is posted')
  return row
}
