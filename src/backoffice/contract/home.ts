// Home: what was sold, and what waits for somebody.
import { type Static, Type } from 'typebox'

const period = Type.Object({
  /** What was paid, in euros. */
  amount: Type.Number(),
  payments: Type.Integer(),
  refunded: Type.Number(),
  /** The same of the days before. */
  amount_before: Type.Number(),
  payments_before: Type.Integer(),
})
export type PeriodFigures = Static<typeof period>

const waiting = Type.Object({ count: Type.Integer(), amount: Type.Optional(Type.Number()) })

export const homeSchema = Type.Object({
  today: period,
  /** Seven days, today included. */
  week: period,
  /** Thirty days, today included. */
  month: period,
  /** Of the month. */
  methods: Type.Array(
    Type.Object({
      method: Type.String(),
      /** Authorizations are counted apart: they are no sale before their capture. */
      of: Type.Enum(['payments', 'authorizations']),
      completed: Type.Integer(),
      failed: Type.Integer(),
      amount: Type.Number(),
    }),
  ),
  /** Of the month, each of them, the oldest first. */
  days: Type.Array(
    Type.Object({
      day: Type.String(),
      amount: Type.Number(),
      payments: Type.Integer(),
      refunded: Type.Number(),
    }),
  ),
  waiting: Type.Object({
    references: waiting,
    /** With something left to capture; and of them, those that lapse soon. */
    open_authorizations: waiting,
    authorizations: waiting,
    charges: waiting,
    callbacks: Type.Object({ retried: Type.Integer(), given_up: Type.Integer() }),
  }),
})
export type HomeAnswer = Static<typeof homeSchema>
