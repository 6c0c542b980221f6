// The shares of an operation as SPEC.md "Operation" shows them in `splits`.
import { amountOnWire } from '../../http/index.ts'
import { cents, decimalText } from '../../kernel/money.ts'
import { type BookedShare, type Share, variableFee } from '../../splits/index.ts'
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
    const names = await namesOf(deps, [...shares.values()].flat())
    return operations.map((operation) => {
      const own = shares.get(operation.id)
      return {
        ...operationOnWire(operation, wallet),
        ...(own === undefined ? {} : { splits: splitsOnWire(own, names) }),
      }
    })
  }
}

export function createShowShares(deps: Pick<ShowDeps, 'wallets'>): ShowShares {
  return async (shares) => splitsOnWire(shares, await namesOf(deps, shares))
}

/** Of the wallets of shares, by the wallet's number. */
async function namesOf(
  { wallets }: Pick<ShowDeps, 'wallets'>,
  shares: readonly Share[],
): Promise<ReadonlyMap<bigint, string>> {
  const names = new Map<bigint, string>()
  for (const { walletId } of shares)
    if (!names.has(walletId)) names.set(walletId, (await wallets.get(walletId)).name)
  return names
}

/**
 * The `balance` is what this payment has given the wallet: its share, less what was refunded of that. What the wallet has
 * beside it is for its own merchant to see (docs/decisions/0010).
 */
function splitsOnWire(shares: readonly (Share | BookedShare)[], names: ReadonlyMap<bigint, string>) {
  return {
    total: shares.length,
    elements: shares.map((share) => {
      const { walletId, publicId, amount, feeVariableBp, feeFixed } = share
      const refunded = 'refunded' in share ? share.refunded : 0n
      return {
        merchant_wallet: {
          currency: 'EUR',
          name: names.get(walletId),
          balance: amountOnWire(cents(amount - refunded)),
          public_id: publicId,
        },
        amount: decimalText(amount),
        fee_variable: variableFee(feeVariableBp),
        fee_fixed: decimalText(feeFixed),
      }
    }),
  }
}
