// The entry point of audits: runs the checks of every module.

import { nameOf, ok, type Result, refuse } from '../kernel/result.ts'
import { instant, second } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import type { AuditCheck, AuditFinding, Executor } from '../storage/index.ts'
import type { AuditRun } from './model.ts'
import { beginRun, endAbandoned, endRun, listRuns, writeProgress } from './store.ts'

export type { AuditRun } from './model.ts'

const signOfLifeMs = 5 * second
/** A process counts as dead after this time without a sign of life. */
const abandonedMs = 60 * second
/** The most problems that the report keeps, because damaged books can have one for each operation. */
const problemsKeptMax = 200
/** When a process stops, it waits at most this long for its current check. */
const stopMsMax = 3000

/** The report of `comporta audit` (CONTRACT section 1). */
export interface AuditReport {
  readonly ok: boolean
  /** Number of rows that each check examined. */
  readonly checks: Readonly<Record<string, number>>
  readonly problems: readonly AuditFinding[]
}

/** Counts rows in `examined` while it runs. Throws after it was stopped. */
export async function audit(
  db: Executor,
  checks: readonly AuditCheck[],
  { examined = {}, isStopped }: { examined?: Record<string, number>; isStopped?: () => boolean } = {},
): Promise<AuditReport> {
  const problems: AuditFinding[] = []
  for (const check of checks) {
    if (isStopped?.() === true) throw new Error('the process was stopped')
    const found = await check.run(db)
    examined[check.name] = found.examined
    // A single `push` with a hundred thousand arguments would fail.
    for (const finding of found.findings) problems.push(finding)
  }
  return { ok: problems.length === 0, checks: examined, problems }
}

export interface AuditsDeps extends Pick<Core, 'database' | 'clock' | 'onError'> {
  readonly checks: readonly AuditCheck[]
}

export interface Audits {
  /** Runs all checks and stores no result, for `comporta audit`. */
  report(): Promise<AuditReport>
  /** Starts a run in the background. Refusals: illegal_state during another run, also of another process. */
  begin(by: string): Promise<Result<void>>
  /** Lists runs, newest first. It also ends a run whose process died. */
  runs(limit: number): Promise<AuditRun[]>
  /** Stops after the current check. */
  stop(): Promise<void>
}

export function createAudits({ database, clock, checks, onError }: AuditsDeps): Audits {
  let stopped = false
  let running: Promise<void> | undefined

  async function runKept(id: bigint): Promise<void> {
    const examined: Record<string, number> = {}
    const signs = setInterval(() => {
      writeProgress(database, id, clock.now(), examined).catch(onError)
    }, signOfLifeMs)
    try {
      const { problems } = await audit(database, checks, { examined, isStopped: () => stopped })
      const kept = { problems: problems.slice(0, problemsKeptMax), problemsTotal: problems.length }
      await endRun(database, id, { at: clock.now(), checks: examined, ...kept })
    } catch (error) {
      if (!stopped) onError(error)
      const why = stopped ? 'the process was stopped' : `failed with ${nameOf(error)}`
      const nothing = { problems: [], problemsTotal: 0 }
      await endRun(database, id, { at: clock.now(), checks: examined, ...nothing, error: why })
    } finally {
      clearInterval(signs)
    }
  }

  return {
    report: () => audit(database, checks),
    async begin(by) {
      const now = clock.now()
      await endAbandoned(database, now, instant(now - abandonedMs))
      const id = await beginRun(database, { at: now, by, checksTotal: checks.length })
      if (id === undefined) return refuse('illegal_state', 'an audit is already running: wait for its end')
      running = runKept(id).catch(onError)
      return ok(undefined)
    },
    async runs(limit) {
      const listed = await listRuns(database, limit)
      if (listed.every(({ endedAt }) => endedAt !== undefined)) return listed
      const now = clock.now()
      await endAbandoned(database, now, instant(now - abandonedMs))
      return listRuns(database, limit)
    },
    async stop() {
      stopped = true
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, stopMsMax).unref())])
    },
  }
}
