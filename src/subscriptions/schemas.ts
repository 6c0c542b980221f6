// Subscriptions and charges on the wire: reading requests, writing answers.
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
  wordField,
} from '../http/index.ts'
import { addDays, type Day, lisbonDayOf, parseDay } from '../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import type { CreditCard } from '../kernel/values/card-numbers.ts'
import { defaultPaymentMethodOf } from '../methods/list.ts'
import { cardSummaryFields, clientOnWire, shownClientSchema } from '../operations/for-movements.ts'
import { amountWithinRange, clientOf, clientSchema, itemsOf, itemsSchema } from '../operations/index.ts'
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
/** The day after later ones is written with more than four digits of a year. */
const dayMax = '9998-12-31'

/** `subscription` in the body of a checkout. */
export const subscriptionBody = Type.Object(
  {
    amount: requestAmount('What may be charged per billing cycle, at most.'),
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
      'DAY, WEEK or MONTH. Months keep the day of `start_date`, or have the last day of a shorter month.',
    ),
    start_date: Type.String({
      description:
        'The first Lisbon day on which a charge may be made, as yyyy-mm-dd: today or later; yesterday means today.',
      ...documented({ format: 'date' }),
    }),
    end_date: Type.Optional(
      described(
        filledSchema(10),
        'The last Lisbon day on which a charge may be made, as yyyy-mm-dd. No end where it is left out; the card or the phone of the customer may set an earlier one.',
        { format: 'date' },
      ),
    ),
    ext_subscriptionid: Type.Optional(
      described(referenceSchema(extSubscriptionIdLengthMax), 'Your reference of the subscription.'),
    ),
    description: Type.Optional(
      described(filledSchema(descriptionLengthMax), 'What the customer subscribes to, as they read it.', {
        examples: ['Coffee club'],
      }),
    ),
    client: Type.Optional(clientSchema),
    request_id: Type.Optional(requestIdSchema),
  },
  { title: 'SubscriptionRequest', description: 'What a customer allows you to charge.' },
)

/** A subscription as asked for, every field checked. */
export type SubscriptionDraft = Omit<
  NewSubscription,
  'id' | 'walletId' | 'checkoutId' | 'operationId' | 'createdAt'
>

/** Reads {@link subscriptionBody}, or refuses the first field that is wrong. */
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
  // West of Lisbon, or a moment after midnight, the sender's today is yesterday here.
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
  return ok({
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
    amount: requestAmount('What is charged: at most what is left of the billing cycle.'),
    currency: currencySchema,
    ext_invoiceid: Type.Optional(
      described(referenceSchema(extInvoiceIdLengthMax), 'Your reference of the charge.'),
    ),
    items: Type.Optional(itemsSchema),
    client: Type.Optional(clientSchema),
    request_id: Type.Optional(requestIdSchema),
  },
  { title: 'ChargePaymentRequest', description: 'What is charged.' },
)

/** The body of a charge. */
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

/** Reads {@link chargeBody}, or refuses the first field that is wrong. */
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
    token: Type.String({ description: 'Identifies the card, in upper case.' }),
    ...cardSummaryFields,
    expired: Type.Boolean({ description: 'Whether its last month is over.' }),
    verification_status: wordField(['VERIFIED', 'UNVERIFIED'], 'Whether the cardholder was authenticated.'),
    voided: Type.Boolean({ description: 'Whether it was deleted.' }),
  },
  { title: 'SubscriptionCard', description: 'The card that is charged.' },
)

/** A subscription as it is written, for the API reference. */
export const subscriptionSchema = Type.Object(
  {
    id: idField('Identifies the subscription.'),
    amount: amountField('What may be charged per billing cycle, at most.'),
    currency: currencyField,
    start_date: dayField('The first Lisbon day on which a charge may be made.'),
    end_date: Type.Optional(dayField('The last Lisbon day on which a charge may be made.')),
    description: Type.Optional(Type.String({ description: 'What the customer subscribes to.' })),
    status: wordField(
      Object.keys(subscriptionTransitions),
      'NEW until the customer accepts; only an APPROVED one is charged. FAILED, EXPIRED, CANCELED (by the customer) and VOIDED (by you) are final.',
    ),
    default_payment_method: Type.Optional(
      wordField(
        defaultPaymentMethods,
        'What is charged: a card, or a wallet, which the mobile wallet is too.',
      ),
    ),
    method: Type.Optional(wordField(subscriptionMethods, 'How it is charged, as the customer chose.')),
    card: Type.Optional(subscriptionCardSchema),
    frequency: Type.Optional(
      Type.Integer({
        description:
          'How many periods a billing cycle has. Only when a single subscription is read, as the fields that follow.',
      }),
    ),
    period: Type.Optional(wordField(periods, 'The period that `frequency` counts.')),
    ext_subscriptionid: Type.Optional(
      Type.String({ description: "The merchant's reference of the subscription." }),
    ),
    client: Type.Optional(shownClientSchema),
  },
  {
    title: 'Subscription',
    description: 'What a customer allows a merchant to charge.',
    additionalProperties: true,
  },
)

/** A charge order as it is written, for the API reference. */
export const chargeSchema = Type.Object(
  {
    id: idField('Identifies the charge.'),
    subscription_id: idField('The subscription that is charged.'),
    amount: amountField('What is charged.'),
    currency: currencyField,
    ext_invoiceid: Type.Optional(Type.String({ description: "The merchant's reference of the charge." })),
    status: wordField(
      Object.keys(chargeTransitions),
      'NEW when it is accepted, PROCESSING while the customer is charged; SUCCESS and FAIL are final.',
    ),
    date: Type.Optional(momentField('When it was accepted.')),
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

/** A subscription as lists show it (SPEC.md "Subscriptions and charges"). Fields without a value are left out. */
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

/** A subscription read by itself: every field of SPEC.md "Subscription" that it has. */
export function subscriptionOnWire(
  subscription: Subscription,
  card?: CreditCard | undefined,
): Record<string, unknown> {
  return {
    ...listedOnWire(subscription, card),
    frequency: subscription.frequency,
    period: subscription.period,
    ext_subscriptionid: subscription.extSubscriptionId,
    client: clientOnWire(subscription.client),
  }
}

/** What a charge is answered with when it is accepted. */
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

/** A charge order as it is read. */
export function chargeOnWire(charge: Charge): Record<string, unknown> {
  return { ...acceptedOnWire(charge), status: charge.status, date: dateOnWire(charge.createdAt) }
}
