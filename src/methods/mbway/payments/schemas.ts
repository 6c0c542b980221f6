// The payer of a direct payment by MBWAY: phone or mandate.
import { type Static, Type } from 'typebox'
import { described, phoneSchema, readAs, textSchema } from '../../../http/index.ts'
import { isUuid } from '../../../kernel/random.ts'
import { ok, type Result, refuse } from '../../../kernel/result.ts'
import { parsePhone } from '../../../kernel/values/phones.ts'

const mandateId = Type.Optional(
  described(
    textSchema(40, { minLength: 1, ...readAs('word') }),
    'Id of an ACTIVE mandate, instead of the phone: the customer is not asked. Requires the permission `mandates`.',
    { format: 'uuid' },
  ),
)
const whom = { phone: Type.Optional(phoneSchema), mandate_id: mandateId }

export const payerFields = {
  mbway: Type.Optional(
    Type.Object(whom, {
      title: 'MobileWalletPayer',
      description: 'Payer: phone number or mandate.',
      default: {},
    }),
  ),
  mandate_id: mandateId,
}

const payerBody = Type.Object(payerFields)

export type Payer =
  | { readonly kind: 'phone'; readonly phone: string }
  | { readonly kind: 'mandate'; readonly mandateId: string }

export function payerOf({ mbway, mandate_id: outer }: Static<typeof payerBody>): Result<Payer> {
  const phone = mbway?.phone || undefined
  const mandateId = outer || mbway?.mandate_id || undefined
  if (phone !== undefined && mandateId !== undefined)
    return refuse('invalid_parameter', 'send exactly one of mbway.phone and mandate_id')
  if (mandateId !== undefined)
    return isUuid(mandateId)
      ? ok({ kind: 'mandate', mandateId: mandateId.toLowerCase() })
      : refuse('invalid_parameter', 'mandate_id must be a UUID')
  if (phone === undefined) return refuse('missing_parameter', 'mbway.phone or mandate_id is required')
  const parsed = parsePhone(phone, 'mbway.phone')
  return parsed.ok ? ok({ kind: 'phone', phone: parsed.value }) : parsed
}
