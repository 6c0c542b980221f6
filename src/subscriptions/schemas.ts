// Subscriptions and charges on the wire.
import { type Static, Type } from 'typebox'
import {
  amountField,
  amountOnWire,
  coerceStringToNumber,
  currencyField,
  currencySchema,
  dateOnWire,
  dayField,
  described,
  documented,
  exampleId,
  exampleMoment,
  filledSchema,
  idField,
  momentField,
  oneOfSchema,
  parseAmount,
  referenceSchema,
  requestAmount,
  requestIdSchema,
  used,
  wordField,
} from '../http/index.ts'
import { addDays, type Day, lisbonDayOf, parseDay } from '../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import type { CreditCard } from '../kernel/values/card-numbers.ts'
import { defaultPaymentMethodOf } from '../methods/list.ts'
import { cardSummaryFields, clientOnWire, shownClientSchema } from '../operations/for-movements.ts'
import { amountWithinRange, clientOf, clientSchema, itemsOf, itemsSchema } from '../operations/index.ts'
import type { AutoCharge } from './auto/model.ts'
import {
  autoChargeBody,
  autoChargeOnWire,
  autoChargeSchema,
  numberedOnWire,
  numberedSchema,
  readAutoCharge,
} from './auto/schemas.ts'
import type { ChargeDraft } from './charging/charge.ts'
import {
  type Charge,
  chargeTransitions,
  type NewCharge,
  type NewSubscription,
  periods,
  type Subscription,
  subscriptionMethods,
  subscriptionTransitions,
} from './model.ts'

const extSubscriptionIdLengthMax = 45
const extInvoiceIdLengthMax = 45
const descriptionLengthMax = 255
const frequencyMax = 365
/** The code also computes the day after, and a year of five digits is not possible. */
const dayMax = '9998-12-31'

export const subscriptionBody = Type.Object(
  {
    amount: requestAmount('Most that you can charge in one billing cycle.'),
    currency: currencySchema,
    frequency: Type.Integer({
      minimum: 1,
      maximum: frequencyMax,
      description: 'Number of periods in one billing cycle, such as 3 with `MONTH` for a quarter.',
      examples: [1],
      ...coerceStringToNumber,
    }),
    period: oneOfSchema(
      periods,
      'DAY, WEEK or MONTH. Monthly cycles begin on the day of `start_date`, or on the last day of a shorter month.',
    ),
    start_date: Type.String({
      description: 'First Lisbon day for charges, as yyyy-mm-dd: today or later. Yesterday counts as today.',
      ...documented({ format: 'date' }),
    }),
    end_date: Type.Optional(
      described(
        filledSchema(10),
        "Last Lisbon day for charges, as yyyy-mm-dd. Default: no end. The customer's card or phone may set an earlier one.",
        { format: 'date' },
      ),
    ),
    ext_subscriptionid: Type.Optional(
      described(referenceSchema(extSubscriptionIdLengthMax), 'Your reference of the subscription.'),
    ),
    description: Type.Optional(
      described(filledSchema(descriptionLengthMax), 'Name of the subscription, which the customer sees.', {
        examples: ['Coffee club'],
      }),
    ),
    client: Type.Optional(clientSchema),
    auto_charge: Type.Optional(
      used(autoChargeBody, 'Makes the gateway charge each cycle. Default: you make every charge.'),
    ),
    request_id: Type.Optional(requestIdSchema),
  },
  { title: 'SubscriptionRequest', description: 'A permission for repeated charges.' },
)

/** A requested subscription after all its fields were checked. */
export type SubscriptionDraft = Omit<
  NewSubscription,
  'id' | 'walletId' | 'checkoutId' | 'operationId' | 'createdAt'
>

