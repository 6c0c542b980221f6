// Reads providers' statements by day, and compares them with the ledger.

import type { StatementLine, StatementSource } from '../connections/index.ts'
import { addDays, type Day, daysBetween, lisbonDayOf, startOfLisbonDay } from '../kernel/lisbon.ts'
import { isUuid } from '../kernel/random.ts'
import { nameOf } from '../kernel/result.ts'
import { after, minute } from '../kernel/time.ts'
import type { Core } from '../module.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import { compareStatements } from './differences-store.ts'
import type { StatementDay } from './model.ts'
import { nextRead, nextTry } from './rules.ts'
import {
  addDaysToRead,
  claimDueDays,
  findLastDay,
  findLastDayRead,
  findOperationsOfLines,
  lockStatements,
  markDayFailed,
  markDayRead,
  writeLines,
} from './statements-store.ts'

export interface ReconciliationDeps extends Pick<Core, 'database' | 'clock' | 'onError'> {
  /** The connections whose providers give statements. */
  sources(): readonly StatementSource[]
}

const pollMs = minute
/** Statements that one process reads in parallel. */
const concurrency = 4
/** The lease is longer than the busiest day of a provider takes to read. */
const leaseMs = 15 * minute

interface DayToRead {
  readonly day: StatementDay
  readonly source: StatementSource
}

export function createStatementWorker(deps: ReconciliationDeps): Worker {
  const { database, clock, onError } = deps
  const noted = new Map<bigint, Day>()
  return createWorker<DayToRead>({
    name: 'statements',
    database,
    pollMs,
    concurrency,
    onError,
    async claim(limit) {
      const sources = deps.sources()
      if (sources.length === 0) return []
      for (const source of sources) await noteDays(deps, source, noted)
      const now = clock.now()
      const ids = sources.map(({ connectionId }) => connectionId)
      const days = await claimDueDays(database, ids, now, after(now, leaseMs), limit)
      return days.flatMap((day) => {
        const source = sources.find(({ connectionId }) => connectionId === day.connectionId)
        return source === undefined ? [] : [{ day, source }]
      })
    },
    work: (read) => readDay(deps, read),
  })
}

/** Adds new days once a day in each process. */
async function noteDays(
  { database, clock }: ReconciliationDeps,
  { connectionId, since }: StatementSource,
  noted: Map<bigint, Day>,
): Promise<void> {
  const yesterday = addDays(lisbonDayOf(clock.now()), -1)
  if (noted.get(connectionId) === yesterday) return
  const last = await findLastDay(database, connectionId)
  const first = last === undefined ? lisbonDayOf(since) : addDays(last, 1)
  const days = Array.from({ length: Math.max(0, daysBetween(first, yesterday) + 1) }, (_, index) =>
    addDays(first, index),
  )
  const due = days.flatMap((day) => {
    const dueAt = nextRead(day, 0)
    return dueAt === undefined ? [] : [{ day, dueAt }]
  })
  if (due.length > 0) await addDaysToRead(database, connectionId, due)
  noted.set(connectionId, yesterday)
}

async function readDay({ database, clock, onError }: ReconciliationDeps, { day, source }: DayToRead) {
  let lines: readonly StatementLine[]
  try {
    lines = checkedLines(await source.read(day.day), day.day)
  } catch (error) {
    // Only the name is stored, because the text of a provider's error may quote the request.
    await markDayFailed(database, day, nameOf(error), nextTry(clock.now(), day.failures + 1))
    if (error instanceof UnusableStatement) onError(error)
    return
  }
  const { connectionId } = day
  const from = startOfLisbonDay(day.day)
  const until = startOfLisbonDay(addDays(day.day, 1))
  const now = clock.now()
  await database.transaction(async (tx) => {
    await lockStatements(tx, connectionId)
    await writeLines(tx, day, lines)
    await markDayRead(tx, day, now, nextRead(day.day, day.reads + 1))
    await findOperationsOfLines(tx, connectionId)
    const lastDay = (await findLastDayRead(tx, connectionId)) ?? day.day
    const readUntil = startOfLisbonDay(addDays(lastDay, 1))
    await compareStatements(tx, connectionId, { from, until, readUntil }, now)
  })
}

/** The error for a driver that returns an invalid statement. */
class UnusableStatement extends Error {
  readonly code = 'UNUSABLE_STATEMENT'
}

const idLengthMax = 200

/** Checks lines and removes repeated ones, which overlapping pages contain. */
function checkedLines(lines: readonly StatementLine[], day: Day): StatementLine[] {
  for (const { id, key, bookedAt } of lines) {
    if (id === '' || id.length > idLengthMax)
      throw new UnusableStatement(`a line of ${day} has an id of ${id.length} characters`)
    if (key !== undefined && !isUuid(key))
      throw new UnusableStatement(`line ${id} of ${day} has a key that is not a UUID`)
    if (lisbonDayOf(bookedAt) !== day)
      throw new UnusableStatement(`line ${id} was booked on ${lisbonDayOf(bookedAt)}, not on ${day}`)
  }
  return [...new Map(lines.map((line) => [line.id, line])).values()]
}
