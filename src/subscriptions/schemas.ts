// Subscriptions and charges on the wire: reading requests, writing answers.
import { type Static, Type } from 'typebox'
import type { CreditCard } from '../cards/index.ts'
import {
  amountOnWire,
  amountSchema,
  dateOnWire,
  filledSchema,
  parseAmount,
  referenceSchema,
  textAsNumber,
  textSchema,
  wordSchema,
} from '../http/index.ts'
import { type Day, lisbonDayOf, parseDay } from '../kernel/lisbon.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import {
  amountWithinRange,
  clientOf,
  clientOnWire,
  clientSchema,
  itemsOf,
  itemsSchema,
} from '../operations/index.ts'
import type { ChargeDraft } from './charging/charge.ts'
import {
  type Charge,
  type NewCharge,
  type NewSubscription,
  periods,
  type Subscription,
  subscriptionMethods,
} from './model.ts'

const extSubscriptionIdLengthMax = 45
const extInvoiceIdLengthMax = 45
const descriptionLengthMax = 255
const frequencyMax = 365
/** The day after later ones is written with more than four digits of a year. */
const dayMax = '9998-12-31'

/** `subscription` in the body of a checkout. */
export const subscriptionBody = Type.Object({
  amount: amountSchema,
  currency: wordSchema(),
  frequency: Type.Integer({ minimum: 1, maximum: frequencyMax, ...textAsNumber }),
  period: wordSchema({ description: periods.join(', ') }),
  start_date: Type.String({ description: 'yyyy-mm-dd, today or later' }),
  end_date: Type.Optional(filledSchema(10)),
  ext_subscriptionid: Type.Optional(referenceSchema(extSubscriptionIdLengthMax)),
  description: Type.Optional(filledSchema(descriptionLengthMax)),
  client: Type.Optional(clientSchema),
  request_id: Type.Optional(textSchema(36)),
})

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
  const startDate = start.value
  const today = lisbonDayOf(now)
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

const paymentBody = Type.Object({
  amount: amountSchema,
  currency: wordSchema(),
  ext_invoiceid: Type.Optional(referenceSchema(extInvoiceIdLengthMax)),
  items: Type.Optional(itemsSchema),
  client: Type.Optional(clientSchema),
  request_id: Type.Optional(textSchema(36)),
})

/** The body of a charge. */
export const chargeBody = Type.Object({
  payment: paymentBody,
  request_id: Type.Optional(textSchema(36)),
})

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

/** A subscription as it is written, for the API reference. */
export const subscriptionSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    amount: Type.Number(),
    currency: Type.String(),
    start_date: Type.String(),
    end_date: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    status: Type.String({ description: 'NEW, APPROVED, FAILED, EXPIRED, CANCELED or VOIDED' }),
    default_payment_method: Type.Optional(Type.String({ description: subscriptionMethods.join(', ') })),
    card: Type.Optional(Type.Object({}, { additionalProperties: true })),
    frequency: Type.Optional(
      Type.Integer({ description: 'Only when a single subscription is read, as the fields that follow.' }),
    ),
    period: Type.Optional(Type.String({ description: periods.join(', ') })),
    ext_subscriptionid: Type.Optional(Type.String()),
    client: Type.Optional(clientSchema),
  },
  { additionalProperties: true },
)

/** A charge order as it is written, for the API reference. */
export const chargeSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    subscription_id: Type.String({ format: 'uuid' }),
    amount: Type.Number(),
    currency: Type.String(),
    ext_invoiceid: Type.Optional(Type.String()),
    status: Type.String(),
    date: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)

/** A subscription as lists show it (SPEC.md "Subscriptions and charges"). Fields without a value are left out. */
export function listedOnWire(
  subscription: Subscription,
  card: CreditCard | undefined,
): Record<string, unknown> {
  return {
    id: subscription.id,
    amount: amountOnWire(subscription.amount),
    currency: subscription.currency,
    start_date: subscription.startDate,
    end_date: subscription.endDate,
    description: subscription.description,
    status: subscription.status,
    default_payment_method: subscription.status === 'NEW' ? undefined : subscription.method,
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
