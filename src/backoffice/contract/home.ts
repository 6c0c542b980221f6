// Schemas of the first page.
import { type Static, Type } from 'typebox'

const period = Type.Object({
  amount: Type.Number(),
  payments: Type.Integer(),
  refunded: Type.Number(),
  amount_before: Type.Number(),
  payments_before: Type.Integer(),
})
export type PeriodFigures = Static<typeof period>

const waiting = Type.Object({ count: Type.Integer(), amount: Type.Optional(Type.Number()) })

export const homeSchema = Type.Object({
  today: period,
  week: period,
  month: period,
  methods: Type.Array(
    Type.Object({
      method: Type.String(),
      /** Authorizations are counted apart, because they are no sales before their capture. */
      of: Type.Enum(['payments', 'authorizations']),
      completed: Type.Integer(),
      failed: Type.Integer(),
      amount: Type.Number(),
    }),
  ),
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
    open_authorizations: waiting,
    authorizations: waiting,
    charges: waiting,
    callbacks: Type.Object({ retried: Type.Integer(), given_up: Type.Integer() }),
  }),
})
export type HomeAnswer = Static<typeof homeSchema>
