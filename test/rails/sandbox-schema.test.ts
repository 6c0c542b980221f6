// The sandbox has its own database schema.
import { expect, it } from 'vitest'
import { migrate, openPglite, openPostgres, statement } from '../../src/storage/index.ts'
import { createEmptyPostgresDatabase, databaseKinds } from '../database.ts'

const tables = statement<{ name: string }>(`
  select relnamespace::regnamespace || '.' || relname as name from pg_class
  where relkind = 'r' and (relname like 'sandbox%' or relnamespace::regnamespace::text = 'sandbox') order by 1`)
const schemas = statement<{ name: string }>(
  `select nspname as name from pg_namespace where nspname = 'sandbox'`,
)

it.each(databaseKinds)(
  'a gateway without the sandbox has neither its tables nor its schema, on %s',
  async (kind) => {
    const database =
      kind === 'pglite' ? await openPglite() : openPostgres({ url: await createEmptyPostgresDatabase() })
    await migrate(database)
    expect(await database.run(tables)).toEqual([])
    expect(await database.run(schemas)).toEqual([])
    await database.close()
  },
)
