// Exchanges files with providers: every minute, and on request.
import { nameOf } from '../kernel/result.ts'
import { minute } from '../kernel/time.ts'
import type { Worker } from '../storage/index.ts'
import type { Connections } from './connections.ts'
import type { ExchangedFile } from './driver.ts'
import type { Contacts } from './tools/contacts.ts'

const pollMs = minute

export interface ExchangedOver extends ExchangedFile {
  readonly connectionId: bigint
}

export function createExchange({
  connections,
  contacts,
  onError,
}: {
  readonly connections: Connections
  readonly contacts: Contacts
  readonly onError: (error: unknown) => void
}) {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<unknown> | undefined
  let stopped = true

  async function exchange(): Promise<{ files: ExchangedOver[]; failures: unknown[] }> {
    const files: ExchangedOver[] = []
    const failures: unknown[] = []
    for (const held of connections.all()) {
      if (held.driver?.exchange === undefined || !held.serves) continue
      try {
        const exchanged = await held.driver.exchange(connections.opened(held), connections.toolsOf(held))
        contacts.note(held.row.id, 'answer', `${exchanged.length} files exchanged`)
        files.push(...exchanged.map((one) => ({ connectionId: held.row.id, ...one })))
      } catch (error) {
        contacts.note(held.row.id, 'error', nameOf(error))
        failures.push(error)
      }
    }
    return { files, failures }
  }

  function run(): void {
    if (stopped) return
    round = exchange().then(({ failures }) => {
      for (const failure of failures) onError(failure)
      if (!stopped) timer = setTimeout(run, pollMs)
    })
  }

  return {
    /** Exchanges the files of all drivers, one after the other. Throws the first failure at the end. */
    async now(): Promise<readonly ExchangedOver[]> {
      const { files, failures } = await exchange()
      if (failures.length > 0) throw failures[0]
      return files
    },
    worker: {
      async start() {
        stopped = false
        run()
      },
      async stop() {
        stopped = true
        clearTimeout(timer)
        await round
      },
      runDue: async () => 0,
    } satisfies Worker,
  }
}
