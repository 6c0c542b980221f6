// The events of a mandate (SPEC.md Events, Mandate).

import { Type } from 'typebox'
import type { NewEvent } from '../../../callbacks/index.ts'
import {
  amountField,
  amountOnWire,
  type DescribedWebhook,
  exampleId,
  idField,
  wordField,
} from '../../../http/index.ts'
import type { Instant } from '../../../kernel/time.ts'
import type { Wallet } from '../../../wallets/index.ts'
import { mbway } from '../facts.ts'
import { availableOf, type Mandate, type MandateEventWord, mandateTypes } from './model.ts'

export function mandateEvent(
  mandate: Mandate,
  event: MandateEventWord,
  wallet: Wallet,
  id: string,
  createdAt: Instant,
): NewEvent {
  const url = mandate.urlCallback
  return {
    id,
    walletId: mandate.walletId,
    kind: 'mandate',
    subject: mandate.id,
    event,
    payload: {
      type: 'MANDATE',
      event,
      mandate_id: mandate.id,
      mandate_type: mandate.type,
      method: mbway.code,
      max_amount: amountOnWire(mandate.limit),
      amount_available: amountOnWire(availableOf(mandate)),
      end_date: mandate.expiryDate ?? null,
      subscription_id: mandate.subscriptionId ?? null,
      request_id: mandate.requestId ?? null,
    },
    url,
    endpoint: url === undefined ? 'wallet' : 'mandate',
    hasEndpoint: url !== undefined || wallet.callbackUrl !== null,
    createdAt,
  }
}

const orNull = (schema: object, description: string) =>
  Type.Unsafe<string | null>({ anyOf: [{ type: 'string', ...schema }, { type: 'null' }], description })

const callbackSchema = Type.Object(
  {
    type: Type.Literal('MANDATE', { description: 'Always MANDATE.' }),
    event: wordField<MandateEventWord>(
      ['APPROVED', 'UPDATED', 'EXPIRED', 'VOIDED', 'SUSPENDED'],
      'APPROVED, UPDATED, SUSPENDED: change by the customer. EXPIRED: not approved in time, or past its last day. VOIDED: ended.',
    ),
    mandate_id: idField('Id of the mandate.'),
    mandate_type: wordField(mandateTypes, 'Type of the mandate.'),
    method: Type.Literal(mbway.code, { description: 'Always MBWAY.' }),
    max_amount: amountField('Largest total of a calendar month.'),
    amount_available: amountField('Rest of the limit for this month.'),
    end_date: orNull({ format: 'date' }, 'Last day (Lisbon). Null before the approval.'),
    subscription_id: orNull({ format: 'uuid' }, 'Id of the subscription, for a SUBSCRIPTION mandate.'),
    request_id: orNull({ format: 'uuid' }, 'The `request_id` of the request for the mandate.'),
  },
  { title: 'MandateCallback', description: 'A mandate has changed.' },
)

const approved = {
  type: 'MANDATE',
  event: 'APPROVED',
  mandate_id: exampleId,
  mandate_type: 'ONECLICK',
  method: mbway.code,
  max_amount: 100,
  amount_available: 100,
  end_date: '2027-03-01',
  subscription_id: null,
  request_id: null,
}

export const webhooks: Readonly<Record<string, DescribedWebhook>> = {
  mandate: {
    summary: 'A mandate has changed',
    description: 'Sent to the `url_callback` of the mandate. Default: the address of the wallet.',
    body: callbackSchema,
    examples: {
      APPROVED: { summary: 'The customer approved it', value: approved },
      UPDATED: {
        summary: 'The customer changed the limit or the last day, or resumed the mandate',
        value: { ...approved, event: 'UPDATED', max_amount: 150, amount_available: 150 },
      },
      SUSPENDED: {
        summary: 'The customer suspended it',
        value: { ...approved, event: 'SUSPENDED', amount_available: 0 },
      },
      VOIDED: {
        summary: 'The mandate was ended',
        value: { ...approved, event: 'VOIDED', amount_available: 0 },
      },
      EXPIRED: {
        summary: 'The customer did not approve in time, or the last day is over',
        value: { ...approved, event: 'EXPIRED', max_amount: 0, amount_available: 0, end_date: null },
      },
    },
  },
}
