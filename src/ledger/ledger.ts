// The books: which accounts a movement touches, decided by pure functions, and the rows that are posted to them.
import { crashPoint } from '../kernel/crash-points.ts'
import { type Cents, cents } from '../kernel/money.ts'
import type { Database } from '../storage/index.ts'
import { type AccountName, gatewayWalletId, type Posting, type WalletAccount } from './model.ts'
import { findBalance, openAccount, type postingColumns } from './store.ts'

const fees: AccountName = { walletId: gatewayWalletId, kind: 'fees' }

/** The account on which a method's rail owes the gateway, or is owed. */
export function clearingOf(method: string): AccountName {
  return { walletId: gatewayWalletId, kind: `clearing:${method}` }
}

/** The account of money that arrived and belongs to no operation. */
export const suspense: AccountName = { walletId: gatewayWalletId, kind: 'suspense' }

/** The account of the gateway's money at the bank. */
export const bankClearing = clearingOf('BANK')

/** The account of what banks charge for orders. */
export const bankCharges: AccountName = { walletId: gatewayWalletId, kind: 'bank_charges' }

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
function nameOf({ walletId, kind }: AccountName): string {
  return `${walletId}/${kind}`
}

/** A row of the postings' row set. */
export type PostingRow = Readonly<Record<keyof typeof postingColumns, string | bigint>>

export interface Ledger {
  /** The operation's postings as rows, with their accounts looked up (from memory: numbers never change). */
  postingRows(operationId: string, postings: readonly Posting[]): Promise<PostingRow[]>
  /** The account's number, for statements that guard its balance or post. Not inside a transaction. */
  numberOf(account: AccountName): Promise<bigint>
  /** What the account holds; a merchant's may be negative. */
  balanceOf(account: WalletAccount): Promise<Cents>
}

/** Opens the books on `database`. */
export function createLedger({ database }: { database: Database }): Ledger {
  const numbers = new Map<string, bigint>()
  const known = (account: AccountName) => numbers.get(nameOf(account))

  async function numberOf(account: AccountName): Promise<bigint> {
    const opened = known(account)
    if (opened !== undefined) return opened
    const number = await openAccount(database, account)
    crashPoint('ledger account opened, nothing booked')
    numbers.set(nameOf(account), number)
    return number
  }

  return {
    numberOf,
    balanceOf: async (account) => cents(await findBalance(database, await numberOf(account))),
    async postingRows(operationId, postings) {
      const rows: PostingRow[] = []
      for (const { debit, credit, amount } of postings) {
        rows.push({
          operation_id: operationId,
          debit_account: known(debit) ?? (await numberOf(debit)),
          credit_account: known(credit) ?? (await numberOf(credit)),
          amount,
        })
      }
      return rows
    },
  }
}
