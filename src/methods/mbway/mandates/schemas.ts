// Mandates on the wire: what is asked for, and a record as SPEC.md "Mandate (mobile wallet)" lists it.
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
      'ONECLICK: payments of the customer need no approval. SUBSCRIPTION: you charge them each month.',
    ),
    name: Type.Optional(described(filledSchema(nameLengthMax), 'Name of the customer.')),
    url_callback: Type.Optional(
      described(
        filledSchema(2048),
        'Where the callbacks of this mandate go, an absolute address, https in production; the address of the wallet where it is left out.',
        { format: 'uri' },
      ),
    ),
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'MandateRequest',
    description: 'Whom to ask for what.',
    examples: [{ phone: '+351911234567', type: 'ONECLICK', name: 'Ana Silva' }],
  },
)

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

const shared = {
  state: wordField(
    mandateStates,
    'REQUESTED until the customer approves, for at most 4 minutes; only an ACTIVE one is charged. VOIDED and EXPIRED are final.',
  ),
  mandate_id: idField('Identifies the mandate.'),
  subscription_id: Type.Optional(
    idField('Of a SUBSCRIPTION mandate: the subscription by which it is charged.'),
  ),
}

export const requestedSchema = Type.Object(shared, {
  title: 'RequestedMandate',
  description: 'A mandate that a customer is asked for.',
})

export const mandateSchema = Type.Object(
  {
    amount_available: amountField('What may still be charged this calendar month in Lisbon.'),
    amount_limit: amountField('What may be charged per calendar month, as the customer set it.'),
    client_name: Type.Optional(Type.String({ description: 'Name of the customer.' })),
    creation_date: Type.String({
      pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`,
      description: 'When it was asked for, as YYYY-MM-DD hh:mm:ss in Lisbon.',
      examples: ['2026-03-01 18:30:00'],
    }),
    expiry_date: Type.Optional(dayField('Its last Lisbon day.')),
    phone: Type.String({ description: 'Phone number in E.164.', examples: ['+351911234567'] }),
    type: wordField(mandateTypes, 'What it allows.'),
    ...shared,
  },
  { title: 'Mandate', description: 'What a customer of the mobile wallet allows a merchant.' },
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

/** A mandate as it is read. Fields without a value are left out. */
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
