// Puts money into suspense, once for each payment.
import type { Cents } from '../kernel/money.ts'
import { derivedId, newId } from '../kernel/random.ts'
import type { Instant } from '../kernel/time.ts'
import {
  type AccountName,
  clearingOf,
  gatewayWalletId,
  type Ledger,
  type PostingRow,
  suspense,
} from '../ledger/index.ts'
import type { Core } from '../module.ts'
import type { PreviewSettlement } from '../operations/for-movements.ts'
import type { Settle } from '../operations/index.ts'
import type { CreditTransfer, ReferenceNetworks } from '../rails/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { SuspenseEntry } from './model.ts'
import { insertSuspense } from './store.ts'

/** Money that a rail received, but that pays no operation. */
export interface HeldPayment {
  readonly method: SuspenseEntry['method']
  /** The UUID that the provider gave to the payment. */
  readonly paymentId: string
  /** The key under which the provider knows the reference. */
  readonly referenceKey?: string | undefined
  readonly reference: string
  readonly amount: Cents
  readonly paidAt: Instant
  readonly reason: string
  /** The wallet of the reference, if known. */
  readonly walletId?: bigint | undefined
}

export function refundKeyOf(entryId: string, count: number): string {
  return derivedId(entryId, `refund ${count}`)
}

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

export interface SuspenseDeps extends Pick<Core, 'database' | 'clock' | 'random' | 'metrics' | 'onError'> {
  readonly ledger: Pick<Ledger, 'postingRows'>
  readonly wallets: { find(walletId: bigint): Promise<Wallet | undefined> }
  readonly settle: Settle
  readonly preview: PreviewSettlement
  readonly networks: ReferenceNetworks
  readonly bank: CreditTransfer
  /** Whether a connected bank sends transfers now. */
  sendsTransfers(): boolean
}
