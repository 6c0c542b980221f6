// Schemas of the audit and of the log of all merchants.
import { type Static, Type } from 'typebox'
import { actionsSchema } from '../team.ts'

export const auditSchema = Type.Object({
  /** Newest first. An audit that is running has no end. */
  runs: Type.Array(
    Type.Object({
      id: Type.Integer(),
      started: Type.String(),
      started_by: Type.String(),
      ended: Type.Union([Type.String(), Type.Null()]),
      checks_total: Type.Integer(),
      checks: Type.Record(Type.String(), Type.Integer()),
      problems: Type.Array(
        Type.Object({ check: Type.String(), subject: Type.String(), detail: Type.String() }),
      ),
      problems_total: Type.Integer(),
      error: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
})
export type AuditAnswer = Static<typeof auditSchema>
export type AuditRunAnswer = AuditAnswer['runs'][number]

export const allActionsSchema = Type.Object({
  actions: Type.Array(
    Type.Intersect([
      actionsSchema.properties.actions.items,
      Type.Object({
        id: Type.String(),
        /** Null if the action is about no merchant. */
        wallet_id: Type.Union([Type.Integer(), Type.Null()]),
      }),
    ]),
  ),
  next: Type.Optional(Type.String()),
})
export type AllActionsAnswer = Static<typeof allActionsSchema>
