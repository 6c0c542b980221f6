// Runs statements and transactions on connections that a database lends, each to one user at a time.
import { crashPoint } from '../kernel/crash-points.ts'
import type { Database, Executor, Lookup, ReadRows, RowsAsArrays, Statement } from './database.ts'
import { findAlone } from './reads/grouped.ts'

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
      connected((session) => session.run(text, parameters, hasNoTimeLimit) as Promise<Row[]>),
    read: (text, parameters) => connected((session) => session.read(text, parameters)),
    connected: (work) => connected((session) => work(executorOn(session))),
    async transaction(work) {
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
    },
  }
}

/** An executor on one connection: what it reads by key it reads at once, in the order of asking. */
function executorOn(session: Session): Executor {
  return {
    run: <Row>({ text, hasNoTimeLimit }: Statement<Row>, parameters: readonly unknown[] = []) =>
      session.run(text, parameters, hasNoTimeLimit) as Promise<Row[]>,
    find: <Row>(lookup: Lookup<Row>, key: readonly unknown[]) =>
      findAlone((text, parameters) => session.read(text, parameters), lookup, key),
  }
}

/** Statement texts are written once per function; this only bounds what list filters can add. */
const preparedStatementsMax = 500

const statementNames = new Map<string, string>()

/** The name under which `text` is prepared; undefined when so many are that this one is planned for each use. */
export function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= preparedStatementsMax) return known
  const name = `c${statementNames.size}`
  statementNames.set(text, name)
  return name
}
