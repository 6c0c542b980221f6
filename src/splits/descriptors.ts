// Reading split descriptors (SPEC.md "Split descriptor").
import { literalOf, parseAmount } from '../http/index.ts'
import { type Cents, decimalText, readDecimal } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { parseRational, type Rational, rational } from '../kernel/values/rational.ts'
import { withoutNegativeShares } from './divide.ts'
import { type AskedShare, descriptorsMax } from './model.ts'

const descrLengthMax = 255
const feeVariableDecimalsMax = 4

export interface Descriptor {
  /** The path of the descriptor in the request, such as `payment.split[1]`. */
  readonly field: string
  readonly merchantWallet: string
  /** Above 0. All fractions together are at most 1. */
  readonly fraction: Rational
  /** Undefined: the fee of the wallet's settings applies. */
  readonly feeFixed: Cents | undefined
  readonly feeVariableBp: number | undefined
  readonly descr: string | undefined
}

interface Draft extends Omit<Descriptor, 'fraction'> {
  /** Undefined: an equal part of the rest (SPEC.md, rule 2). */
  readonly fraction: Rational | undefined
}

/** `field` is the name in the request, such as `payment.split`. Refusals: invalid_split. */
export function readDescriptors(value: unknown, field: string, whole: Cents): Result<readonly Descriptor[]> {
  if (!Array.isArray(value)) return refuse('invalid_split', `${field} must be an array of split descriptors`)
  if (value.length === 0 || value.length > descriptorsMax) {
    return refuse('invalid_split', `${field} must hold 1 to ${descriptorsMax} descriptors`)
  }
  const drafts: Draft[] = []
  for (const [index, entry] of value.entries()) {
    const draft = readDescriptor(entry, `${field}[${index}]`, whole)
    if (!draft.ok) return draft
    const twin = drafts.find(({ merchantWallet }) => merchantWallet === draft.value.merchantWallet)
    if (twin !== undefined) {
      return refuse(
        'invalid_split',
        `${field}[${index}].merchant_wallet must be named once: see ${twin.field}`,
      )
    }
    drafts.push(draft.value)
  }
  return shareRest(drafts, field)
}

function readDescriptor(entry: unknown, field: string, whole: Cents): Result<Draft> {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    return refuse('invalid_split', `${field} must be a split descriptor with a merchant_wallet`)
  }
  const { merchant_wallet, amount, amount_fraction, fee_fixed, fee_variable, descr } = ownFields(entry)
  if (merchant_wallet === undefined) return refuse('invalid_split', `${field}.merchant_wallet is required`)
  if (typeof merchant_wallet !== 'string') {
    return refuse('invalid_split', `${field}.merchant_wallet must be the public id of a wallet`)
  }
  const fraction = readPart(amount, amount_fraction, field, whole)
  if (!fraction.ok) return fraction
  const feeFixed = readFeeFixed(fee_fixed, field)
  if (!feeFixed.ok) return feeFixed
  const feeVariable = readFeeVariable(fee_variable, field)
  if (!feeVariable.ok) return feeVariable
  if (descr !== undefined && (typeof descr !== 'string' || descr.length > descrLengthMax)) {
    return refuse('invalid_split', `${field}.descr must be a text of at most ${descrLengthMax} characters`)
  }
  return ok({
    field,
    merchantWallet: merchant_wallet,
    fraction: fraction.value,
    feeFixed: feeFixed.value,
    feeVariableBp: feeVariable.value,
    descr: descr || undefined,
  })
}

/** Drops null fields, which count as absent, and inherited ones, which were not sent. */
function ownFields(entry: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))
}

function readPart(
  amount: unknown,
  fraction: unknown,
  field: string,
  whole: Cents,
): Result<Rational | undefined> {
  if (amount !== undefined && fraction !== undefined) {
    return refuse('invalid_split', `${field} must have amount or amount_fraction, not both`)
  }
  if (amount !== undefined) {
    const digits = parseAmount(amount, `${field}.amount`)
    if (!digits.ok) return refuse('invalid_split', digits.refusal.reason)
    if (digits.value <= 0n || digits.value > whole) {
      return refuse('invalid_split', `${field}.amount must be from 0.01 to ${decimalText(whole)}`)
    }
    return ok(rational(digits.value, whole))
  }
  if (fraction === undefined) return ok(undefined)
  const text = literalOf(fraction)
  const parsed = text === undefined ? undefined : parseRational(text)
  if (parsed === undefined || parsed.n === 0n || parsed.gt(1n)) {
    return refuse(
      'invalid_split',
      `${field}.amount_fraction must be above 0 and at most 1, such as "0.6" or "2/3" (30 decimals, or 12 digits above and below)`,
    )
  }
  return ok(parsed)
}

function readFeeFixed(value: unknown, field: string): Result<Cents | undefined> {
  if (value === undefined) return ok(undefined)
  const fee = parseAmount(value, `${field}.fee_fixed`)
  if (!fee.ok) return refuse('invalid_split', fee.refusal.reason)
  return fee.value < 0n ? refuse('invalid_split', `${field}.fee_fixed must not be negative`) : fee
}

/** Reads the digits exactly, without floating point. */
function readFeeVariable(value: unknown, field: string): Result<number | undefined> {
  if (value === undefined) return ok(undefined)
  const literal = literalOf(value)
  const basisPoints = literal === undefined ? undefined : readDecimal(literal, feeVariableDecimalsMax)
  if (typeof basisPoints !== 'bigint' || basisPoints < 0n || basisPoints > 10_000n) {
    return refuse(
      'invalid_split',
      `${field}.fee_variable must be from 0 to 1, with at most ${feeVariableDecimalsMax} decimals`,
    )
  }
  return ok(Number(basisPoints))
}

function shareRest(drafts: readonly Draft[], field: string): Result<readonly Descriptor[]> {
  const named = drafts.reduce(
    (sum, { fraction }) => (fraction === undefined ? sum : sum.add(fraction)),
    rational(0n),
  )
  const rest = rational(1n).sub(named)
  if (rest.s < 0n) {
    return refuse(
      'invalid_split',
      `${field} must not total more than the whole: the total is ${named.toFraction()}`,
    )
  }
  const unnamed = drafts.filter(({ fraction }) => fraction === undefined)
  const [first] = unnamed
  if (first !== undefined && rest.n === 0n) {
    return refuse('invalid_split', `${first.field} must have an amount: the others leave nothing`)
  }
  const part = first === undefined ? rational(0n) : rest.div(BigInt(unnamed.length))
  return ok(drafts.map((draft) => ({ ...draft, fraction: draft.fraction ?? part })))
}

export interface SubMerchant {
  readonly id: bigint
  readonly publicId: string
  readonly kind: 'merchant' | 'consumer'
  readonly splitFeeFixed: Cents
  readonly splitFeeVariableBp: number
}

export interface SplitRequest {
  /** The value of the field `split` as sent. */
  readonly value: unknown
  /** The name of the field, such as `payment.split`. */
  readonly field: string
  readonly amount: Cents
  /** The smallest net amount that can remain after the gateway's fee. */
  readonly leastNet: Cents
  readonly ownerId: bigint
}

/** Fixes fees and shares: later changes of wallets do not change the split. Refusals: invalid_split. */
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

/** Reads the wallets of a refund. The fees of a descriptor are ignored there. */
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
