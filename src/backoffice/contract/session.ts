// Schemas of the session.
import { type Static, Type } from 'typebox'

export const roleSchema = Type.Enum(['owner', 'finance', 'support', 'developer', 'read_only'])

export const sessionSchema = Type.Object({
  name: Type.String(),
  email: Type.String(),
  two_factor: Type.Boolean(),
  operator: Type.Boolean(),
  /** Sent as `x-csrf-token` with every change. */
  csrf_token: Type.String(),
  mode: Type.Enum(['sandbox', 'production']),
  methods: Type.Array(
    Type.Object({
      code: Type.String(),
      /** The position on hosted pages; null: the method is not offered there. */
      page_place: Type.Union([Type.Integer(), Type.Null()]),
      by_default: Type.Boolean(),
    }),
  ),
  wallets: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      role: roleSchema,
      abilities: Type.Array(Type.String()),
      rights: Type.Array(Type.String()),
      methods: Type.Array(Type.String()),
      suspended: Type.Union([Type.String(), Type.Null()]),
      suspended_reason: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
})
export type SessionAnswer = Static<typeof sessionSchema>

export const signInSchema = Type.Object({
  email: Type.String({ maxLength: 254, description: 'their address' }),
  password: Type.String({ maxLength: 128 }),
})

export const signInAnswer = Type.Object({
  two_factor: Type.Boolean(),
})

export const confirmSchema = Type.Object({
  password: Type.Optional(Type.String({ maxLength: 128 })),
  code: Type.Optional(Type.String({ maxLength: 16, description: 'of the authenticator app' })),
})

export const linkSchema = Type.Object({
  purpose: Type.Enum(['invitation', 'password']),
  email: Type.String(),
  /** Absent for operators, and for links to a new password. */
  merchant: Type.Optional(Type.String()),
  role: Type.Optional(roleSchema),
  has_account: Type.Boolean(),
})
export type LinkAnswer = Static<typeof linkSchema>

export const tokenSchema = Type.Object({ token: Type.String({ maxLength: 100 }) })

export const joinSchema = Type.Object({
  token: Type.String({ maxLength: 100 }),
  name: Type.Optional(Type.String({ maxLength: 100 })),
  password: Type.String({ maxLength: 128 }),
})

export const ownSessionsSchema = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      began_at: Type.String(),
      used_at: Type.String(),
      address: Type.Optional(Type.String()),
      user_agent: Type.Optional(Type.String()),
      is_this: Type.Boolean(),
    }),
  ),
})
export type OwnSessionsAnswer = Static<typeof ownSessionsSchema>
