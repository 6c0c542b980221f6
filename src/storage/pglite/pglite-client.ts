// The session and the engine of the embedded database.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { messages, type PGliteOptions, parse, protocol, types } from '@electric-sql/pglite'
import { projectRoot } from '../../kernel/project-root.ts'
import { DatabaseUnavailable, type RowsAsArrays } from '../database.ts'
import { isOutdated, type Session, statementName, typeParsers } from '../sessions.ts'

const { serialize } = protocol

interface Prepared {
  readonly name: string
  readonly writers: readonly ((value: unknown) => string)[]
  readonly columns: readonly string[]
  readonly readers: readonly ((text: string) => unknown)[]
}

/** After its first use a statement needs one call; `PGlite.query` makes six. Calls must not overlap. */
export class PgliteSession implements Session {
  readonly #engine: Engine
  readonly #parsers: Record<number, (text: string) => unknown> = { ...types.parsers, ...typeParsers }
  readonly #serializers: Record<number, (value: unknown) => string> = { ...types.serializers }
  readonly #prepared = new Map<string, Prepared>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Learns the type numbers of arrays, which differ in each database. Call it first. */
  async learnArrays(): Promise<void> {
    const found = await this.run(arrayTypesSql, [])
    for (const { array, element } of found as { array: number; element: number }[]) {
      const [read, write] = [this.#parsers[element], this.#serializers[element]]
      this.#parsers[array] = (text) => types.arrayParser(text, read ?? String, array)
      this.#serializers[array] = (values) => types.arraySerializer(values, write, array)
    }
  }

  /** A text without parameters may contain several statements. The rows are those of the last one. */
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
    // If the stack overflows, PGlite does not report it, and the answer has no end.
    if (!said.some((message) => message instanceof messages.CommandCompleteMessage)) {
      throw new Error('the embedded database did not run a statement and gave no reason')
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
  /** Called after a failure of the engine, because no later call would end. */
  readonly onBroken: (error: unknown) => void
  readonly startThread?: StartThread | undefined
}

export type EngineThread = Pick<Worker, 'postMessage' | 'on' | 'once' | 'off' | 'ref' | 'unref' | 'terminate'>

export type StartThread = (options: Omit<EngineOptions, 'onBroken' | 'startThread'>) => EngineThread

const startWorker: StartThread = (options) => new Worker(threadFile, { workerData: options, execArgv: [] })

export type EngineMessage = Parameters<Parameters<InstanceType<typeof protocol.Parser>['parse']>[1]>[0]

interface Call {
  readonly said: EngineMessage[]
  error?: unknown
  readonly resolve: (said: readonly EngineMessage[]) => void
  readonly reject: (error: unknown) => void
}

/** The engine in a worker thread, so that statements do not block requests and use a second core. */
export class Engine {
  readonly #worker: EngineThread
  readonly #onBroken: (error: unknown) => void
  readonly #exited: Promise<void>
  readonly #parser = new protocol.Parser()
  readonly #calls: Call[] = []
  readonly #listeners = new Map<string, ((payload: string) => void)[]>()
  #ended: DatabaseUnavailable | undefined
  #status = idle

  static async open(options: EngineOptions): Promise<Engine> {
    const { dataDir } = options
    if (dataDir !== undefined && !existsSync(join(dataDir, 'PG_VERSION'))) {
      // To create a database takes 150 MiB, which only the end of the thread frees.
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

  get inTransaction(): boolean {
    return this.#status !== idle
  }

  /** Sends requests. After the first error the engine ignores them up to the next sync. */
  call(...requests: readonly Uint8Array[]): Promise<readonly EngineMessage[]> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const request = new Uint8Array(Buffer.concat(requests))
    return new Promise((resolve, reject) => {
      // The worker keeps the process alive only while a call is open.
      if (this.#calls.push({ said: [], resolve, reject }) === 1) this.#worker.ref()
      this.#worker.postMessage(request, [request.buffer])
    })
  }

  onNotice(channel: string, onNotice: (payload: string) => void): void {
    this.#listeners.set(channel, [...(this.#listeners.get(channel) ?? []), onNotice])
  }

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
    // After `close` the worker keeps the process alive until it has ended.
    if (this.#calls.length === 0 && this.#ended === undefined) this.#worker.unref()
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

  /** A database server would restart now. The embedded engine cannot, so the process must end. */
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

const idle = 'I'

const endingSeverities: ReadonlySet<unknown> = new Set(['PANIC', 'FATAL'])
