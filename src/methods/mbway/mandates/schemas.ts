// The schemas of mandates (SPEC.md "Mandate (mobile wallet)").
import { type Static, Type } from 'typebox'
import {
  amountField,
  amountOnWire,
  dayField,
  described,
  exampleId,
  filledSchema,
  idField,
  oneOfSchema,
  requestIdSchema,
  requiredPhoneSchema,
  wordField,
} from '../../../http/index.ts'
import { lisbonTimeOf } from '../../../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../../../kernel/result.ts'
import { parsePhone } from '../../../kernel/values/phones.ts'
import { webAddress } from '../../../kernel/values/web-address.ts'
import type { MandateDraft } from './changes/create.ts'
import { availableOf, type Mandate, mandateStates, mandateTypes } from './model.ts'

const nameLengthMax = 255

export const mandateBody = Type.Object(
  {
    phone: requiredPhoneSchema,
    type: oneOfSchema(
      mandateTypes,
      'ONECLICK: payments need no approval. SUBSCRIPTION: you charge the customer each month.',
    ),
    name: Type.Optional(described(filledSchema(nameLengthMax), 'Name of the customer.')),
    url_callback: Type.Optional(
      described(
        filledSchema(2048),
        'Address for the callbacks of this mandate: absolute, https in production. Default: the address of the wallet.',
        { format: 'uri' },
      ),
    ),
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'MandateRequest',
    description: 'A request for a mandate: phone number and type.',
    examples: [{ phone: '+351911234567', type: 'ONECLICK', name: 'Ana Silva' }],
  },
)

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

const shared = {
  state: wordField(
    mandateStates,
    'State. REQUESTED: waits for the customer, at most 4 minutes. ACTIVE: can be charged. VOIDED and EXPIRED are final.',
  ),
  mandate_id: idField('Id of the mandate.'),
  subscription_id: Type.Optional(idField('Id of the subscription, for a SUBSCRIPTION mandate.')),
}

export const requestedSchema = Type.Object(shared, {
  title: 'RequestedMandate',
  description: 'A requested mandate.',
})

export const mandateSchema = Type.Object(
  {
    amount_available: amountField('Rest of the limit for this calendar month (Lisbon).'),
    amount_limit: amountField('Largest total of a calendar month, set by the customer.'),
    client_name: Type.Optional(Type.String({ description: 'Name of the customer.' })),
    creation_date: Type.String({
      pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`,
      description: 'Creation time: YYYY-MM-DD hh:mm:ss in Lisbon.',
      examples: ['2026-03-01 18:30:00'],
    }),
    expiry_date: Type.Optional(dayField('Last day (Lisbon).')),
    phone: Type.String({ description: 'Phone number in E.164.', examples: ['+351911234567'] }),
    type: wordField(mandateTypes, 'Type of the mandate.'),
    ...shared,
  },
  { title: 'Mandate', description: 'A mandate of a customer of the mobile wallet.' },
)

export const mandateExample = {
  amount_available: 75,
  amount_limit: 100,
  client_name: 'Ana Silva',
  creation_date: '2026-03-01 18:30:00',
  expiry_date: '2027-03-01',
  mandate_id: exampleId,
  phone: '+351911234567',
  state: 'ACTIVE',
  type: 'ONECLICK',
}

export function mandateOnWire(mandate: Mandate): Static<typeof mandateSchema> {
  const { clientName, expiryDate, subscriptionId } = mandate
  return {
    amount_available: amountOnWire(availableOf(mandate)),
    amount_limit: amountOnWire(mandate.limit),
    ...(clientName === undefined ? {} : { client_name: clientName }),
    creation_date: lisbonTimeOf(mandate.createdAt),
    ...(expiryDate === undefined ? {} : { expiry_date: expiryDate }),
    mandate_id: mandate.id,
    phone: mandate.phone,
    state: mandate.state,
    ...(subscriptionId === undefined ? {} : { subscription_id: subscriptionId }),
    type: mandate.type,
  }
}
