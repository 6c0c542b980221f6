// The SQL of audit runs.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type AuditFinding, execute, findAll, storeFunction } from '../storage/index.ts'
import { auditRuns } from './model.ts'

/** Ends a run that showed no sign of life since `silentSince`. */
export const endAbandoned = execute((now: Instant, silentSince: Instant) => [
  toTimestamp(now),
  toTimestamp(silentSince),
])`
  update audit_runs set ended_at = $1, error = 'the process that ran it ended'
  where ended_at is null and seen_at < $2`

/** Returns undefined during another run. */
export const beginRun = storeFunction(
  (run: { readonly at: Instant; readonly by: string; readonly checksTotal: number }) => [
    toTimestamp(run.at),
    run.by,
    run.checksTotal,
  ],
  ([row]: { id: bigint }[]) => row?.id,
)`
  insert into audit_runs (started_at, started_by, seen_at, checks_total)
  values ($1, $2, $1, $3)
  on conflict do nothing
  returning id`

export const writeProgress = execute((id: bigint, now: Instant, checks: Readonly<Record<string, number>>) => [
  id,
  toTimestamp(now),
  JSON.stringify(checks),
])`
  update audit_runs set seen_at = $2, checks = coalesce($3::jsonb, checks) where id = $1 and ended_at is null`

export interface RunEnd {
  readonly at: Instant
  readonly checks: Readonly<Record<string, number>>
  readonly problems: readonly AuditFinding[]
  readonly problemsTotal: number
  readonly error?: string
}

export const endRun = execute((id: bigint, end: RunEnd) => [
  id,
  toTimestamp(end.at),
  JSON.stringify(end.checks),
  JSON.stringify(end.problems),
  end.problemsTotal,
  end.error ?? null,
])`
  update audit_runs set ended_at = $2, seen_at = $2, checks = $3::jsonb, problems = $4::jsonb, problems_total = $5,
    error = $6
  where id = $1 and ended_at is null`

export const listRuns = findAll(auditRuns, (limit: number) => [limit])`
  select ${auditRuns.list()} from audit_runs order by id desc limit $1`
