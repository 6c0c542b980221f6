// From descriptors to shares: the wallets are looked up, and their own fees stand where none were named.
import type { Cents } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { readDescriptors } from './descriptors.ts'
import { withoutNegativeShares } from './divide.ts'
import type { AskedShare } from './model.ts'

/** What a split needs to know of a sub-merchant. */
export interface SubMerchant {
  readonly id: bigint
  readonly publicId: string
  readonly kind: 'merchant' | 'consumer'
  readonly splitFeeFixed: Cents
  readonly splitFeeVariableBp: number
}

export interface SplitRequest {
  /** Anything that was sent in the field `split`. */
  readonly value: unknown
  /** Its name in the request, such as `payment.split`. */
  readonly field: string
  /** The payment, in cents. */
  readonly amount: Cents
  /** The least that may be left of it once the gateway has its fee, in cents. */
  readonly leastNet: Cents
  readonly ownerId: bigint
}

/**
 * Reads a split and looks its wallets up. What is answered stays as agreed, whatever the wallets' settings
 * become before the payment completes.
 *
 * Refusals: invalid_split naming the descriptor and the rule.
 */
export async function resolveSplit(
  request: SplitRequest,
  findByPublicId: (publicId: string) => Promise<SubMerchant | undefined>,
): Promise<Result<readonly AskedShare[]>> {
  const descriptors = readDescriptors(request.value, request.field, request.amount)
  if (!descriptors.ok) return descriptors
  const shares: AskedShare[] = []
  for (const { field, merchantWallet, fraction, feeFixed, feeVariableBp, descr } of descriptors.value) {
    const wallet = await findByPublicId(merchantWallet)
    if (wallet?.kind !== 'merchant') {
      return refuse('invalid_split', `${field}.merchant_wallet must be the public id of a merchant's wallet`)
    }
    if (wallet.id === request.ownerId) {
      return refuse('invalid_split', `${field}.merchant_wallet must not be the wallet that splits`)
    }
    shares.push({
      walletId: wallet.id,
      publicId: wallet.publicId,
      fraction,
      feeFixed: feeFixed ?? wallet.splitFeeFixed,
      feeVariableBp: feeVariableBp ?? wallet.splitFeeVariableBp,
      descr,
    })
  }
  return withoutNegativeShares(request.leastNet, shares, request.field)
}

/** A wallet that a refund names: its part of the refund. Fees of the descriptor mean nothing here. */
export async function resolveListed(
  value: unknown,
  amount: Cents,
  findByPublicId: (publicId: string) => Promise<SubMerchant | undefined>,
): Promise<Result<readonly { readonly walletId: bigint; readonly fraction: AskedShare['fraction'] }[]>> {
  if (Array.isArray(value) && value.length === 0) return ok([])
  const descriptors = readDescriptors(value, 'split', amount)
  if (!descriptors.ok) return descriptors
  const listed = []
  for (const { field, merchantWallet, fraction } of descriptors.value) {
    const wallet = await findByPublicId(merchantWallet)
    if (wallet === undefined) {
      return refuse('invalid_split', `${field}.merchant_wallet must be a wallet that has a share`)
    }
    listed.push({ walletId: wallet.id, fraction })
  }
  return ok(listed)
}
