// The books: pure functions choose the accounts, and a statement posts the rows.
import { crashPoint } from '../kernel/crash-points.ts'
import { type Cents, cents } from '../kernel/money.ts'
import type { Database } from '../storage/index.ts'
import { type AccountName, gatewayWalletId, type Posting, type WalletAccount } from './model.ts'
import { findBalance, openAccount, type postingColumns } from './store.ts'

const fees: AccountName = { walletId: gatewayWalletId, kind: 'fees' }

/** The account between the gateway and a method's rail. */
export function clearingOf(method: string): AccountName {
  return { walletId: gatewayWalletId, kind: `clearing:${method}` }
}

/** The account of money that belongs to no operation. */
export const suspense: AccountName = { walletId: gatewayWalletId, kind: 'suspense' }

export const bankClearing = clearingOf('BANK')

export const bankCharges: AccountName = { walletId: gatewayWalletId, kind: 'bank_charges' }

export function merchantAccount(walletId: bigint): WalletAccount {
  return { walletId, kind: 'merchant' }
}

export function accountOf(wallet: {
  readonly id: bigint
  readonly kind: 'merchant' | 'consumer'
}): WalletAccount {
  return { walletId: wallet.id, kind: wallet.kind }
}

/** The gateway keeps `fee` of `amount` cents, and `to` gets the rest. Top-ups of consumers use it too. */
export function paidPostings(from: AccountName, to: AccountName, amount: Cents, fee: Cents): Posting[] {
  return mergedPostings([
    { debit: from, credit: to, amount: cents(amount - fee) },
    { debit: from, credit: fees, amount: fee },
  ])
}

/** Merges postings to one for each pair of accounts, without zeros. Throws for negative amounts (a bug). */
export function mergedPostings(postings: readonly Posting[]): Posting[] {
  const merged = new Map<string, Posting>()
  for (const posting of postings) {
    const { debit, credit, amount } = posting
    if (amount < 0n) throw new Error(`a posting of ${amount} cents is negative`)
    if (amount === 0n || nameOf(debit) === nameOf(credit)) continue
    const key = `${nameOf(debit)} ${nameOf(credit)}`
    const same = merged.get(key)
    merged.set(key, same === undefined ? posting : { ...posting, amount: cents(same.amount + amount) })
  }
  return [...merged.values()]
}

function nameOf({ walletId, kind }: AccountName): string {
  return `${walletId}/${kind}`
}

export type PostingRow = Readonly<Record<keyof typeof postingColumns, string | bigint>>

export interface Ledger {
  /** Looks up the accounts in memory, because their numbers change only with a failover. */
  postingRows(operationId: string, postings: readonly Posting[]): Promise<PostingRow[]>
  /** The number of an account, for statements that lock or post. Call it outside transactions. */
  numberOf(account: AccountName): Promise<bigint>
  /** The balance of an account. A merchant's can be negative. */
  balanceOf(account: WalletAccount): Promise<Cents>
}

export function createLedger({ database }: { database: Database }): Ledger {
  const numbers = new Map<string, bigint>()
  // The new server may lack an account that the lost one opened, and give its number to another account.
  database.onFailover(() => numbers.clear())
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
