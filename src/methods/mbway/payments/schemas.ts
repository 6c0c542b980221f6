// What a direct payment is asked for: an operation's own fields, and whose phone or which mandate.
import { type Static, Type } from 'typebox'
import {
  askedAmount,
  currencySchema,
  described,
  filledSchema,
  flagOf,
  impliedWordSchema,
  oneOfSchema,
  parseAmount,
  parseImpliedWord,
  phoneSchema,
  readAs,
  requestIdSchema,
  textSchema,
} from '../../../http/index.ts'
import type { Cents } from '../../../kernel/money.ts'
import { isUuid } from '../../../kernel/random.ts'
import { ok, type Result, refuse } from '../../../kernel/result.ts'
import { parsePhone } from '../../../kernel/values/phones.ts'
import { webAddress } from '../../../kernel/values/web-address.ts'
import {
  amountWithinRange,
  clientSchema,
  itemsSchema,
  type MerchantReferences,
  merchantReferenceFields,
  merchantReferencesOf,
  splitSchema,
  storeSchema,
} from '../../../operations/index.ts'

const mandateId = Type.Optional(
  described(
    textSchema(40, { minLength: 1, ...readAs('word') }),
    'An ACTIVE mandate, under which nobody is asked; in place of the phone. Needs the permission `mandates`.',
    { format: 'uuid' },
  ),
)
const whom = { phone: Type.Optional(phoneSchema), mandate_id: mandateId }

export const directPaymentBody = Type.Object(
  {
    method: impliedWordSchema('MBWAY'),
    type: oneOfSchema(['PAYMENT', 'AUTH'], 'Whether it is paid, or reserved to be captured.'),
    amount: askedAmount('What the customer is asked to approve.'),
    currency: currencySchema,
    mbway: Type.Optional(
      Type.Object(whom, { title: 'MobileWalletPayer', description: 'Who is asked.', default: {} }),
    ),
    mandate_id: mandateId,
    callback: Type.Optional(
      described(
        filledSchema(2048),
        'Where the callbacks of this operation go, an absolute address, https in production; the address of the wallet where it is left out.',
        { format: 'uri' },
      ),
    ),
    ...merchantReferenceFields,
    items: Type.Optional(itemsSchema),
    client: Type.Optional(clientSchema),
    store: Type.Optional(storeSchema),
    split: Type.Optional(splitSchema),
    instant: Type.Optional(flagOf('Read and echoed; phones are always asked at once.')),
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'DirectPaymentRequest',
    description: 'With exactly one of `mbway.phone` and `mandate_id`.',
    examples: [
      {
        method: 'MBWAY',
        type: 'PAYMENT',
        amount: 10.5,
        currency: 'EUR',
        mbway: { phone: '+351911234567' },
        ext_invoiceid: '2026-0042',
      },
    ],
  },
)

export type DirectPaymentBody = Static<typeof directPaymentBody>

/** Whom to ask: a phone, or nobody because a mandate says yes. */
export type Payer =
  | { readonly kind: 'phone'; readonly phone: string }
  | { readonly kind: 'mandate'; readonly mandateId: string }

/** A direct payment as asked for, every field checked. */
export interface DirectPaymentDraft {
  readonly type: 'PAYMENT' | 'AUTH'
  readonly amount: Cents
  readonly payer: Payer
  readonly merchantReferences: MerchantReferences
  readonly callbackUrl: string | undefined
  readonly store: bigint | undefined
}

/** Refusals: missing_parameter, invalid_parameter and the amount's range, naming the field. */
export function readDirectPayment(
  body: DirectPaymentBody,
  mode: 'sandbox' | 'production',
  stores: readonly number[],
): Result<DirectPaymentDraft> {
  const method = parseImpliedWord(body.method, 'MBWAY', 'method')
  if (!method.ok) return method
  const type = (['PAYMENT', 'AUTH'] as const).find((word) => word === body.type.toUpperCase())
  if (type === undefined) return refuse('invalid_parameter', 'type must be PAYMENT or AUTH')
  const digits = parseAmount(body.amount, 'amount')
  if (!digits.ok) return digits
  const amount = amountWithinRange(digits.value, 'amount')
  if (!amount.ok) return amount
  if (body.currency.toUpperCase() !== 'EUR') return refuse('invalid_parameter', 'currency must be EUR')
  const payer = payerOf(body)
  if (!payer.ok) return payer
  const callback = body.callback ? webAddress(body.callback, 'callback', mode) : ok(undefined)
  if (!callback.ok) return callback
  if (body.store !== undefined && !stores.includes(body.store))
    return refuse('invalid_parameter', 'store must be one of the stores of the wallet')
  return ok({
    type,
    amount: amount.value,
    payer: payer.value,
    merchantReferences: merchantReferencesOf(body),
    callbackUrl: callback.value,
    store: body.store === undefined ? undefined : BigInt(body.store),
  })
}

/** Exactly one of `mbway.phone` and `mandate_id`, which may stand beside or inside `mbway`. */
function payerOf({ mbway, mandate_id: outer }: DirectPaymentBody): Result<Payer> {
  const phone = mbway?.phone || undefined
  const mandateId = outer || mbway?.mandate_id || undefined
  if (phone !== undefined && mandateId !== undefined)
    return refuse('invalid_parameter', 'send exactly one of mbway.phone and mandate_id')
  if (mandateId !== undefined)
    return isUuid(mandateId)
      ? ok({ kind: 'mandate', mandateId: mandateId.toLowerCase() })
      : refuse('invalid_parameter', 'mandate_id must be a UUID')
  if (phone === undefined)
    return refuse('missing_parameter', 'mbway.phone is required (or mandate_id in its place)')
  const parsed = parsePhone(phone, 'mbway.phone')
  return parsed.ok ? ok({ kind: 'phone', phone: parsed.value }) : parsed
}
