// The session with the embedded engine: each statement is parsed and planned once, and its values read and written.
import { messages, parse, protocol, types } from '@electric-sql/pglite'
import type { RowsAsArrays } from '../database.ts'
import type { Session } from '../postgres/sessions.ts'
import { statementName } from '../postgres/statement-names.ts'
import { typeParsers } from '../types.ts'
import type { Engine, EngineMessage } from './pglite-engine.ts'

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

/** A table that the statement reads has other columns since it was prepared; it was not begun. */
function isOutdated(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}
