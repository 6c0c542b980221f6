// Batched reads and writes: parallel callers share a statement.
import { effect } from '../../kernel/crash-points.ts'
import { isUuid } from '../../kernel/random.ts'
import { runDetached } from '../../kernel/tracing.ts'
import { type Database, DatabaseUnavailable, type Executor, type Lookup, type ReadRows } from '../database.ts'
import type { ColumnType } from '../tables/column.ts'

/** Two keep PostgreSQL and the network busy. With more, batches would be smaller. */
const statementsInFlightMax = 2
/** Larger batches take more time than they save (measured on 25 columns). */
const rowsPerStatementMax = 128

export interface BatchedWrite<Row, Outcome> {
  readonly database: Pick<Database, 'kind'>
  write(rows: readonly Row[]): Promise<readonly Outcome[]>
  readonly lingerMs?: number
  /** Rows of one aggregate are never in one statement. */
  aggregateOf?(row: Row): string | undefined
}

interface Waiting<Row, Outcome> {
  readonly row: Row
  readonly aggregate: string | undefined
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/** Rows gather while the permitted statements run. A failed statement is repeated row by row. */
export function batched<Row, Outcome>(options: BatchedWrite<Row, Outcome>): (row: Row) => Promise<Outcome> {
  const write = gathered(options)
  return (row) => effect({ kind: 'write' }, () => write(row))
}

function gathered<Row, Outcome>(options: BatchedWrite<Row, Outcome>): (row: Row) => Promise<Outcome> {
  const inFlightMax = options.database.kind === 'pglite' ? 1 : statementsInFlightMax
  const { lingerMs = 0 } = options
  const aggregatesInFlight = new Set<string>()
  let waitingRows: Waiting<Row, Outcome>[] = []
  let inFlight = 0
  let departing = false
  let lingering: NodeJS.Timeout | undefined
  // A batch has rows of many callers, so it has no trace or transaction of one of them.
  const leave = () => runDetached(depart)

  return (row) =>
    new Promise((resolve, reject) => {
      waitingRows.push({ row, aggregate: options.aggregateOf?.(row), resolve, reject })
      if (inFlight >= inFlightMax) return
      if (lingerMs > 0 && waitingRows.length < rowsPerStatementMax) lingering ??= setTimeout(leave, lingerMs)
      else departSoon()
    })

  /** Waits until all sockets of this turn were read, so that their callers share a batch. */
  function departSoon(): void {
    if (departing) return
    departing = true
    setImmediate(leave)
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
    if (lingerMs === 0 || waitingRows.length >= rowsPerStatementMax) depart()
    else if (waitingRows.length > 0) lingering ??= setTimeout(leave, lingerMs)
  }

  function takeGroup(): Waiting<Row, Outcome>[] {
    const group: Waiting<Row, Outcome>[] = []
    const left: Waiting<Row, Outcome>[] = []
    for (const waiting of waitingRows) {
      const { aggregate } = waiting
      const busy = aggregate !== undefined && aggregatesInFlight.has(aggregate)
      if (busy || group.length === rowsPerStatementMax) {
        left.push(waiting)
        continue
      }
      if (aggregate !== undefined) aggregatesInFlight.add(aggregate)
      group.push(waiting)
    }
    waitingRows = left
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
    throw new Error(`a batched write of ${group.length} rows returned ${outcomes.length} outcomes`)
  }
  for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] as Outcome)
}

export interface LookupOptions {
  /** Key columns and types. If a wallet owns the row, its id is the first. */
  readonly key: Readonly<Record<string, ColumnType>>
  /** Finds at most one row by `wanted.<name>`. It runs once for each key, so wallets stay separate. */
  readonly sql: string
}

/** `limit 1` per row makes the planner use the index, even in a plan from an empty table. */
export function lookup<Row>({ key, sql }: LookupOptions): Lookup<Row> {
  const names = Object.keys(key)
  const keyTypes = Object.values(key)
  const arrays = keyTypes.map((type, index) => `$${index + 1}::${type}[]`)
  return {
    keyTypes,
    text: `
      select found.*, wanted.lookup_ordinal::integer
      from unnest(${arrays.join(', ')}) with ordinality as wanted(${names.join(', ')}, lookup_ordinal)
      cross join lateral (${sql} limit 1) as found`,
    rowOf: rowMaker<Row>(),
  }
}

/** Rows are objects with getters over an array. To copy 51 columns would take five times as long. */
export function rowMaker<Row>(): Lookup<Row>['rowOf'] {
  let known: readonly string[] | undefined
  let RowOf = classOf([])
  return (names, values) => {
    if (known === undefined || !sameNames(known, names)) {
      RowOf = classOf(names)
      known = names
    }
    return new RowOf(values) as Row
  }
}

function sameNames(known: readonly string[], names: readonly string[]): boolean {
  return known === names || (known.length === names.length && names.every((name, at) => name === known[at]))
}

function classOf(names: readonly string[]): new (values: readonly unknown[]) => object {
  class FoundRow {
    readonly valuesInOrder: readonly unknown[]
    constructor(values: readonly unknown[]) {
      this.valuesInOrder = values
    }
  }
  for (const [index, name] of names.entries()) {
    Object.defineProperty(FoundRow.prototype, name, {
      get(this: FoundRow) {
        return this.valuesInOrder[index]
      },
    })
  }
  return FoundRow
}

/** A read during a running statement joins the next one, so it sees everything committed before it. */
export function batchedFind(kind: Database['kind'], read: ReadRows): Executor['find'] {
  const finders = new Map<Lookup<never>, (key: readonly unknown[]) => Promise<unknown>>()
  return async <Row>(lookup: Lookup<Row>, key: readonly unknown[]) => {
    checkKey(lookup, key)
    let find = finders.get(lookup as Lookup<never>)
    if (find === undefined) {
      find = gathered({
        database: { kind },
        write: (keys: readonly (readonly unknown[])[]) => readAll(read, lookup, keys),
      })
      finders.set(lookup as Lookup<never>, find)
    }
    return find(key) as Promise<Row | undefined>
  }
}

export async function findInTransaction<Row>(
  read: ReadRows,
  lookup: Lookup<Row>,
  key: readonly unknown[],
): Promise<Row | undefined> {
  checkKey(lookup, key)
  const [row] = await readAll(read, lookup, [key])
  return row
}

async function readAll<Row>(
  read: ReadRows,
  lookup: Lookup<Row>,
  keys: readonly (readonly unknown[])[],
): Promise<(Row | undefined)[]> {
  const columns = lookup.keyTypes.map((_, index) => keys.map((key) => key[index]))
  const { names, rows } = await read(lookup.text, columns)
  const found = new Array<Row | undefined>(keys.length).fill(undefined)
  for (const values of rows) found[(values.at(-1) as number) - 1] = lookup.rowOf(names, values)
  return found
}

function checkKey({ keyTypes }: Lookup<unknown>, key: readonly unknown[]): void {
  for (const [index, type] of keyTypes.entries()) {
    const value = key[index]
    const fits =
      type === 'uuid'
        ? typeof value === 'string' && isUuid(value)
        : type === 'bigint'
          ? typeof value === 'bigint'
          : typeof value === 'string'
    if (!fits) throw new TypeError(`a key of type ${type} cannot be ${typeof value}`)
  }
}
