// Runs the engine of the embedded database in this thread, with virtual time.
import { EventEmitter } from 'node:events'
import { PGlite } from '@electric-sql/pglite'
import type { EngineThread, StartThread } from '../../../../src/storage/pglite/pglite-client.ts'
import { owners } from './time.ts'

/**
 * The owner of the engine's own timers, which must never fire: time stops while the engine works, and its timers
 * depend on earlier seeds.
 */
const alarms = { ended: true }

/** Nobody reads the log of a database in memory. A shorter one saves a fifth of the time of a seed. */
const shortLog = {
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

export const startHere: StartThread = ({ startParams = [], ...options }) => {
  const thread = new Here()
  const settings = Object.entries(shortLog).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  PGlite.create({ ...options, startParams: [...startParams, ...settings] }).then(
    (engine) => thread.open(engine),
    (error) => thread.emit('error', error),
  )
  return thread as unknown as EngineThread
}

class Here extends EventEmitter {
  #engine: PGlite | undefined

  open(engine: PGlite): void {
    this.#engine = engine
    this.emit('message', 'open')
  }

  postMessage(request: Uint8Array | 'close'): void {
    const engine = this.#engine as PGlite
    if (request === 'close') {
      void engine.close().then(() => this.emit('exit', 0))
      return
    }
    const said = owners.run(alarms, () => engine.execProtocolRawSync(request))
    this.emit('message', said)
    this.emit('message', 'done')
  }

  ref(): void {}
  unref(): void {}
  async terminate(): Promise<number> {
    return 0
  }
}
