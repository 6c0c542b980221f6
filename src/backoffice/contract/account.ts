// What somebody sees of their own account: where they are signed in.
import { type Static, Type } from 'typebox'

export const ownSessionsSchema = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      began_at: Type.String(),
      /** Known to the hour. */
      used_at: Type.String(),
      address: Type.Optional(Type.String()),
      user_agent: Type.Optional(Type.String()),
      /** The one that asks. */
      is_this: Type.Boolean(),
    }),
  ),
})
export type OwnSessionsAnswer = Static<typeof ownSessionsSchema>
