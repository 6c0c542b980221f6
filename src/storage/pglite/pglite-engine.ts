// The engine of the embedded database, in a thread of its own, to which PostgreSQL's protocol is spoken.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { messages, type PGliteOptions, protocol } from '@electric-sql/pglite'
import { projectRoot } from '../../kernel/project-root.ts'
import { DatabaseUnavailable } from '../database.ts'

const threadFile = join(projectRoot, 'src/storage/pglite/pglite-thread.js')

export interface EngineOptions extends Pick<PGliteOptions, 'dataDir' | 'relaxedDurability' | 'startParams'> {
  /** Told when the engine has failed for good: whatever is asked of it after this would never be answered. */
  readonly onBroken: (error: unknown) => void
}

/** A row, a description of rows or parameters, the end of a command; its class says which. */
export type EngineMessage = Parameters<Parameters<InstanceType<typeof protocol.Parser>['parse']>[1]>[0]

interface Call {
  readonly said: EngineMessage[]
  error?: unknown
  readonly resolve: (said: readonly EngineMessage[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * An open engine. It computes beside the gateway: a statement holds up neither requests nor callbacks, and on two
 * cores both work at the same time.
 */
export class Engine {
  readonly #worker: Worker
  readonly #onBroken: (error: unknown) => void
  readonly #exited: Promise<void>
  readonly #parser = new protocol.Parser()
  readonly #calls: Call[] = []
  readonly #listeners = new Map<string, ((payload: string) => void)[]>()
  #ended: DatabaseUnavailable | undefined
  #status = idle

  /** Opens the database in the folder `dataDir`, which is made when it is not there, or one in memory. */
  static async open(options: EngineOptions): Promise<Engine> {
    const { dataDir } = options
    if (dataDir !== undefined && !existsSync(join(dataDir, 'PG_VERSION'))) {
      // What making a database takes, 150 MiB, a thread gives back only when it ends.
      await (await Engine.#start(options)).close()
    }
    return Engine.#start(options)
  }

  static async #start({ onBroken, ...options }: EngineOptions): Promise<Engine> {
    const worker = new Worker(threadFile, { workerData: options, execArgv: [] })
    const opening = Promise.withResolvers<void>()
    worker.once('message', () => opening.resolve())
    worker.once('error', opening.reject)
    worker.once('exit', () => opening.reject(new Error('the embedded database did not open')))
    await opening.promise
    return new Engine(worker, onBroken)
  }

  private constructor(worker: Worker, onBroken: (error: unknown) => void) {
    this.#worker = worker
    this.#onBroken = onBroken
    worker.unref()
    worker.on('message', (said: Uint8Array | 'done') => this.#hear(said))
    worker.on('error', (error) => this.#break(error))
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()))
    void this.#exited.then(() => {
      this.#break(new Error('the thread of the embedded database has ended'))
      this.#end(closed())
    })
  }

  /** Whether the last call left a transaction open. */
  get inTransaction(): boolean {
    return this.#status !== idle
  }

  /**
   * Sends `requests` in one call, and answers all that the engine says to them. Calls are answered in their order.
   * Rejects with the first error; requests behind it up to the next sync have no effect.
   */
  call(...requests: readonly Uint8Array[]): Promise<readonly EngineMessage[]> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const request = new Uint8Array(Buffer.concat(requests))
    return new Promise((resolve, reject) => {
      // The thread keeps the process alive only while somebody waits for it.
      if (this.#calls.push({ said: [], resolve, reject }) === 1) this.#worker.ref()
      this.#worker.postMessage(request, [request.buffer])
    })
  }

  /** Has `onNotice` called with what is sent on `channel`, once the session listens on it. */
  onNotice(channel: string, onNotice: (payload: string) => void): void {
    this.#listeners.set(channel, [...(this.#listeners.get(channel) ?? []), onNotice])
  }

  /** Writes everything out and ends the thread. */
  async close(): Promise<void> {
    if (this.#ended !== undefined) await this.#worker.terminate()
    else {
      this.#worker.ref()
      this.#worker.postMessage('close')
      this.#ended = closed()
    }
    await this.#exited
  }

  #hear(said: Uint8Array | 'done'): void {
    if (said !== 'done') return this.#parser.parse(said, (message) => this.#take(message))
    const call = this.#calls.shift()
    if (this.#calls.length === 0) this.#worker.unref()
    if (call?.error === undefined) call?.resolve(call.said)
    else call.reject(call.error)
  }

  #take(message: EngineMessage): void {
    const [call] = this.#calls
    if (message instanceof messages.NotificationResponseMessage) {
      const { channel, payload } = message
      for (const onNotice of this.#listeners.get(channel) ?? []) queueMicrotask(() => onNotice(payload))
    } else if (message instanceof messages.ReadyForQueryMessage) {
      this.#status = message.status
    } else if (message instanceof messages.DatabaseError) {
      if (call !== undefined) call.error ??= message
      if (endingSeverities.has(message.severity)) this.#break(message)
    } else {
      call?.said.push(message)
    }
  }

  /** A server would restart after this; the engine has nobody to do that. */
  #break(error: unknown): void {
    if (this.#ended !== undefined) return
    const [call] = this.#calls.splice(0, 1)
    call?.reject(error)
    this.#end(new DatabaseUnavailable(error, 'the embedded database has stopped'))
    this.#onBroken(error)
  }

  #end(reason: DatabaseUnavailable): void {
    this.#ended ??= reason
    for (const { reject } of this.#calls.splice(0)) reject(this.#ended)
  }
}

function closed(): DatabaseUnavailable {
  return new DatabaseUnavailable(new Error('the embedded database is closed'))
}

/** The status of a session that is in no transaction. */
const idle = 'I'

const endingSeverities: ReadonlySet<unknown> = new Set(['PANIC', 'FATAL'])
