// From descriptors to shares: looks wallets and their fees up.
import type { Cents } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { readDescriptors } from './descriptors.ts'
import { withoutNegativeShares } from './divide.ts'
import type { AskedShare } from './model.ts'

export interface SubMerchant {
  readonly id: bigint
  readonly publicId: string
  readonly kind: 'merchant' | 'consumer'
  readonly splitFeeFixed: Cents
  readonly splitFeeVariableBp: number
}

export interface SplitRequest {
  /** The field `split` as sent. */
  readonly value: unknown
  /** Such as `payment.split`. */
  readonly field: string
  /** In cents. */
  readonly amount: Cents
  /** The smallest net amount after the gateway's fee, in cents. */
  readonly leastNet: Cents
  readonly ownerId: bigint
}

/** Later changes of the wallets' settings do not change the split. Refusals: invalid_split. */
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

/** Fees of a descriptor have no meaning in a refund. */
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