/** Refusals name the first wrong field. */
export function readSubscription(
  body: Static<typeof subscriptionBody>,
  now: Instant,
): Result<SubscriptionDraft> {
  const digits = parseAmount(body.amount, 'subscription.amount')
  if (!digits.ok) return digits
  const amount = amountWithinRange(digits.value, 'subscription.amount')
  if (!amount.ok) return amount
  if (body.currency.toUpperCase() !== 'EUR')
    return refuse('invalid_parameter', 'subscription.currency must be EUR')
  const period = periods.find((word) => word === body.period.toUpperCase())
  if (period === undefined) {
    return refuse('invalid_parameter', `subscription.period must be one of ${periods.join(', ')}`)
  }
  const start = dayOf(body.start_date, 'subscription.start_date')
  if (!start.ok) return start
  const today = lisbonDayOf(now)
  // West of Lisbon, or just after midnight, the sender's today can be yesterday in Lisbon.
  const startDate = start.value === addDays(today, -1) ? today : start.value
  if (startDate < today) {
    return refuse('invalid_parameter', `subscription.start_date must be ${today} (today in Lisbon) or later`)
  }
  const end = body.end_date ? dayOf(body.end_date, 'subscription.end_date') : ok(undefined)
  if (!end.ok) return end
  const endDate = end.value
  if (endDate !== undefined && endDate < startDate) {
    return refuse(
      'invalid_parameter',
      `subscription.end_date must be ${startDate} (subscription.start_date) or later`,
    )
  }
  const field = 'subscription.auto_charge'
  const autoCharge =
    body.auto_charge && Object.keys(body.auto_charge).length > 0
      ? readAutoCharge(body.auto_charge, { field, limit: amount.value })
      : ok(undefined)
  if (!autoCharge.ok) return autoCharge
  return ok({
    autoCharge: autoCharge.value,
    amount: amount.value,
    currency: 'EUR',
    frequency: body.frequency,
    period,
    startDate,
    endDate,
    extSubscriptionId: body.ext_subscriptionid || undefined,
    description: body.description || undefined,
    client: clientOf(body.client),
  })
}

function dayOf(text: string, field: string): Result<Day> {
  const day = parseDay(text)
  if (day === undefined) {
    return refuse('invalid_parameter', `${field} must be a day as yyyy-mm-dd, such as 2026-03-01`)
  }
  if (day > dayMax) return refuse('invalid_parameter', `${field} must be ${dayMax} or earlier`)
  return ok(day)
}

const paymentBody = Type.Object(
  {
    amount: requestAmount('Amount in euros, at most the rest of the billing cycle.'),
    currency: currencySchema,
    ext_invoiceid: Type.Optional(
      described(referenceSchema(extInvoiceIdLengthMax), 'Your reference of the charge.'),
    ),
    items: Type.Optional(itemsSchema),
    client: Type.Optional(clientSchema),
    request_id: Type.Optional(requestIdSchema),
  },
  { title: 'ChargePaymentRequest', description: 'The amount and your reference.' },
)

export const chargeBody = Type.Object(
  {
    payment: paymentBody,
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'ChargeRequest',
    description: 'A charge of a subscription.',
    examples: [{ payment: { amount: 9.99, currency: 'EUR', ext_invoiceid: '2026-0042' } }],
  },
)

/** Refusals name the first wrong field. */
export function readCharge({ payment }: Static<typeof chargeBody>): Result<ChargeDraft> {
  const digits = parseAmount(payment.amount, 'payment.amount')
  if (!digits.ok) return digits
  const amount = amountWithinRange(digits.value, 'payment.amount')
  if (!amount.ok) return amount
  if (payment.currency.toUpperCase() !== 'EUR')
    return refuse('invalid_parameter', 'payment.currency must be EUR')
  return ok({
    amount: amount.value,
    extInvoiceId: payment.ext_invoiceid || undefined,
    items: itemsOf(payment.items),
    client: clientOf(payment.client),
  })
}

const defaultPaymentMethods = [...new Set(subscriptionMethods.map(defaultPaymentMethodOf))].toReversed()
const [exampleMethod] = subscriptionMethods

const subscriptionCardSchema = Type.Object(
  {
    token: Type.String({ description: 'Token of the card, in upper case.' }),
    ...cardSummaryFields,
    expired: Type.Boolean({ description: '`true` after the expiry month.' }),
    verification_status: wordField(['VERIFIED', 'UNVERIFIED'], '`true` if the cardholder was authenticated.'),
    voided: Type.Boolean({ description: '`true` if the card was deleted.' }),
  },
  { title: 'SubscriptionCard', description: 'The card for the charges.' },
)

export const subscriptionSchema = Type.Object(
  {
    id: idField('Id of the subscription.'),
    amount: amountField('Most that can be charged in one billing cycle.'),
    currency: currencyField,
    start_date: dayField('First Lisbon day for charges.'),
    end_date: Type.Optional(dayField('Last Lisbon day for charges.')),
    description: Type.Optional(
      Type.String({ description: 'Name of the subscription, which the customer sees.' }),
    ),
    status: wordField(
      Object.keys(subscriptionTransitions),
      'NEW until the customer accepts; charges need APPROVED. FAILED, EXPIRED, CANCELED (by the customer) and VOIDED (by you) are final.',
    ),
    default_payment_method: Type.Optional(
      wordField(
        defaultPaymentMethods,
        'Source of the charges: a card, or a wallet (also for the mobile wallet).',
      ),
    ),
    method: Type.Optional(wordField(subscriptionMethods, 'Payment method that the customer chose.')),
    card: Type.Optional(subscriptionCardSchema),
    frequency: Type.Optional(
      Type.Integer({
        description:
          'Number of periods in one billing cycle. This and the following fields are only in the answer for a single subscription.',
      }),
    ),
    period: Type.Optional(wordField(periods, 'Unit of `frequency`.')),
    ext_subscriptionid: Type.Optional(Type.String({ description: 'Your reference of the subscription.' })),
    client: Type.Optional(shownClientSchema),
    auto_charge: Type.Optional(autoChargeSchema),
  },
  {
    title: 'Subscription',
    description: 'A permission for repeated charges.',
    additionalProperties: true,
  },
)

