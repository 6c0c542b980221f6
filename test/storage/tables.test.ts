// The declared tables equal the schema: columns, types and nullability.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, statement } from '../../src/storage/index.ts'
import type { Fields, Table } from '../../src/storage/tables/table.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'

/** Tables of the migrator, and tables that the version before still needs during an upgrade. */
const othersTables =
  /^((sandbox\.)?kysely_migration(_lock)?|request_log|changed_operations|operation_(index|terms))$/

/** The declarations of the gateway, the sandbox and drivers. */
async function declaredTables(): Promise<Table<Fields>[]> {
  const root = join(import.meta.dirname, '../..')
  const files = globSync(['{src,sandbox,drivers}/**/{*model,table}.ts', 'src/methods/**/store.ts'], {
    cwd: root,
  })
  const modules = await Promise.all(files.map((file) => import(join(root, file))))
  const exported: unknown[] = modules.flatMap((module) => Object.values(module))
  return [...new Set(exported)].filter(isTable)
}

function isTable(value: unknown): value is Table<Fields> {
  return typeof value === 'object' && value !== null && 'schema' in value && 'whole' in value
}

function linesOf({ table, schema }: Table<Fields>): string[] {
  return schema.map(({ name, spec, isNullable }) => lineOf(table, name, spec.type, isNullable))
}

function lineOf(table: string, column: string, type: string, isNullable: boolean): string {
  return `${table}.${column} ${type}${isNullable ? '' : ' not null'}`
}

const selectColumns = statement<{ table: string; column: string; type: string; required: boolean }>(`
  select case nspname when 'sandbox' then 'sandbox.' else '' end || pg_class.relname as table, attname as column, format_type(atttypid, null) as type, attnotnull as required
  from pg_attribute
  join pg_class on pg_class.oid = attrelid and relkind in ('r', 'p')
  join pg_namespace on pg_namespace.oid = relnamespace and nspname in (current_schema(), 'sandbox')
  where attnum > 0 and not attisdropped`)

describe.each(databaseKinds)('the schema on %s', (kind) => {
  let database: Database
  let schema: string[]
  let declared: Table<Fields>[]

  beforeAll(async () => {
    database = await openTestDatabase(kind)
    declared = await declaredTables()
    const rows = await database.run(selectColumns)
    schema = rows
      .filter(({ table }) => !othersTables.test(table))
      .map(({ table, column, type, required }) => lineOf(table, column, shortName(type), !required))
      .sort()
  })
  afterAll(() => database.close())

  it('has exactly the columns that are declared', () => {
    expect(declared.flatMap(linesOf).sort()).toEqual(schema)
  })

  it('has each table declared once', () => {
    const names = declared.map(({ table }) => table)
    expect(names).toEqual([...new Set(names)])
  })
})

function shortName(type: string): string {
  return type.replace('timestamp with time zone', 'timestamptz')
}
