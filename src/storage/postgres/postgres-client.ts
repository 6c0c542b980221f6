// A PostgreSQL connection with prepared statements.
import pg from 'pg'
import type { RowsAsArrays } from '../database.ts'
import { isOutdated, renewStatementNames, type Session, statementName } from '../sessions.ts'

export const connectTimeoutMs = 5000
/** If a server is silent for longer, its connection is dropped. */
const answerMsMaxDefault = 30_000

export interface PreparingClientConfig extends pg.ClientConfig {
  readonly answerMsMax?: number
}

interface NamedResult {
  readonly fields: readonly { readonly name: string }[]
  readonly rows: unknown[]
}

/** Prepares statements with parameters, and closes a connection without an answer in time. Migrations may take longer. */
export class PreparingClient extends pg.Client implements Session {
  readonly #answerMsMax: number
  readonly #descriptions = new Map<string, RowDescription>()
  readonly #silent: object

  constructor(config?: PreparingClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectTimeoutMs })
    this.#answerMsMax = config?.answerMsMax ?? answerMsMaxDefault
    this.#silent = Object.create(this.connection, { describe: { value: () => undefined } })
    // A broken connection would end the process without this listener. The waiting caller gets the error.
    this.on('error', () => undefined)
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's query cannot be restated
  override query(first: any, values?: any, callback?: any): any {
    if (typeof first === 'string' && Array.isArray(values) && values.length > 0 && callback === undefined) {
      return this.#named(first, values)
    }
    return super.query(first, values, callback)
  }

  async run(text: string, parameters: readonly unknown[], hasNoTimeLimit?: true): Promise<unknown[]> {
    const answer: Promise<NamedResult> =
      parameters.length === 0 ? super.query(text) : this.#prepared(text, parameters)
    return (await (hasNoTimeLimit ? answer : this.#answered(answer))).rows
  }

  async read(text: string, parameters: readonly unknown[]): Promise<RowsAsArrays> {
    const { fields, rows } = await this.#named(text, parameters, 'array')
    return { names: namesOf(fields), rows: rows as unknown[][] }
  }

  #named(text: string, values: readonly unknown[], rowMode?: 'array'): Promise<NamedResult> {
    return this.#answered(this.#prepared(text, values, rowMode))
  }

  #prepared(text: string, values: readonly unknown[], rowMode?: 'array'): Promise<NamedResult> {
    const name = statementName(text)
    return new Promise<NamedResult>((resolve, reject) => {
      const query = new NamedQuery({ ...(name && { name }), text, values, rowMode }, (error, result) => {
        if (error === null) return resolve(result)
        if (name !== undefined && isOutdated(error)) renewStatementNames(text, name)
        reject(error)
      })
      if (name !== undefined) query.describeOnce(this.#descriptions, this.#silent)
      super.query(query as never)
    })
  }

  async #answered<T>(answer: Promise<T>): Promise<T> {
    const hangUp = setTimeout(() => this.connection.stream.destroy(), this.#answerMsMax)
    try {
      return await answer
    } finally {
      clearTimeout(hangUp)
    }
  }
}

const knownNames = new WeakMap<NamedResult['fields'], readonly string[]>()

function namesOf(fields: NamedResult['fields']): readonly string[] {
  const known = knownNames.get(fields)
  if (known !== undefined) return known
  const names = fields.map(({ name }) => name)
  knownNames.set(fields, names)
  return names
}

interface RowDescription {
  fields: NamedResult['fields']
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

interface QueryOfPg {
  readonly name: string | undefined
  readonly _result: RowDescription
  _accumulateRows: boolean
  prepare(connection: object): void
  handleRowDescription(message: unknown): void
}

const QueryOfPg = pg.Query as unknown as new (
  config: object,
  callback: (error: Error | null, result: NamedResult) => void,
) => QueryOfPg

/** Reuses the description of columns. For an operation, reading it would take as long as reading the row. */
class NamedQuery extends QueryOfPg {
  #descriptions: Map<string, RowDescription> | undefined
  #silent: object | undefined

  describeOnce(descriptions: Map<string, RowDescription>, silent: object): void {
    this.#descriptions = descriptions
    this.#silent = silent
  }

  override prepare(connection: object): void {
    const known = this.#descriptions?.get(this.name ?? '')
    if (known === undefined || this.#silent === undefined) return super.prepare(connection)
    Object.assign(this._result, known)
    this._accumulateRows = true
    super.prepare(this.#silent)
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#descriptions?.set(this.name ?? '', { fields, _parsers, _prebuiltEmptyResultObject })
  }
}