export const chargeSchema = Type.Object(
  {
    id: idField('Id of the charge.'),
    subscription_id: idField('The subscription of the charge.'),
    amount: amountField('Amount in euros.'),
    currency: currencyField,
    ext_invoiceid: Type.Optional(Type.String({ description: 'Your reference of the charge.' })),
    status: wordField(
      Object.keys(chargeTransitions),
      'NEW: accepted. PROCESSING: the customer is being charged. SUCCESS and FAIL are final.',
    ),
    date: Type.Optional(momentField('Moment at which it was accepted.')),
    error: Type.Optional(Type.String({ description: 'Reason of a failed automatic charge, in a word.' })),
    auto_charge: Type.Optional(used(numberedSchema, 'Present for charges that the gateway makes.')),
  },
  { title: 'ChargeOrder', description: 'A charge of a subscription.', additionalProperties: true },
)

export const listedSubscriptionExample = {
  id: exampleId,
  amount: 9.99,
  currency: 'EUR',
  start_date: '2026-03-01',
  end_date: '2027-02-28',
  description: 'Magazine, monthly',
  status: 'APPROVED',
  default_payment_method: exampleMethod && defaultPaymentMethodOf(exampleMethod),
  method: exampleMethod,
  card: {
    token: '0198C2F4-5D0E-7C3B-9A61-3F2B8E7D4C11',
    last4: '0027',
    type: 'visa',
    valdate: '12/2030',
    expired: false,
    verification_status: 'VERIFIED',
    bin: '417666',
    voided: false,
  },
}

export const subscriptionExample = {
  ...listedSubscriptionExample,
  frequency: 1,
  period: 'MONTH',
  ext_subscriptionid: 'S-42',
  client: { name: 'Ana Silva', email: 'ana@example.com' },
}

export const chargeExample = {
  amount: 9.99,
  currency: 'EUR',
  ext_invoiceid: '2026-0042',
  id: '0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30',
  status: 'SUCCESS',
  subscription_id: exampleId,
  date: exampleMoment,
}

/** A subscription in a list (SPEC.md "Subscriptions and charges"). Fields without a value are omitted. */
export function listedOnWire(
  subscription: Subscription,
  card: CreditCard | undefined,
): Record<string, unknown> {
  const method = subscription.status === 'NEW' ? undefined : subscription.method
  return {
    id: subscription.id,
    amount: amountOnWire(subscription.amount),
    currency: subscription.currency,
    start_date: subscription.startDate,
    end_date: subscription.endDate,
    description: subscription.description,
    status: subscription.status,
    default_payment_method: method && defaultPaymentMethodOf(method),
    method,
    card,
  }
}

/** A subscription with every field that has a value (SPEC.md "Subscription"). */
export function subscriptionOnWire(
  subscription: Subscription,
  card?: CreditCard | undefined,
  auto?: AutoCharge | undefined,
): Record<string, unknown> {
  return {
    ...listedOnWire(subscription, card),
    frequency: subscription.frequency,
    period: subscription.period,
    ext_subscriptionid: subscription.extSubscriptionId,
    client: clientOnWire(subscription.client),
    auto_charge: auto && autoChargeOnWire(auto, subscription),
  }
}

export function acceptedOnWire(charge: NewCharge): Record<string, unknown> {
  return {
    amount: amountOnWire(charge.amount),
    currency: charge.currency,
    ext_invoiceid: charge.extInvoiceId,
    id: charge.id,
    status: 'NEW',
    subscription_id: charge.subscriptionId,
  }
}

export function chargeOnWire(charge: Charge): Record<string, unknown> {
  const shown = { ...acceptedOnWire(charge), status: charge.status, date: dateOnWire(charge.createdAt) }
  return charge.attempt === undefined
    ? shown
    : { ...shown, error: charge.error, auto_charge: numberedOnWire(charge, charge.error) }
}
