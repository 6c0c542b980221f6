// Speaks PostgreSQL's protocol with the embedded engine, so that each statement is parsed and planned once.
import { messages, type PGlite, protocol } from '@electric-sql/pglite'
import { DatabaseUnavailable } from './database.ts'
import type { RowsAsArrays } from './lookups.ts'
import { statementName } from './statement-names.ts'

const { serialize } = protocol

/** A statement that the engine keeps, and how its parameters are written and its columns read. */
interface Prepared {
  readonly name: string
  readonly writers: readonly ((value: unknown) => string)[]
  readonly columns: readonly string[]
  readonly readers: readonly ((text: string) => unknown)[]
}

/**
 * Runs statements that have parameters. `PGlite.query` parses and plans a statement each time, in six calls of the
 * engine; here its first use prepares it, and every use is one call: bind, execute, sync. What PGlite does with
 * parameters, values and notices stays as it is. The caller sees to it that nothing else runs meanwhile.
 */
export class PreparingEngine {
  readonly #engine: PGlite
  readonly #prepared = new Map<string, Prepared>()

  constructor(engine: PGlite) {
    this.#engine = engine
  }

  /** Rows as objects. Rejects with the engine's error, after which the session is usable. */
  async run(text: string, parameters: readonly unknown[]): Promise<unknown[]> {
    const { names, rows } = await this.read(text, parameters)
    return rows.map((values) => Object.fromEntries(names.map((name, at) => [name, values[at]])))
  }

  /** The same with rows as arrays. */
  async read(text: string, parameters: readonly unknown[]): Promise<RowsAsArrays> {
    const name = statementName(text)
    if (name === undefined) {
      const { fields, rows } = await this.#engine.query<unknown[]>(text, [...parameters], {
        rowMode: 'array',
      })
      return { names: fields.map((field) => field.name), rows }
    }
    return this.#engine.runExclusive(async () => {
      // A query of PGlite would look at this itself.
      if (!this.#engine.ready) throw new DatabaseUnavailable(new Error('the embedded database is closed'))
      try {
        return await this.#execute(this.#prepared.get(name) ?? (await this.#prepare(name, text)), parameters)
      } catch (error) {
        if (!isOutdated(error) || this.#engine.isInTransaction()) throw error
        return await this.#execute(await this.#prepare(name, text), parameters)
      }
    })
  }

  /** Prepares the statement under its name, in place of what was prepared under it before. */
  async #prepare(name: string, text: string): Promise<Prepared> {
    const answers = await this.#ask(
      serialize.close({ type: 'S', name }),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
    )
    const { parsers, serializers } = this.#engine
    const types = answers.find((answer) => answer instanceof messages.ParameterDescriptionMessage)
    const fields = answers.find((answer) => answer instanceof messages.RowDescriptionMessage)?.fields ?? []
    const prepared: Prepared = {
      name,
      writers: (types?.dataTypeIDs ?? []).map((type) => serializers[type] ?? String),
      columns: fields.map((field) => field.name),
      readers: fields.map(({ dataTypeID }) => parsers[dataTypeID] ?? String),
    }
    this.#prepared.set(name, prepared)
    return prepared
  }

  async #execute({ name, writers, columns, readers }: Prepared, parameters: readonly unknown[]) {
    const values = parameters.map((value, at) => {
      return value === null || value === undefined ? null : (writers[at] ?? String)(value)
    })
    const answers = await this.#ask(serialize.bind({ statement: name, values }), serialize.execute())
    const rows: unknown[][] = []
    for (const answer of answers) {
      if (!(answer instanceof messages.DataRowMessage)) continue
      rows.push(answer.fields.map((field, at) => (field === null ? null : readers[at]?.(field))))
    }
    return { names: columns, rows }
  }

  /** All in one call, and a sync behind it, which commits, and after an error begins anew. */
  #ask(...requests: Uint8Array[]) {
    return this.#engine.execProtocolStream(Buffer.concat([...requests, serialize.sync()]), {})
  }
}

/** A table that the statement reads has other columns since it was prepared; it was not begun. */
function isOutdated(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}
