// Which accounts a movement touches: pure bookkeeping.
import { type Cents, cents, sumOf } from '../kernel/money.ts'
import { type AccountName, type Entry, gatewayWalletId } from './model.ts'

const fees: AccountName = { walletId: gatewayWalletId, kind: 'fees' }

/** The account on which a method's rail owes the gateway, or is owed. */
export function clearingOf(method: string): AccountName {
  return { walletId: gatewayWalletId, kind: `clearing:${method}` }
}

/** The account of a merchant's own money. */
export function merchantAccount(walletId: bigint): AccountName {
  return { walletId, kind: 'merchant' }
}

/** The account of a wallet's own money. */
export function accountOf(wallet: {
  readonly id: bigint
  readonly kind: 'merchant' | 'consumer'
}): AccountName {
  return { walletId: wallet.id, kind: wallet.kind }
}

/**
 * A payment: `from` pays or comes to owe it, the gateway keeps its fee, `to` gets the rest. A consumer's balance pays
 * as the clearing account of a rail does, and a top-up credits a consumer as a payment does a merchant.
 *
 * @param amount what is paid, in cents, positive
 * @param fee what the gateway keeps, in cents, from 0 to `amount`
 */
export function paidEntries(from: AccountName, to: AccountName, amount: Cents, fee: Cents): Entry[] {
  return balanced([
    { account: from, amount: cents(-amount) },
    { account: to, amount: cents(amount - fee) },
    { account: fees, amount: fee },
  ])
}

/** The same entries with one for each account, as a journal must have them; zeros are left out. */
export function mergedEntries(entries: readonly Entry[]): Entry[] {
  const merged = new Map<string, Entry>()
  for (const { account, amount } of entries) {
    const key = `${account.walletId}/${account.kind}`
    merged.set(key, { account, amount: cents((merged.get(key)?.amount ?? 0n) + amount) })
  }
  return balanced([...merged.values()])
}

/** The entries without zeros. Throws when they do not sum to zero, for then the rule that made them is wrong. */
export function balanced(entries: readonly Entry[]): Entry[] {
  const total = sumOf(entries.map(({ amount }) => amount))
  if (total !== 0n) throw new Error(`entries sum to ${total} cents instead of zero`)
  return entries.filter(({ amount }) => amount !== 0n)
}
