// Schemas of payments.
import { type Static, Type } from 'typebox'

const optional = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }))

/** Commas separate several values of a filter. */
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
  customer: text,
  by: text,
  invoice: text,
  error: text,
})
export type ListedPayment = Static<typeof listedPayment>

export const paymentsSchema = Type.Object({
  payments: Type.Array(listedPayment),
  next: text,
})
export type PaymentsAnswer = Static<typeof paymentsSchema>

export const askersQuery = Type.Object({
  /** At most 100 operations, separated by commas. */
  ids: Type.String({ maxLength: 3700 }),
})

/** People by operation. Operations of programs and schedules are absent. */
export const askersSchema = Type.Record(
  Type.String(),
  Type.Object({ name: Type.String(), role: Type.Union([Type.String(), Type.Null()]) }),
)
export type AskersAnswer = Static<typeof askersSchema>

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
  operation: Type.String(),
  word: text,
  facts: Type.Record(Type.String(), Type.String()),
  postings: Type.Optional(Type.Array(postingSchema)),
})
export type StoryMoment = Static<typeof moment>

export const paymentSchema = Type.Object({
  payment: Type.Object({ id: Type.String() }, { additionalProperties: true }),
  /** The payment and its relatives, oldest first. */
  family: Type.Array(listedPayment),
  /** The amounts of possible actions, in euros. */
  left: Type.Object({
    refund: Type.Optional(Type.Number()),
    capture: Type.Optional(Type.Number()),
    release: Type.Optional(Type.Number()),
    split: Type.Optional(Type.Number()),
  }),
  /** Whether refunds of its method go to an account that somebody names. */
  to_account: Type.Boolean(),
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
