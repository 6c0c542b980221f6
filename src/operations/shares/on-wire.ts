// The `splits` of an operation (SPEC.md "Operation").

import { Type } from 'typebox'
import { amountOnWire, amountSchema, described, documented, readAs } from '../../http/index.ts'
import { cents, decimalText } from '../../kernel/money.ts'
import { type BookedShare, type Share, variableFee } from '../../splits/index.ts'
import type { Database } from '../../storage/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { ShownOperation } from '../read/store.ts'
import { operationOnWire } from '../schemas.ts'
import { findShares } from './store.ts'

/** Shows operations. It reads the shares of a whole page with one query. */
export type ShowOperations = (
  operations: readonly ShownOperation[],
  wallet: Wallet,
) => Promise<Record<string, unknown>[]>

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

async function namesOf(
  { wallets }: Pick<ShowDeps, 'wallets'>,
  shares: readonly Share[],
): Promise<ReadonlyMap<bigint, string>> {
  const names = new Map<bigint, string>()
  for (const { walletId } of shares)
    if (!names.has(walletId)) names.set(walletId, (await wallets.get(walletId)).name)
  return names
}

/** `balance` is the share less its refunds. The wallet's own balance is private. */
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

const splitDescriptorSchema = Type.Object(
  {
    merchant_wallet: Type.String({
      description: "Public id of the sub-merchant's wallet; not your own.",
    }),
    amount: Type.Optional(
      described(amountSchema, 'Part of the gross amount, in euros. Excludes `amount_fraction`.'),
    ),
    amount_fraction: Type.Optional(
      Type.String({
        description:
          'Part as a fraction, such as 0.6 or 2/3. Default without `amount`: an equal share of the rest.',
      }),
    ),
    fee_fixed: Type.Optional(
      described(amountSchema, 'Fixed fee that the marketplace keeps, in euros. Default: 0.'),
    ),
    fee_variable: Type.Optional(
      Type.Union([Type.Number(), Type.String()], {
        description: 'Fraction that the marketplace keeps, from 0 to 1 with at most 4 decimals. Default: 0.',
      }),
    ),
    descr: Type.Optional(Type.String({ maxLength: 255, description: 'Purpose of the share.' })),
  },
  { title: 'SplitDescriptor', description: 'The share of one sub-merchant.' },
)

/** The schema only names the fields, so that no card number gets in; splits have their own rules (40018). */
export const refundSplitSchema = Type.Unknown({
  description:
    'Sub-merchants that receive a share: at most 100 descriptors. Default: none. For an authorization: how to divide each capture. Needs the right `marketplace` and the permission `split`.',
  ...documented({ type: 'array', maxItems: 100, items: splitDescriptorSchema }),
  items: {
    properties: {
      merchant_wallet: {},
      fee_fixed: readAs('number'),
      fee_variable: readAs('rate'),
      amount: readAs('number'),
      amount_fraction: readAs('fraction'),
      descr: readAs('filled'),
    },
  },
})

/** Everywhere but in a refund, an empty list is the default (SPEC.md "Operations"). */
export const splitSchema = Type.Unsafe<unknown>({ ...refundSplitSchema, default: [] })
