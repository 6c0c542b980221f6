// The engine of the embedded database in this thread: what it answers is there at once, and its clock is the simulation's.
import { EventEmitter } from 'node:events'
import { PGlite } from '@electric-sql/pglite'
import type { EngineThread, StartThread } from '../../../src/storage/pglite/pglite-client.ts'
import { EngineMemory } from './memory.ts'
import { owners } from './time.ts'

/**
 * The owner of alarms that the engine sets for its own limits of time. None ever comes, as time stands still while it works;
 * whether it sets one depends on what it did for seeds before.
 */
const alarms = { ended: true }

/** An engine that can be brought back to an earlier moment, with all that it stores and knows. */
export class EngineHere {
  #thread: Here | undefined

  /** To be handed to `openPglite`. */
  readonly start: StartThread = (options) => {
    const thread = new Here()
    this.#thread = thread
    PGlite.create(options).then(
      (engine) => thread.open(engine),
      (error) => thread.emit('error', error),
    )
    return thread as unknown as EngineThread
  }

  /** Keeps everything as it is now, with the statements that are prepared. To be called while nothing uses the engine. */
  keep(): void {
    this.#thread?.keep()
  }

  /** Brings back what was kept. What was prepared or listened for since is so again. */
  goBack(): void {
    this.#thread?.goBack()
  }
}

class Here extends EventEmitter {
  #engine: PGlite | undefined
  #memory: EngineMemory | undefined
  /** What the session has to have been sent, since it was kept, for its client to go on. */
  #sent: Uint8Array[] = []
  /** The last use of each prepared statement since, by its name. */
  readonly #uses = new Map<string, Uint8Array>()
  readonly #planned = new Set<string>()

  open(engine: PGlite): void {
    this.#engine = engine
    this.#memory = new EngineMemory(engine.Module as unknown as ConstructorParameters<typeof EngineMemory>[0])
    this.emit('message', 'open')
  }

  postMessage(request: Uint8Array | 'close'): void {
    if (request === 'close') {
      void this.#engine?.close().then(() => this.emit('exit', 0))
      return
    }
    if (lasts(request)) this.#sent.push(request)
    if (request[0] === kinds.bind && statementOf(request) !== '')
      this.#uses.set(statementOf(request), firstOf(request))
    this.#call(request, (said) => this.emit('message', said))
    this.emit('message', 'done')
  }

  keep(): void {
    this.#memory?.keep()
    this.#sent = []
    this.#uses.clear()
  }

  goBack(): void {
    this.#memory?.goBack()
    if (this.#sent.length === 0) return
    for (const request of this.#sent) this.#call(request)
    // Bound once more, and not executed: so they are planned here rather than in each seed.
    for (const [name, use] of this.#uses) {
      if (this.#planned.has(name)) continue
      this.#planned.add(name)
      for (let time = 0; time < usesBeforePlanIsKept; time++) this.#call(Buffer.concat([use, sync]))
    }
    this.keep()
  }

  /** Runs in the caller's turn: the promise is only how it says that it has written everything out. */
  #call(request: Uint8Array, onSaid: (said: Uint8Array) => void = () => undefined): void {
    const engine = this.#engine as PGlite
    owners.run(
      alarms,
      () => void engine.execProtocolRawStream(request, { syncToFs: false, onRawData: onSaid }),
    )
  }

  ref(): void {}
  unref(): void {}
  async terminate(): Promise<number> {
    return 0
  }
}

/** First bytes of messages to PostgreSQL. */
const kinds = { bind: 0x42, close: 0x43, query: 0x51 } as const
const sync = Uint8Array.of(0x53, 0, 0, 0, 4)
/** So often PostgreSQL plans for the values at hand before it considers a plan for all values. */
const usesBeforePlanIsKept = 6

/** Whether the session remembers a request: what prepares a statement closes the one of its name first. */
function lasts(request: Uint8Array): boolean {
  // Behind its length and the letter S; without a name it is used once.
  if (request[0] === kinds.close) return request[6] !== 0
  return request[0] === kinds.query && Buffer.from(request.subarray(5, 12)).toString() === 'listen '
}

/** The first of several messages. */
function firstOf(request: Uint8Array): Uint8Array {
  return request.slice(0, 1 + Buffer.from(request.buffer, request.byteOffset).readUInt32BE(1))
}

/** The name of the prepared statement that a `bind` uses, behind that of the portal. */
function statementOf(request: Uint8Array): string {
  const [, statement = ''] = Buffer.from(request.subarray(5, 80)).toString('latin1').split('\0')
  return statement
}
