// Which accounts a movement touches: pure bookkeeping.
import { type Cents, cents } from '../kernel/money.ts'
import { type AccountName, gatewayWalletId, type Posting, type WalletAccount } from './model.ts'

const fees: AccountName = { walletId: gatewayWalletId, kind: 'fees' }

/** The account on which a method's rail owes the gateway, or is owed. */
export function clearingOf(method: string): AccountName {
  return { walletId: gatewayWalletId, kind: `clearing:${method}` }
}

/** The account of a merchant's own money. */
export function merchantAccount(walletId: bigint): WalletAccount {
  return { walletId, kind: 'merchant' }
}

/** The account of a wallet's own money. */
export function accountOf(wallet: {
  readonly id: bigint
  readonly kind: 'merchant' | 'consumer'
}): WalletAccount {
  return { walletId: wallet.id, kind: wallet.kind }
}

/**
 * A payment: `from` pays or comes to owe it, the gateway keeps its fee, `to` gets the rest. A consumer's balance pays
 * as the clearing account of a rail does, and a top-up credits a consumer as a payment does a merchant.
 *
 * @param amount what is paid, in cents, positive
 * @param fee what the gateway keeps, in cents, from 0 to `amount`
 */
export function paidPostings(from: AccountName, to: AccountName, amount: Cents, fee: Cents): Posting[] {
  return mergedPostings([
    { debit: from, credit: to, amount: cents(amount - fee) },
    { debit: from, credit: fees, amount: fee },
  ])
}

/**
 * The same postings with one for each pair of accounts, as an operation must have them. What moves nothing, or from an
 * account to itself, is left out. Throws for an amount below zero: the rule that made it is wrong.
 */
export function mergedPostings(postings: readonly Posting[]): Posting[] {
  const merged = new Map<string, Posting>()
  for (const posting of postings) {
    const { debit, credit, amount } = posting
    if (amount < 0n) throw new Error(`a posting of ${amount} cents moves the wrong way`)
    if (amount === 0n || nameOf(debit) === nameOf(credit)) continue
    const key = `${nameOf(debit)} ${nameOf(credit)}`
    const same = merged.get(key)
    merged.set(key, same === undefined ? posting : { ...posting, amount: cents(same.amount + amount) })
  }
  return [...merged.values()]
}

/** Names an account in a text, as key of a map. */
export function nameOf({ walletId, kind }: AccountName): string {
  return `${walletId}/${kind}`
}
