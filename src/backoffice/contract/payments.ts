// Payments: searched, and one with all that is known of it.
import { type Static, Type } from 'typebox'

const optional = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }))

/** All may be left out. Several words of one filter are separated by commas. */
export const paymentsQuery = Type.Object({
  text: optional(
    'An id or its beginning, a reference, an amount, an e-mail, a phone, the last digits of a card.',
  ),
  type: optional('Types of operations.'),
  status: optional('Statuses.'),
  method: optional('Methods.'),
  channel: optional('Channels.'),
  store: optional('Numbers of stores.'),
  from: optional('The first Lisbon day.'),
  to: optional('The last Lisbon day.'),
  min: optional('The least amount, in euros, without sign.'),
  max: optional('The largest.'),
  after: optional('next of the page before.'),
})
export type PaymentsQuery = Static<typeof paymentsQuery>

const text = Type.Optional(Type.String())

const listedPayment = Type.Object({
  id: Type.String(),
  date: Type.String(),
  type: Type.String(),
  status: Type.String(),
  method: text,
  channel: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  refunded: Type.Number(),
  store: Type.Optional(Type.Integer()),
  /** Of whom pays: a name, an e-mail or a phone. */
  customer: text,
  /** What they pay by: the last digits of a card, a reference. */
  by: text,
  invoice: text,
  error: text,
})
export type ListedPayment = Static<typeof listedPayment>

export const paymentsSchema = Type.Object({
  payments: Type.Array(listedPayment),
  /** To be asked for as `after`; absent at the end. */
  next: text,
})
export type PaymentsAnswer = Static<typeof paymentsSchema>

export const askersQuery = Type.Object({
  /** Of operations, separated by commas: at most 100. */
  ids: Type.String({ maxLength: 3700 }),
})

/** By operation: who of the team asked for it. What programs and schedules made is not in it. */
export const askersSchema = Type.Record(
  Type.String(),
  Type.Object({ name: Type.String(), role: Type.Union([Type.String(), Type.Null()]) }),
)
export type AskersAnswer = Static<typeof askersSchema>

/** An account; whose it is, where it is another wallet's. */
const account = Type.Object({ account: Type.String(), public_id: text })

export const postingSchema = Type.Object({ debit: account, credit: account, amount: Type.Number() })

const momentKinds = [
  'made',
  'asked',
  'attempt',
  'authenticated',
  'provider_asked',
  'provider_answered',
  'provider_reported',
  'attempt_ended',
  'booked',
  'divided',
  'settled',
  'lapsed',
  'event',
  'delivery',
] as const

const moment = Type.Object({
  at: Type.String(),
  kind: Type.Enum([...momentKinds]),
  /** The operation that it happened to. */
  operation: Type.String(),
  /** A status, a state or an event's word. */
  word: text,
  /** Names and values, such as `method` or `error`. */
  facts: Type.Record(Type.String(), Type.String()),
  postings: Type.Optional(Type.Array(postingSchema)),
})
export type StoryMoment = Static<typeof moment>

export const paymentSchema = Type.Object({
  /** As the API answers it. */
  payment: Type.Object({ id: Type.String() }, { additionalProperties: true }),
  /** All that belongs together with it, itself included, the oldest first. */
  family: Type.Array(listedPayment),
  /** What can still be done with it, in euros. */
  left: Type.Object({
    refund: Type.Optional(Type.Number()),
    capture: Type.Optional(Type.Number()),
    release: Type.Optional(Type.Number()),
    split: Type.Optional(Type.Number()),
  }),
  belongs_to: Type.Object({ checkout: text, subscription: text, payment_link: text, parent: text }),
  timeline: Type.Array(moment),
})
export type PaymentAnswer = Static<typeof paymentSchema> & {
  readonly payment: {
    readonly type: string
    readonly status: string
    readonly amount: number
    readonly amount_net: number
    readonly fee: number
    readonly currency: string
    readonly date: string
    readonly method?: string
    readonly [field: string]: unknown
  }
}
