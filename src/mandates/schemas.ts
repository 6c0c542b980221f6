// Mandates on the wire: what is asked for, and a record as SPEC.md "Mandate (mobile wallet)" lists it.
import { type Static, Type } from 'typebox'
import { amountOnWire, filledSchema, requiredPhoneSchema, textSchema, wordSchema } from '../http/index.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import { parsePhone } from '../kernel/values/phones.ts'
import { webAddress } from '../kernel/values/web-address.ts'
import type { MandateDraft } from './changes/create.ts'
import { availableOf, type Mandate, mandateTypes } from './model.ts'

const nameLengthMax = 255

export const mandateBody = Type.Object({
  phone: requiredPhoneSchema,
  type: wordSchema({ description: mandateTypes.join(' or ') }),
  name: Type.Optional(filledSchema(nameLengthMax)),
  url_callback: Type.Optional(filledSchema(2048)),
  request_id: Type.Optional(textSchema(36)),
})

/** Refusals: missing_parameter and invalid_parameter naming the field. */
export function readMandate(
  body: Static<typeof mandateBody>,
  mode: 'sandbox' | 'production',
): Result<MandateDraft> {
  const phone = parsePhone(body.phone, 'phone')
  if (!phone.ok) return phone
  const type = mandateTypes.find((candidate) => candidate === body.type.toUpperCase())
  if (type === undefined) return refuse('invalid_parameter', `type must be ${mandateTypes.join(' or ')}`)
  const clientName = body.name?.trim() || undefined
  if (!body.url_callback) return ok({ type, phone: phone.value, clientName })
  const url = webAddress(body.url_callback, 'url_callback', mode)
  return url.ok ? ok({ type, phone: phone.value, clientName, urlCallback: url.value }) : url
}

export const requestedSchema = Type.Object({
  state: Type.String(),
  mandate_id: Type.String({ format: 'uuid' }),
  subscription_id: Type.Optional(Type.String({ format: 'uuid' })),
})

export const mandateSchema = Type.Object({
  amount_available: Type.Number(),
  amount_limit: Type.Number(),
  client_name: Type.Optional(Type.String()),
  creation_date: Type.String(),
  expiry_date: Type.Optional(Type.String()),
  mandate_id: Type.String({ format: 'uuid' }),
  phone: Type.String(),
  state: Type.String(),
  subscription_id: Type.Optional(Type.String({ format: 'uuid' })),
  type: Type.String(),
})

/** A mandate as it is read. Fields without a value are left out. */
export function mandateOnWire(mandate: Mandate): Static<typeof mandateSchema> {
  const { clientName, expiryDate, subscriptionId } = mandate
  return {
    amount_available: amountOnWire(availableOf(mandate)),
    amount_limit: amountOnWire(mandate.limit),
    ...(clientName === undefined ? {} : { client_name: clientName }),
    creation_date: spacedDate(mandate.createdAt),
    ...(expiryDate === undefined ? {} : { expiry_date: expiryDate }),
    mandate_id: mandate.id,
    phone: mandate.phone,
    state: mandate.state,
    ...(subscriptionId === undefined ? {} : { subscription_id: subscriptionId }),
    type: mandate.type,
  }
}

/** `YYYY-MM-DD hh:mm:ss` in UTC: the only date of the API without its zone. */
function spacedDate(moment: Instant): string {
  return new Date(moment).toISOString().slice(0, 19).replace('T', ' ')
}
