// Grouped statements: concurrent callers share one for a set of rows, and a lone caller waits for nothing.
import { type Database, DatabaseUnavailable } from '../database.ts'

/** Two statements of a kind keep PostgreSQL and the network busy; more would only make smaller groups. */
const statementsInFlightMax = 2
/** Beyond this a statement's time grows faster than what grouping saves (measured on 25 columns). */
const rowsPerStatementMax = 128

export interface GroupedWrite<Row, Outcome> {
  readonly database: Pick<Database, 'kind'>
  /** Writes all rows in one statement; answers one outcome per row, in their order. */
  write(rows: readonly Row[]): Promise<readonly Outcome[]>
  /** How long rows that nobody waits for may gather before they leave; a full group leaves at once. */
  readonly lingerMs?: number
  /** Names what a row changes, if anything others may change too: such rows never share a statement. */
  aggregateOf?(row: Row): string | undefined
}

interface Waiting<Row, Outcome> {
  readonly row: Row
  readonly aggregate: string | undefined
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/**
 * A function that writes its row together with those of everyone who calls meanwhile. While as many
 * statements are in flight as are useful, callers gather; when one returns, the gathered rows leave
 * in the next. A statement that fails as a whole is repeated row by row, so that a bad row fails alone.
 */
export function grouped<Row, Outcome>(options: GroupedWrite<Row, Outcome>): (row: Row) => Promise<Outcome> {
  const inFlightMax = options.database.kind === 'pglite' ? 1 : statementsInFlightMax
  const { lingerMs = 0 } = options
  const aggregatesInFlight = new Set<string>()
  let gathered: Waiting<Row, Outcome>[] = []
  let inFlight = 0
  let departing = false
  let lingering: NodeJS.Timeout | undefined

  return (row) =>
    new Promise((resolve, reject) => {
      gathered.push({ row, aggregate: options.aggregateOf?.(row), resolve, reject })
      if (inFlight >= inFlightMax) return
      if (lingerMs > 0 && gathered.length < rowsPerStatementMax) lingering ??= setTimeout(depart, lingerMs)
      else departSoon()
    })

  /** After the sockets of this turn were read, so that their callers leave together. */
  function departSoon(): void {
    if (departing) return
    departing = true
    setImmediate(depart)
  }

  function depart(): void {
    departing = false
    clearTimeout(lingering)
    lingering = undefined
    while (inFlight < inFlightMax) {
      const group = takeGroup()
      if (group.length === 0) return
      inFlight += 1
      void writeGroup(group).finally(() => {
        inFlight -= 1
        for (const { aggregate } of group) if (aggregate !== undefined) aggregatesInFlight.delete(aggregate)
        departAfter()
      })
    }
  }

  function departAfter(): void {
    if (lingerMs === 0 || gathered.length >= rowsPerStatementMax) depart()
    else if (gathered.length > 0) lingering ??= setTimeout(depart, lingerMs)
  }

  function takeGroup(): Waiting<Row, Outcome>[] {
    const group: Waiting<Row, Outcome>[] = []
    const left: Waiting<Row, Outcome>[] = []
    for (const waiting of gathered) {
      const { aggregate } = waiting
      const busy = aggregate !== undefined && aggregatesInFlight.has(aggregate)
      if (busy || group.length === rowsPerStatementMax) {
        left.push(waiting)
        continue
      }
      if (aggregate !== undefined) aggregatesInFlight.add(aggregate)
      group.push(waiting)
    }
    gathered = left
    return group
  }

  async function writeGroup(group: readonly Waiting<Row, Outcome>[]): Promise<void> {
    try {
      deliver(group, await options.write(group.map(({ row }) => row)))
    } catch (error) {
      if (group.length === 1 || error instanceof DatabaseUnavailable) {
        for (const { reject } of group) reject(error)
      } else {
        for (const waiting of group) await writeGroup([waiting])
      }
    }
  }
}

function deliver<Row, Outcome>(group: readonly Waiting<Row, Outcome>[], outcomes: readonly Outcome[]): void {
  if (outcomes.length !== group.length) {
    throw new Error(`a grouped write of ${group.length} rows answered ${outcomes.length} outcomes`)
  }
  for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] as Outcome)
}
