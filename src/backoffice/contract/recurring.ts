// Schemas of bank references and stored cards.
import { type Static, Type } from 'typebox'

export const referencesQuery = Type.Object({
  state: Type.Optional(Type.Enum(['open', 'paid', 'expired', 'deleted'])),
  kind: Type.Optional(Type.Enum(['time_limited', 'instant', 'recurring'])),
  ref: Type.Optional(Type.String({ maxLength: 11 })),
  before: Type.Optional(Type.String()),
})

export const referencesAnswer = Type.Object({
  references: Type.Array(
    Type.Object({
      id: Type.String(),
      entity: Type.String(),
      ref: Type.String(),
      kind: Type.Enum(['time_limited', 'instant', 'recurring']),
      state: Type.Enum(['open', 'paid', 'expired', 'deleted']),
      amount_min: Type.Number(),
      amount_max: Type.Number(),
      created: Type.String(),
      expires: Type.Union([Type.String(), Type.Null()]),
      /** The payment of the reference. Null for a recurring reference, which can have many. */
      operation: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  next: Type.Optional(Type.String()),
})
export type ReferencesAnswer = Static<typeof referencesAnswer>

export const cardsQuery = Type.Object({
  last4: Type.Optional(Type.String({ maxLength: 4 })),
  deleted: Type.Optional(Type.Boolean()),
  before: Type.Optional(Type.String({ maxLength: 80 })),
})

export const cardsAnswer = Type.Object({
  cards: Type.Array(
    Type.Object({
      /** Present only for roles that may use it. */
      token: Type.Optional(Type.String()),
      brand: Type.String(),
      bin: Type.String(),
      last4: Type.String(),
      valdate: Type.String(),
      expired: Type.Boolean(),
      verified: Type.Boolean(),
      created: Type.String(),
      deleted: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  next: Type.Optional(Type.String()),
})
export type CardsAnswer = Static<typeof cardsAnswer>
