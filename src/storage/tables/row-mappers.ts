// Compiled mappers between database rows and program rows.
import type { Column, ColumnSpec, Embedded } from './column.ts'

type Fields = Readonly<Record<string, Column | Embedded>>

export interface FlatColumn {
  readonly name: string
  readonly spec: ColumnSpec
  readonly isNullable: boolean
}

export function flatColumns(fields: Fields): FlatColumn[] {
  return Object.entries(fields).flatMap(([field, declared]) => {
    if (!isIdentifier(field)) throw new Error(`a field cannot be called ${field}`)
    if ('spec' in declared) return [flatColumn(declared.spec, field)]
    const mayBeAbsent = declared.presence === 'optional'
    return membersOf(declared, field).map(({ column }) => ({
      ...column,
      isNullable: column.isNullable || mayBeAbsent,
    }))
  })
}

function flatColumn(spec: ColumnSpec, path: string): FlatColumn {
  const name = spec.name === '' ? snakeCase(path) : spec.name
  if (!isIdentifier(name)) throw new Error(`a column cannot be called ${name}`)
  return { name, spec, isNullable: spec.isNullable }
}

function membersOf({ members }: Embedded, field: string) {
  return Object.entries(members).map(([member, { spec }]) => {
    if (!isIdentifier(member)) throw new Error(`a field cannot be called ${member}`)
    return { member, column: flatColumn(spec, `${field}_${member}`) }
  })
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function isIdentifier(name: string): boolean {
  return /^[a-z][A-Za-z0-9_]*$/.test(name)
}

/** Generates source code, because a loop over the columns takes fifty times as long. */
export function readerOf(fields: Fields, prefix: string): (row: never) => object {
  const source = new MapperSource()
  const properties = Object.entries(fields).map(([field, declared]) => {
    if ('spec' in declared) return `${field}: ${readColumn(source, flatColumn(declared.spec, field), prefix)}`
    return `${field}: ${readEmbedded(source, declared, field, prefix)}`
  })
  return source.compile(properties)
}

function readColumn(source: MapperSource, { name, spec }: FlatColumn, prefix: string): string {
  const value = `row.${prefix}${name}`
  const otherwise =
    spec.presence === 'defaulted'
      ? source.name(spec.defaultValue)
      : spec.presence === 'nullable'
        ? 'null'
        : 'undefined'
  if (spec.read === undefined) return spec.presence === 'required' ? value : `${value} ?? ${otherwise}`
  const read = source.name(spec.read)
  if (spec.presence === 'required') return `${read}(${value})`
  return `(value = ${value}) == null ? ${otherwise} : ${read}(value)`
}

function readEmbedded(source: MapperSource, embedded: Embedded, field: string, prefix: string): string {
  const members = membersOf(embedded, field)
  const object = members.map(({ member, column }) => `${member}: ${readColumn(source, column, prefix)}`)
  if (embedded.presence === 'required') return `{ ${object.join(', ')} }`
  const isAbsent = members
    .filter(({ column }) => !column.isNullable)
    .map(({ column }) => `row.${prefix}${column.name} == null`)
  return `${isAbsent.join(' || ')} ? undefined : { ${object.join(', ')} }`
}

export function writerOf(fields: Fields, prefix: string): (row: never) => Record<string, unknown> {
  const source = new MapperSource()
  const properties = Object.entries(fields).flatMap(([field, declared]) => {
    if ('spec' in declared) return [writeColumn(source, flatColumn(declared.spec, field), `row.${field}`)]
    const embedded = `row.${field}${declared.presence === 'optional' ? '?' : ''}`
    return membersOf(declared, field).map(({ member, column: { name, spec, isNullable } }) => {
      const mayBeAbsent = declared.presence === 'optional' && spec.presence === 'required'
      const presence = mayBeAbsent ? 'optional' : spec.presence
      return writeColumn(source, { name, isNullable, spec: { ...spec, presence } }, `${embedded}.${member}`)
    })
  })
  return source.compile(properties.map((property) => prefix + property))
}

function writeColumn(source: MapperSource, { name, spec }: FlatColumn, value: string): string {
  const write = spec.write === undefined ? undefined : source.name(spec.write)
  const written = (given: string) => (write === undefined ? given : `${write}(${given})`)
  if (spec.presence === 'required') return `${name}: ${written(value)}`
  const otherwise = spec.presence === 'defaulted' ? written(source.name(spec.defaultValue)) : 'null'
  if (write === undefined) return `${name}: ${value} ?? ${otherwise}`
  return `${name}: (value = ${value}) == null ? ${otherwise} : ${written('value')}`
}

class MapperSource {
  readonly #names: string[] = []
  readonly #values: unknown[] = []

  name(value: unknown): string {
    const known = this.#values.indexOf(value)
    if (known >= 0) return this.#names[known] as string
    const name = `given${this.#names.length}`
    this.#names.push(name)
    this.#values.push(value)
    return name
  }

  /** This is safe, because the source contains only declared names. */
  compile(properties: readonly string[]): (row: never) => Record<string, unknown> {
    const body = `return (row) => { let value; return { ${properties.join(',\n')} } }`
    return new Function(...this.#names, body)(...this.#values)
  }
}
