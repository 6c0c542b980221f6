// The SQL of audit runs.
import { type Instant, toTimestamp } from '../kernel/time.ts'
import { type AuditFinding, type Database, type StoredRowOf, statement } from '../storage/index.ts'
import { type AuditRun, auditRuns } from './model.ts'

const endDead = statement(`
  update audit_runs set ended_at = $1, error = 'the process that ran it ended'
  where ended_at is null and seen_at < $2`)

/** Ends a run without a sign of life since `silentSince`. */
export async function endAbandoned(database: Database, now: Instant, silentSince: Instant): Promise<void> {
  await database.run(endDead, [toTimestamp(now), toTimestamp(silentSince)])
}

const insertRun = statement<{ id: bigint }>(`
  insert into audit_runs (started_at, started_by, seen_at, checks_total)
  values ($1, $2, $1, $3)
  on conflict do nothing
  returning id`)

/** Undefined during another run. */
export async function beginRun(
  database: Database,
  run: { readonly at: Instant; readonly by: string; readonly checksTotal: number },
): Promise<bigint | undefined> {
  const [row] = await database.run(insertRun, [toTimestamp(run.at), run.by, run.checksTotal])
  return row?.id
}

const updateSeen = statement(`
  update audit_runs set seen_at = $2, checks = coalesce($3::jsonb, checks) where id = $1 and ended_at is null`)

export async function writeProgress(
  database: Database,
  id: bigint,
  now: Instant,
  checks: Readonly<Record<string, number>>,
): Promise<void> {
  await database.run(updateSeen, [id, toTimestamp(now), JSON.stringify(checks)])
}

const updateEnd = statement(`
  update audit_runs set ended_at = $2, seen_at = $2, checks = $3::jsonb, problems = $4::jsonb, problems_total = $5,
    error = $6
  where id = $1 and ended_at is null`)

export interface RunEnd {
  readonly at: Instant
  readonly checks: Readonly<Record<string, number>>
  readonly problems: readonly AuditFinding[]
  readonly problemsTotal: number
  readonly error?: string
}

export async function endRun(database: Database, id: bigint, end: RunEnd): Promise<void> {
  await database.run(updateEnd, [
    id,
    toTimestamp(end.at),
    JSON.stringify(end.checks),
    JSON.stringify(end.problems),
    end.problemsTotal,
    end.error ?? null,
  ])
}

const selectRuns = statement<StoredRowOf<typeof auditRuns>>(`
  select ${auditRuns.list()} from audit_runs order by id desc limit $1`)

export async function listRuns(database: Database, limit: number): Promise<AuditRun[]> {
  return (await database.run(selectRuns, [limit])).map(auditRuns.read)
}
