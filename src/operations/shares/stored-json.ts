// Splits as JSON columns. Cents are numbers, and wallet ids are text.
import { type Cents, cents } from '../../kernel/money.ts'
import { type Rational, rational } from '../../kernel/values/rational.ts'
import type { AskedShare, ShareRefund } from '../../splits/index.ts'
import { column } from '../../storage/tables/table.ts'

interface StoredAskedShare {
  readonly wallet: string
  readonly public_id: string
  /** A fraction `n/d` with numbers of any size. */
  readonly fraction: string
  readonly fee_fixed: number
  readonly fee_variable_bp: number
  readonly descr?: string
}

interface StoredShareRefund {
  readonly position: number
  readonly wallet: string
  readonly transfer: string
  readonly amount: number
}

function storedShare(share: AskedShare): StoredAskedShare {
  return {
    wallet: String(share.walletId),
    public_id: share.publicId,
    fraction: share.fraction.toFraction(),
    fee_fixed: Number(share.feeFixed),
    fee_variable_bp: share.feeVariableBp,
    ...(share.descr === undefined ? {} : { descr: share.descr }),
  }
}

function askedShareOf(stored: StoredAskedShare): AskedShare {
  return {
    walletId: BigInt(stored.wallet),
    publicId: stored.public_id,
    fraction: storedRational(stored.fraction),
    feeFixed: cents(stored.fee_fixed),
    feeVariableBp: stored.fee_variable_bp,
    descr: stored.descr,
  }
}

function storedShareRefund({ position, walletId, transferId, amount }: ShareRefund): StoredShareRefund {
  return { position, wallet: String(walletId), transfer: transferId, amount: Number(amount) }
}

function shareRefundOf({ position, wallet, transfer, amount }: StoredShareRefund): ShareRefund {
  return { position, walletId: BigInt(wallet), transferId: transfer, amount: BigInt(amount) as Cents }
}

/** Accepts more digits than the parser of requests, because equal parts of a rest can need them. */
export function storedRational(text: string): Rational {
  const [numerator = '', denominator = '1'] = text.split('/')
  return rational(BigInt(numerator), BigInt(denominator))
}

export const askedShares = column.json<readonly StoredAskedShare[]>().transformed(
  (stored) => stored.map(askedShareOf) as readonly AskedShare[],
  (shares) => shares.map(storedShare),
)

export const shareRefunds = column.json<readonly StoredShareRefund[]>().transformed(
  (stored) => stored.map(shareRefundOf) as readonly ShareRefund[],
  (taken) => taken.map(storedShareRefund),
)
