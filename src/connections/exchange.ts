// Drivers that exchange files with their providers do so every minute, and when an operator asks.
import { nameOf } from '../kernel/result.ts'
import { minute } from '../kernel/time.ts'
import type { Worker } from '../storage/index.ts'
import type { Connections } from './connections.ts'
import type { ExchangedFile } from './driver.ts'
import type { Contacts } from './tools/contacts.ts'

const pollMs = minute

/** Over which connection a file was exchanged. */
export interface ExchangedOver extends ExchangedFile {
  readonly connectionId: bigint
}

export interface Exchange {
  /** Every driver's, one after the other; throws the first failure once all were tried. */
  now(): Promise<readonly ExchangedOver[]>
  readonly worker: Worker
}

export function createExchange({
  connections,
  contacts,
  onError,
}: {
  readonly connections: Connections
  readonly contacts: Contacts
  readonly onError: (error: unknown) => void
}): Exchange {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<unknown> | undefined
  let stopped = true

  async function exchange(): Promise<{ files: ExchangedOver[]; failures: unknown[] }> {
    const files: ExchangedOver[] = []
    const failures: unknown[] = []
    for (const held of connections.all()) {
      // Another connection may use the folders of one that was removed.
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
    async now() {
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
      // A clock that jumps brings no file.
      runDue: async () => 0,
    },
  }
}
