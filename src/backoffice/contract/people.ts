// Joining by a one-time link, the team of a merchant, and the log of who did what.
import { type Static, Type } from 'typebox'
import { roleSchema } from './session.ts'

export const linkSchema = Type.Object({
  purpose: Type.Enum(['invitation', 'password']),
  email: Type.String(),
  /** Of the merchant whose team it leads to; absent for operators and new passwords. */
  merchant: Type.Optional(Type.String()),
  role: Type.Optional(roleSchema),
  /** Whether the address has an account, whose password is then asked for. */
  has_account: Type.Boolean(),
})
export type LinkAnswer = Static<typeof linkSchema>

export const tokenSchema = Type.Object({ token: Type.String({ maxLength: 100 }) })

export const joinSchema = Type.Object({
  token: Type.String({ maxLength: 100 }),
  name: Type.Optional(Type.String({ maxLength: 100 })),
  password: Type.String({ maxLength: 128 }),
})
