// The team of a merchant, and what it did.
import { type Static, Type } from 'typebox'

export const actionsQuery = Type.Object({
  /** `next` of the page before. */
  before: Type.Optional(Type.String()),
})

export const actionsSchema = Type.Object({
  actions: Type.Array(
    Type.Object({
      at: Type.String(),
      email: Type.String(),
      action: Type.String(),
      /** The path that was asked. */
      target: Type.String(),
      /** Of HTTP; 0 while it is being done, or where it was cut off. */
      status: Type.Integer(),
      tid: Type.String(),
    }),
  ),
  next: Type.Optional(Type.String()),
})
export type ActionsAnswer = Static<typeof actionsSchema>
