// Schemas of a person's sessions.
import { type Static, Type } from 'typebox'

export const ownSessionsSchema = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      began_at: Type.String(),
  /** Accurate to the hour. */
      used_at: Type.String(),
      address: Type.Optional(Type.String()),
      user_agent: Type.Optional(Type.String()),
      is_this: Type.Boolean(),
    }),
  ),
})
export type OwnSessionsAnswer = Static<typeof ownSessionsSchema>
