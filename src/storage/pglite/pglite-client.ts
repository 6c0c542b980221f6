// The session with the embedded database, in which each statement is planned once; and its engine, in a thread of its own.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { messages, type PGliteOptions, parse, protocol, types } from '@electric-sql/pglite'
import { projectRoot } from '../../kernel/project-root.ts'
import { DatabaseUnavailable, type RowsAsArrays } from '../database.ts'
import { isOutdated, type Session, statementName } from '../sessions.ts'
import { typeParsers } from '../tables/values.ts'

const { serialize } = protocol

/** A statement that the engine keeps, and how its parameters are written and its columns read. */
interface Prepared {
  readonly name: string
  readonly writers: readonly ((value: unknown) => string)[]
  readonly columns: readonly string[]
  readonly readers: readonly ((text: string) => unknown)[]
}

/**
 * The first use of a statement with parameters prepares it, and every use is one call: bind, execute, sync.
 * `PGlite.query` would parse and plan it each time, in six calls. Values are read and written as PGlite does. The
 * caller sees to it that one thing is asked at a time.
 */
export class PgliteSession implements Session {
  readonly #engine: Engine
  readonly #parsers: Record<number, (text: string) => unknown> = { ...types.parsers, ...typeParsers }
  readonly #serializers: Record<number, (value: unknown) => string> = { ...types.serializers }
  readonly #prepared = new Map<string, Prepared>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Learns the types of arrays, which every database numbers by itself. To be called before anything else. */
  async learnArrays(): Promise<void> {
    const found = await this.run(arrayTypesSql, [])
    for (const { array, element } of found as { array: number; element: number }[]) {
      const [read, write] = [this.#parsers[element], this.#serializers[element]]
      this.#parsers[array] = (text) => types.arrayParser(text, read ?? String, array)
      this.#serializers[array] = (values) => types.arraySerializer(values, write, array)
    }
  }

  /** Without parameters a text may hold several statements (migrations do); the last one answers. */
  async run(text: string, parameters: readonly unknown[]): Promise<unknown[]> {
    if (parameters.length === 0) {
      const said = await this.#engine.call(serialize.query(text))
      return parse.parseResults([...said], this.#parsers).at(-1)?.rows ?? []
    }
    const { names, rows } = await this.read(text, parameters)
    return rows.map((values) => Object.fromEntries(names.map((name, at) => [name, values[at]])))
  }

  async read(text: string, parameters: readonly unknown[]): Promise<RowsAsArrays> {
    const name = statementName(text) ?? ''
    const known = this.#prepared.get(name)
    if (known === undefined) return this.#execute(await this.#prepare(name, text), parameters)
    try {
      return await this.#execute(known, parameters)
    } catch (error) {
      if (!isOutdated(error)) throw error
      this.#prepared.delete(name)
      if (this.#engine.inTransaction) throw error
      return this.#execute(await this.#prepare(name, text), parameters)
    }
  }

  /** Prepares the statement under its name, in place of what was prepared under it before. */
  async #prepare(name: string, text: string): Promise<Prepared> {
    const said = await this.#engine.call(
      serialize.close({ type: 'S', name }),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    )
    const wanted = said.find((message) => message instanceof messages.ParameterDescriptionMessage)
    const fields = said.find((message) => message instanceof messages.RowDescriptionMessage)?.fields ?? []
    const prepared: Prepared = {
      name,
      writers: (wanted?.dataTypeIDs ?? []).map((type) => this.#serializers[type] ?? String),
      columns: fields.map((field) => field.name),
      readers: fields.map(({ dataTypeID }) => this.#parsers[dataTypeID] ?? String),
    }
    // Without a name it is only the last one, and is used once.
    if (name !== '') this.#prepared.set(name, prepared)
    return prepared
  }

  async #execute(prepared: Prepared, parameters: readonly unknown[]): Promise<RowsAsArrays> {
    const { name, writers, columns, readers } = prepared
    const values = parameters.map((value, at) =>
      value === null || value === undefined ? null : (writers[at] ?? String)(value),
    )
    const said = await this.#engine.call(
      serialize.bind({ statement: name, values }),
      serialize.execute(),
      serialize.sync(),
    )
    // An error for want of stack is lost in the engine: the answer only lacks its end.
    if (!said.some((message) => message instanceof messages.CommandCompleteMessage)) {
      throw new Error('the embedded database did not run a statement, and did not say why')
    }
    return { names: columns, rows: rowsOf(said, readers) }
  }
}

function rowsOf(said: readonly EngineMessage[], readers: Prepared['readers']): unknown[][] {
  const rows: unknown[][] = []
  for (const message of said) {
    if (!(message instanceof messages.DataRowMessage)) continue
    rows.push(message.fields.map((field, at) => (field === null ? null : readers[at]?.(field))))
  }
  return rows
}

const arrayTypesSql = `
  select arrays.oid as array, elements.oid as element
  from pg_type as arrays join pg_type as elements on elements.oid = arrays.typelem
  where arrays.typcategory = 'A'`

const threadFile = join(projectRoot, 'src/storage/pglite/pglite-thread.js')

export interface EngineOptions extends Pick<PGliteOptions, 'dataDir' | 'relaxedDurability' | 'startParams'> {
  /** Told when the engine has failed for good: whatever is asked of it after this would never be answered. */
  readonly onBroken: (error: unknown) => void
  /** Where it runs; absent: in a thread of its own. */
  readonly startThread?: StartThread | undefined
}

/** What the engine needs of the thread that it runs in. */
export type EngineThread = Pick<Worker, 'postMessage' | 'on' | 'once' | 'off' | 'ref' | 'unref' | 'terminate'>

/** Begins to open the engine; its first message says that it is open. */
export type StartThread = (options: Omit<EngineOptions, 'onBroken' | 'startThread'>) => EngineThread

const startWorker: StartThread = (options) => new Worker(threadFile, { workerData: options, execArgv: [] })

/** A row, a description of rows or parameters, the end of a command; its class says which. */
export type EngineMessage = Parameters<Parameters<InstanceType<typeof protocol.Parser>['parse']>[1]>[0]

interface Call {
  readonly said: EngineMessage[]
  error?: unknown
  readonly resolve: (said: readonly EngineMessage[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * An open engine. It runs in a thread of its own: a statement holds up neither requests nor callbacks, and on two
 * cores both work at the same time.
 */
export class Engine {
  readonly #worker: EngineThread
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

  static async #start({ onBroken, startThread = startWorker, ...options }: EngineOptions): Promise<Engine> {
    const worker = startThread(options)
    const opening = Promise.withResolvers<void>()
    worker.once('message', () => opening.resolve())
    worker.once('error', opening.reject)
    worker.once('exit', () => opening.reject(new Error('the embedded database did not open')))
    await opening.promise
    return new Engine(worker, onBroken)
  }

  private constructor(worker: EngineThread, onBroken: (error: unknown) => void) {
    this.#worker = worker
    this.#onBroken = onBroken
    worker.unref()
    worker.on('message', (said: Uint8Array | 'done') => this.#receive(said))
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

  #receive(said: Uint8Array | 'done'): void {
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
