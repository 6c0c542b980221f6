// Statements, transactions and their values. Both drivers use them.
import { crashPoint, effect } from '../kernel/crash-points.ts'
import { type Instant, instant } from '../kernel/time.ts'
import type { Database, Executor, Lookup, ReadRows, RowsAsArrays, Statement } from './database.ts'
import { findInTransaction } from './reads/batched.ts'

export interface Session {
  run(text: string, parameters: readonly unknown[], hasNoTimeLimit?: true): Promise<unknown[]>
  read(text: string, parameters: readonly unknown[]): Promise<RowsAsArrays>
}

export interface Sessions<Lent extends Session> {
  acquire(): Promise<Lent>
  release(session: Lent, broken?: boolean): void
}

export interface SessionRunner extends Pick<Database, 'transaction' | 'connected'> {
  run: Executor['run']
  read: ReadRows
}

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

function executorOn(session: Session): Executor {
  return {
    run: <Row>({ text, hasNoTimeLimit }: Statement<Row>, parameters: readonly unknown[] = []) =>
      effect(
        { kind: 'statement', text },
        () => session.run(text, parameters, hasNoTimeLimit) as Promise<Row[]>,
      ),
    find: <Row>(lookup: Lookup<Row>, key: readonly unknown[]) =>
      findInTransaction((text, parameters) => session.read(text, parameters), lookup, key),
  }
}

const preparedStatementsMax = 500

const statementNames = new Map<string, string>()
let generation = 0

/** Returns undefined above the limit. The statement is then planned each time. */
export function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= preparedStatementsMax) return known
  const name = `c${generation}_${statementNames.size}`
  statementNames.set(text, name)
  return name
}

/** Renames all statements, because a migration usually outdates many. Transactions then restart only once. */
export function renewStatementNames(text: string, name: string): void {
  if (statementNames.get(text) !== name) return
  statementNames.clear()
  generation += 1
}

/** True if the table of a prepared statement has changed. The statement did not run. */
export function isOutdated(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

const byteaOid = 17
const int8Oid = 20
const dateOid = 1082
const timestamptzOid = 1184

/** Instants are milliseconds, days are text. PGlite's own parser of bytes takes twenty times as long. */
export const typeParsers: Readonly<Record<number, (text: string) => unknown>> = {
  [byteaOid]: (text) => Buffer.from(text.slice(2), 'hex'),
  [int8Oid]: (text) => BigInt(text),
  [dateOid]: (text) => text,
  [timestamptzOid]: parseTimestamp,
}

/** Reads `2026-03-29 22:59:59.123+00` in a third of Date.parse's time. */
export function parseTimestamp(text: string): Instant {
  if (text.charCodeAt(4) !== hyphen || text.charCodeAt(text.length - 3) !== plus) {
    return instant(Date.parse(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`))
  }
  const pair = (at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - elevenZeros
  const seconds = Date.UTC(pair(0) * 100 + pair(2), pair(5) - 1, pair(8), pair(11), pair(14), pair(17))
  if (text.length === wholeSecondsLength) return instant(seconds)
  return instant(seconds + Number(text.slice(20, Math.min(23, text.length - 3)).padEnd(3, '0')))
}

const hyphen = 45
const plus = 43
const elevenZeros = 48 * 11
const wholeSecondsLength = '2026-03-29 22:59:59+00'.length
