// Runs statements and transactions on connections that a database lends, each to one user at a time.
import { crashPoint, effect } from '../kernel/crash-points.ts'
import type { Database, Executor, Lookup, ReadRows, RowsAsArrays, Statement } from './database.ts'
import { findAlone } from './reads/batched.ts'

/** A connection to a database, whichever it is. */
export interface Session {
  run(text: string, parameters: readonly unknown[], hasNoTimeLimit?: true): Promise<unknown[]>
  /** The same with rows as arrays. */
  read(text: string, parameters: readonly unknown[]): Promise<RowsAsArrays>
}

/** Lends connections. */
export interface Sessions<Lent extends Session> {
  acquire(): Promise<Lent>
  /** @param broken the connection is in a state that nobody else may find */
  release(session: Lent, broken?: boolean): void
}

export interface SessionRunner extends Pick<Database, 'transaction' | 'connected'> {
  run: Executor['run']
  read: ReadRows
}

/** Statements, transactions and work on one connection over `sessions`. */
export function runOver<Lent extends Session>(sessions: Sessions<Lent>): SessionRunner {
  async function connected<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const session = await sessions.acquire()
    try {
      return await work(session)
    } finally {
      sessions.release(session)
    }
  }

  return {
    run: <Row>({ text, hasNoTimeLimit }: Statement<Row>, parameters: readonly unknown[] = []) =>
      effect({ kind: 'statement', text }, () =>
        connected((session) => session.run(text, parameters, hasNoTimeLimit) as Promise<Row[]>),
      ),
    read: (text, parameters) => connected((session) => session.read(text, parameters)),
    connected: (work) => connected((session) => work(executorOn(session))),
    transaction: (work) => effect({ kind: 'transaction' }, () => transaction(work)),
  }

  async function transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T> {
    const session = await sessions.acquire()
    let broken = false
    try {
      await session.run('begin', [])
      try {
        const result = await work(executorOn(session))
        crashPoint('transaction written, not committed')
        await session.run('commit', [])
        return result
      } catch (error) {
        await session.run('rollback', []).catch(() => {
          broken = true
        })
        throw error
      }
    } finally {
      sessions.release(session, broken)
    }
  }
}

/** An executor on one connection: what it reads by key it reads at once, in the order of asking. */
function executorOn(session: Session): Executor {
  return {
    run: <Row>({ text, hasNoTimeLimit }: Statement<Row>, parameters: readonly unknown[] = []) =>
      effect(
        { kind: 'statement', text },
        () => session.run(text, parameters, hasNoTimeLimit) as Promise<Row[]>,
      ),
    find: <Row>(lookup: Lookup<Row>, key: readonly unknown[]) =>
      findAlone((text, parameters) => session.read(text, parameters), lookup, key),
  }
}

/** Statement texts are written once per function; this only bounds what list filters can add. */
const preparedStatementsMax = 500

const statementNames = new Map<string, string>()
let generation = 0

/** The name under which `text` is prepared; undefined when so many are that this one is planned for each use. */
export function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= preparedStatementsMax) return known
  const name = `c${generation}_${statementNames.size}`
  statementNames.set(text, name)
  return name
}

/**
 * Has every connection prepare all statements anew, the first time that `name` is outdated: whatever changed the tables
 * of one did so for those of others, and a transaction is then begun again once, not once for each of its statements.
 */
export function renewStatementNames(text: string, name: string): void {
  if (statementNames.get(text) !== name) return
  statementNames.clear()
  generation += 1
}

/** A table that the prepared statement reads has other columns since it was prepared; it was not begun. */
export function isOutdated(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}
