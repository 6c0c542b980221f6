// The audit as the operator reads it, and who did what over all merchants.
import { type Static, Type } from 'typebox'
import { actionsSchema } from '../team.ts'

export const auditSchema = Type.Object({
  /** Newest first; the first has no end while it is in progress. */
  runs: Type.Array(
    Type.Object({
      id: Type.Integer(),
      started: Type.String(),
      started_by: Type.String(),
      ended: Type.Union([Type.String(), Type.Null()]),
      checks_total: Type.Integer(),
      /** Rows examined, by check. */
      checks: Type.Record(Type.String(), Type.Integer()),
      problems: Type.Array(
        Type.Object({ check: Type.String(), subject: Type.String(), detail: Type.String() }),
      ),
      problems_total: Type.Integer(),
      /** Why it was not finished. */
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
        /** Of whose merchant; null for what belongs to none. */
        wallet_id: Type.Union([Type.Integer(), Type.Null()]),
      }),
    ]),
  ),
  next: Type.Optional(Type.String()),
})
export type AllActionsAnswer = Static<typeof allActionsSchema>
