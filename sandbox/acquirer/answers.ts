// Answers of the sandbox's acquirer.
import type { Randomness } from '../../src/kernel/random.ts'
import type { AcquirerAnswer } from '../../src/rails/index.ts'
import { batched, type Database, type Executor } from '../../src/storage/index.ts'
import type { Decision } from './decisions-store.ts'

export function answerOf({ decline, reference, approval_code: code }: Decision): AcquirerAnswer {
  if (decline !== null) return { kind: 'declined', decline, reference }
  return { kind: 'approved', reference, ...(code === null ? {} : { approvalCode: code }) }
}

export function neverAnswer(): Promise<never> {
  return new Promise(() => undefined)
}

export function referenceOf(random: Randomness): string {
  return Buffer.from(random.bytes(12)).toString('hex').toUpperCase()
}

/**
 * Writes the decisions of several callers in one statement. A caller that aborts leaves the group, if it is not sent
 * yet.
 */
export function unlessAborted<Row, Decision>(
  database: Database,
  aggregateOf: (row: Row) => string,
  record: (db: Executor, rows: readonly Row[]) => Promise<readonly Decision[]>,
): (row: Row, signal?: AbortSignal) => Promise<Decision> {
  interface Asked {
    readonly row: Row
    readonly signal: AbortSignal | undefined
  }

  const write = batched<Asked, Decision | undefined>({
    database,
    aggregateOf: ({ row }) => aggregateOf(row),
    write: (asked) =>
      database.connected(async (db) => {
        const wanted = asked.filter(({ signal }) => signal?.aborted !== true)
        const rows = wanted.map(({ row }) => row)
        const decisions = rows.length === 0 ? [] : await record(db, rows)
        const byAsked = new Map(wanted.map((one, index) => [one, decisions[index]]))
        return asked.map((one) => byAsked.get(one))
      }),
  })
  return async (row, signal) => {
    const decision = await write({ row, signal })
    if (decision === undefined) throw new Error('cancelled before it was sent')
    return decision
  }
}
