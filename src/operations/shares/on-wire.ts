// The shares of an operation as SPEC.md "Operation" shows them in `splits`.
import { amountOnWire } from '../../http/index.ts'
import { type Cents, cents, decimalText } from '../../kernel/money.ts'
import { merchantBalances } from '../../ledger/index.ts'
import { type Share, variableFee } from '../../splits/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { ShownOperation } from '../read/store.ts'
import { operationOnWire } from '../schemas.ts'
import { findShares } from './store.ts'

/** Shows operations of a wallet, divided ones with their shares; in one look for a whole page. */
export type ShowOperations = (
  operations: readonly ShownOperation[],
  wallet: Wallet,
) => Promise<Record<string, unknown>[]>

/** Shows shares, booked ones and those that only might be. */
export type ShowShares = (shares: readonly Share[]) => Promise<Record<string, unknown>>

interface ShowDeps {
  readonly database: Database
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
}

export function createShowOperations(deps: ShowDeps): ShowOperations {
  return async (operations, wallet) => {
    const divided = operations.filter(({ splitAt }) => splitAt !== undefined)
    const shares = await findShares(
      deps.database,
      wallet.id,
      divided.map(({ id }) => id),
    )
    const payees = await payeesOf(deps, [...shares.values()].flat())
    return operations.map((operation) => {
      const own = shares.get(operation.id)
      return {
        ...operationOnWire(operation, wallet),
        ...(own === undefined ? {} : { splits: splitsOnWire(own, payees) }),
      }
    })
  }
}

export function createShowShares(deps: ShowDeps): ShowShares {
  return async (shares) => splitsOnWire(shares, await payeesOf(deps, shares))
}

interface Payee {
  readonly wallet: Wallet
  readonly balance: Cents
}

async function payeesOf(
  { database, wallets }: ShowDeps,
  shares: readonly Share[],
): Promise<ReadonlyMap<bigint, Payee>> {
  const payees = new Map<bigint, Payee>()
  const ids = [...new Set(shares.map(({ walletId }) => walletId))]
  const balances = ids.length === 0 ? new Map<bigint, Cents>() : await merchantBalances(database, ids)
  for (const id of ids) {
    payees.set(id, { wallet: await wallets.get(id), balance: balances.get(id) ?? cents(0) })
  }
  return payees
}

function splitsOnWire(shares: readonly Share[], payees: ReadonlyMap<bigint, Payee>) {
  return {
    total: shares.length,
    elements: shares.map(({ walletId, publicId, amount, feeVariableBp, feeFixed }) => {
      const payee = payees.get(walletId)
      return {
        merchant_wallet: {
          currency: 'EUR',
          name: payee?.wallet.name,
          balance: amountOnWire(payee?.balance ?? cents(0)),
          public_id: publicId,
        },
        amount: decimalText(amount),
        fee_variable: variableFee(feeVariableBp),
        fee_fixed: decimalText(feeFixed),
      }
    }),
  }
}
