// Schemas of a team and its action log.
import { type Static, Type } from 'typebox'
import { roleSchema } from './session.ts'

const memberSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: roleSchema,
  joined_at: Type.String(),
  signed_in_at: Type.Optional(Type.String()),
  two_factor: Type.Boolean(),
  is_you: Type.Boolean(),
})
export type TeamMember = Static<typeof memberSchema>

const invitationSchema = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: roleSchema,
  created_at: Type.String(),
  expires_at: Type.String(),
  is_over: Type.Boolean(),
})
export type TeamInvitation = Static<typeof invitationSchema>

export const teamSchema = Type.Object({
  members: Type.Array(memberSchema),
  invitations: Type.Array(invitationSchema),
  two_factor_required: Type.Boolean(),
})
export type TeamAnswer = Static<typeof teamSchema>

export const inviteBody = Type.Object({
  email: Type.String({ maxLength: 254, description: 'e-mail address of the invited person' }),
  role: roleSchema,
})

export const teamRulesBody = Type.Object({ two_factor_required: Type.Boolean() })

export const roleBody = Type.Object({ role: roleSchema })

export const linkAnswer = Type.Object({ email: Type.String(), url: Type.String() })
export type LinkMade = Static<typeof linkAnswer>

export const emptyAnswer = Type.Object({})

export const actionsQuery = Type.Object({
  before: Type.Optional(Type.String()),
})

export const actionsSchema = Type.Object({
  actions: Type.Array(
    Type.Object({
      at: Type.String(),
      email: Type.String(),
      action: Type.String(),
      target: Type.String(),
      /** The HTTP status; 0 if the action is running or was interrupted. */
      status: Type.Integer(),
      tid: Type.String(),
      amount: Type.Optional(Type.Number()),
      about: Type.Optional(Type.String()),
      /** An empty text means that there was no value. */
      changes: Type.Optional(
        Type.Array(Type.Object({ field: Type.String(), old: Type.String(), new: Type.String() })),
      ),
      /** The IP address. Only owners and operators see it. */
      address: Type.Optional(Type.String()),
    }),
  ),
  next: Type.Optional(Type.String()),
})
export type ActionsAnswer = Static<typeof actionsSchema>
