// Schemas of one-time links.
import { type Static, Type } from 'typebox'
import { roleSchema } from './session.ts'

export const linkSchema = Type.Object({
  purpose: Type.Enum(['invitation', 'password']),
  email: Type.String(),
/** Absent for operators and new passwords. */
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
