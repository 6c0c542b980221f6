// The team of a merchant, who is invited into it, and what it did.
import { type Static, Type } from 'typebox'
import { roleSchema } from './session.ts'

const memberSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: roleSchema,
  joined_at: Type.String(),
  /** Absent where they never did. */
  signed_in_at: Type.Optional(Type.String()),
  two_factor: Type.Boolean(),
  /** Whether it is who asks. */
  is_you: Type.Boolean(),
})
export type TeamMember = Static<typeof memberSchema>

const invitationSchema = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: roleSchema,
  created_at: Type.String(),
  expires_at: Type.String(),
  /** Nobody used it in time. */
  is_over: Type.Boolean(),
})
export type TeamInvitation = Static<typeof invitationSchema>

export const teamSchema = Type.Object({
  members: Type.Array(memberSchema),
  invitations: Type.Array(invitationSchema),
  /** Whether everybody of the team must use an authenticator app. */
  two_factor_required: Type.Boolean(),
})
export type TeamAnswer = Static<typeof teamSchema>

export const inviteBody = Type.Object({
  email: Type.String({ maxLength: 254, description: 'the address of who is invited' }),
  role: roleSchema,
})

export const teamRulesBody = Type.Object({ two_factor_required: Type.Boolean() })

export const roleBody = Type.Object({ role: roleSchema })

/** A link that works once; shown once. */
export const linkAnswer = Type.Object({ email: Type.String(), url: Type.String() })
export type LinkMade = Static<typeof linkAnswer>

export const emptyAnswer = Type.Object({})

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
      /** In euros, where it named an amount. */
      amount: Type.Optional(Type.Number()),
      /** Whom or what it named: an e-mail, the name of a key. */
      about: Type.Optional(Type.String()),
      /** What it changed of the merchant; '' for a value that was or is not there. */
      changes: Type.Optional(
        Type.Array(Type.Object({ field: Type.String(), old: Type.String(), new: Type.String() })),
      ),
      /** The network address it was asked from, for owners and operators. */
      address: Type.Optional(Type.String()),
    }),
  ),
  next: Type.Optional(Type.String()),
})
export type ActionsAnswer = Static<typeof actionsSchema>
