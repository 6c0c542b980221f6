// The last answer and last error of each provider. They are written some seconds later.
import { nameOf } from '../../kernel/result.ts'
import { type Clock, second, toTimestamp } from '../../kernel/time.ts'
import { type Database, DatabaseUnavailable, execute, findAll, rowSet } from '../../storage/index.ts'
import { type ContactKind, type ContactRow, railContacts } from '../model.ts'

/** The delay is short, because each connection writes only two rows. */
const writtenAfterMs = 5 * second

const unauthorized: readonly number[] = [401, 403, 429]
const serverErrorMin = 500

export type Contacts = ReturnType<typeof createContacts>

export function createContacts(deps: {
  readonly database: Database
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}) {
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
      noted = new Map([...rows, ...noted])
      throw error
    }
  }

  function report(error: unknown): void {
    if (!(error instanceof DatabaseUnavailable)) onError(error)
  }

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
    observed:
      (connectionId: bigint, fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
      async (input, init) => {
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
    async stop(): Promise<void> {
      stopped = true
      await flush().catch(report)
    },
  }
}

const contactSet = rowSet({ connection_id: 'bigint', kind: 'text', at: 'timestamptz', said: 'text' })

const writeContacts = execute((contacts: readonly ContactRow[]) =>
  contactSet.parameters(
    contacts.map(({ connectionId, kind, at, said }) => ({
      ...{ connection_id: connectionId, kind, said },
      at: toTimestamp(at),
    })),
  ),
)`
  insert into rail_contacts (connection_id, kind, at, said)
  select connection_id, kind, at, said from (${contactSet.source}) as noted order by connection_id, kind
  on conflict (connection_id, kind) do update set at = excluded.at, said = excluded.said
  where excluded.at > rail_contacts.at`

export const listContacts = findAll(railContacts, () => [])`
  select ${railContacts.list()} from rail_contacts`
