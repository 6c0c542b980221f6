// The split that a payment or authorization is asked for with: who may ask, and how it would divide what can be left.
import { type Cents, cents, feeFor } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Caller } from '../../kernel/values/permissions.ts'
import { type AskedShare, resolveSplit } from '../../splits/index.ts'
import type { FeeMethod, Wallet } from '../../wallets/index.ts'

/** Looks up a wallet by the public id that a descriptor names. */
export type FindWallet = (publicId: string) => Promise<Wallet | undefined>

export interface SplitOfPayment {
  /** Anything that was sent in the field `split`. */
  readonly value: unknown
  /** Its name in the request, such as `payment.split`. */
  readonly field: string
  readonly amount: Cents
  readonly wallet: Wallet
  readonly caller: Pick<Caller, 'permissions' | 'rights'>
  /** The prices at which it may be paid: none of them may make a share negative. */
  readonly prices: readonly FeeMethod[]
}

/**
 * Reads the split of a payment or authorization; undefined where none was sent.
 *
 * Refusals: access_denied without the right or the permission; invalid_split naming the descriptor and the rule.
 */
export async function askedSplit(
  findWallet: FindWallet,
  { value, field, amount, wallet, caller, prices }: SplitOfPayment,
): Promise<Result<readonly AskedShare[] | undefined>> {
  if (value === undefined || value === null) return ok(undefined)
  const allowed = maySplit(caller, field)
  if (!allowed.ok) return allowed
  const leastNet = leastNetOf(amount, wallet, prices)
  return resolveSplit({ value, field, amount, leastNet, ownerId: wallet.id }, findWallet)
}

/** Refusals: access_denied for who may not say how money is divided. */
export function maySplit(
  { permissions, rights }: Pick<Caller, 'permissions' | 'rights'>,
  field: string,
): Result<undefined> {
  return permissions.has('split') && rights.has('marketplace')
    ? ok(undefined)
    : refuse('access_denied', `${field} needs the right marketplace and a key with split`)
}

/** What is left of `amount` at the dearest price, in cents. */
function leastNetOf(amount: Cents, { feeSchedule }: Wallet, prices: readonly FeeMethod[]): Cents {
  let least: bigint = amount
  for (const price of prices) {
    const net = amount - feeFor(amount, feeSchedule[price])
    if (net < least) least = net
  }
  return cents(least)
}
