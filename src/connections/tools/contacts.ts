// What providers last answered, and when they last did not: noted in memory, and written down some seconds later.
import { nameOf } from '../../kernel/result.ts'
import { type Clock, second } from '../../kernel/time.ts'
import { type Database, DatabaseUnavailable } from '../../storage/index.ts'
import type { ContactKind, ContactRow } from '../model.ts'
import { writeContacts } from './contacts-store.ts'

/** Nobody waits for it, and each connection has two rows whatever it is asked meanwhile. */
const writtenAfterMs = 5 * second

/** Statuses that say that the connection is of no use as it is; others refuse one request. */
const unauthorized: readonly number[] = [401, 403, 429]
const serverErrorMin = 500

export interface Contacts {
  note(connectionId: bigint, kind: ContactKind, said: string): void
  /** `fetch` that notes what the provider of a connection answers, or that it does not. */
  noting(connectionId: bigint, fetch: typeof globalThis.fetch): typeof globalThis.fetch
  /** Writes down what was noted. */
  flush(): Promise<void>
  /** The same, and notes nothing more. */
  stop(): Promise<void>
}

export function createContacts(deps: {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}): Contacts {
  const { database, clock, onError } = deps
  let noted = new Map<string, ContactRow>()
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const rows = noted
    noted = new Map()
    if (rows.size === 0) return
    try {
      await writeContacts(database, [...rows.values()])
    } catch (error) {
      // What was noted meanwhile is newer.
      noted = new Map([...rows, ...noted])
      throw error
    }
  }

  function report(error: unknown): void {
    if (!(error instanceof DatabaseUnavailable)) onError(error)
  }

  /** Written down at the next time where the database is away, which others report. */
  function writeLater(): void {
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) => {
        report(error)
        if (!stopped) writeLater()
      })
    }, writtenAfterMs).unref()
  }

  function note(connectionId: bigint, kind: ContactKind, said: string): void {
    if (stopped) return
    noted.set(`${connectionId} ${kind}`, { connectionId, kind, at: clock.now(), said })
    writeLater()
  }

  return {
    note,
    noting: (connectionId, fetch) => async (input, init) => {
      try {
        const answer = await fetch(input, init)
        const isError = answer.status >= serverErrorMin || unauthorized.includes(answer.status)
        note(connectionId, isError ? 'error' : 'answer', `HTTP ${answer.status}`)
        return answer
      } catch (error) {
        note(connectionId, 'error', nameOf(error))
        throw error
      }
    },
    flush,
    async stop() {
      stopped = true
      // A process that ends goes on to end.
      await flush().catch(report)
    },
  }
}
