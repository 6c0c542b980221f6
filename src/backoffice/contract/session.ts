// Who is signed in, as pages learn it.
import { type Static, Type } from 'typebox'

export const roleSchema = Type.Enum(['owner', 'finance', 'support', 'developer', 'read_only'])

export const sessionSchema = Type.Object({
  name: Type.String(),
  email: Type.String(),
  two_factor: Type.Boolean(),
  operator: Type.Boolean(),
  /** Sent as `x-csrf-token` with everything that changes something. */
  csrf_token: Type.String(),
  mode: Type.Enum(['sandbox', 'production']),
  /** Methods of payment, in the order in which wallets list them. */
  methods: Type.Array(
    Type.Object({
      code: Type.String(),
      /** Its place on hosted pages; null: customers cannot choose it there. */
      page_place: Type.Union([Type.Integer(), Type.Null()]),
      /** Whether a new merchant has it. */
      by_default: Type.Boolean(),
    }),
  ),
  /** Whose teams they are in, the first joined first. */
  wallets: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      role: roleSchema,
      abilities: Type.Array(Type.String()),
      rights: Type.Array(Type.String()),
      methods: Type.Array(Type.String()),
      /** Since when the operator has it begin nothing new, and why; null where it may. */
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
  /** Whether a code is asked for before they are signed in. */
  two_factor: Type.Boolean(),
})

export const confirmSchema = Type.Object({
  password: Type.Optional(Type.String({ maxLength: 128 })),
  code: Type.Optional(Type.String({ maxLength: 16, description: 'of the authenticator app' })),
})
