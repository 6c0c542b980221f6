// The sandbox's tables lie in a schema of their own, which a gateway without it never has; those of a version before move.
import { expect, it } from 'vitest'
import { sandboxMigrations } from '../../sandbox/migrations/index.ts'
import { type Database, migrate, openPglite, openPostgres, statement } from '../../src/storage/index.ts'
import { coreMigrations } from '../../src/storage/migrations/index.ts'
import {
  createEmptyPostgresDatabase,
  type DatabaseKind,
  databaseKinds,
  openTestDatabase,
} from '../database.ts'

/** Steps of the gateway before its sandbox had a schema. */
const before = {
  steps: Object.fromEntries(Object.entries(coreMigrations.steps).filter(([name]) => name < '0037')),
}

async function openOfTheVersionBefore(kind: DatabaseKind): Promise<Database> {
  const database =
    kind === 'pglite' ? await openPglite() : openPostgres({ url: await createEmptyPostgresDatabase() })
  await migrate(database, before)
  return database
}

const tables = statement<{ name: string }>(`
  select relnamespace::regnamespace || '.' || relname as name from pg_class
  where relkind = 'r' and (relname like 'sandbox%' or relnamespace::regnamespace::text = 'sandbox') order by 1`)
const schemas = statement<{ name: string }>(
  `select nspname as name from pg_namespace where nspname = 'sandbox'`,
)
const shapes = statement<{ shape: string }>(`
  select attrelid::regclass || ' ' || attnum || ' ' || attname || ' ' || format_type(atttypid, atttypmod) || ' '
      || attnotnull || ' ' || coalesce(pg_get_expr(adbin, adrelid), '') as shape
    from pg_attribute join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'sandbox'::regnamespace and relkind = 'r' and attnum > 0
  union all
  select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'sandbox'::regnamespace
  union all
  select indexdef from pg_indexes where schemaname = 'sandbox'
  union all
  select proname || prosrc from pg_proc where pronamespace = 'sandbox'::regnamespace
  order by 1`)

it.each(databaseKinds)('tables that were used move with their rows, as new ones are, on %s', async (kind) => {
  const old = await openOfTheVersionBefore(kind)
  await old.run(statement('update sandbox_clock set offset_ms = 7000'))
  await old.run(
    statement(`
      insert into sandbox_authorisations (key, merchant_id, amount, currency, intent, last4, reference, approval_code,
        decided_at)
      values (gen_random_uuid(), 1000, 995, 'EUR', 'hold', '0027', 'R', '123456', now())`),
  )
  expect(await migrate(old)).toContain('0037-the-sandbox-has-a-schema')
  expect(await migrate(old, sandboxMigrations)).toEqual(Object.keys(sandboxMigrations.steps))

  const fresh = await openTestDatabase(kind)
  const found = await old.run(shapes)
  expect(found.length).toBeGreaterThan(150)
  expect(found.map(trimmed)).toEqual((await fresh.run(shapes)).map(trimmed))
  expect(await old.run(tables)).toEqual(await fresh.run(tables))
  expect(await old.run(statement('select amount, last4 from sandbox.authorizations'))).toEqual([
    { amount: 995n, last4: '0027' },
  ])
  expect(await old.run(statement('select offset_ms from sandbox.clock'))).toEqual([{ offset_ms: 7000n }])
  await expect(old.run(statement('update sandbox.authorizations set captured = 996'))).rejects.toThrow(
    'authorizations_hold',
  )
  await Promise.all([old.close(), fresh.close()])
})

it.each(databaseKinds)(
  'a gateway without the sandbox has neither its tables nor its schema, on %s',
  async (kind) => {
    const database = await openOfTheVersionBefore(kind)
    await migrate(database)
    expect(await database.run(tables)).toEqual([])
    expect(await database.run(schemas)).toEqual([])
    await database.close()
  },
)

/** The function's text may be indented otherwise. */
function trimmed({ shape }: { readonly shape: string }): string {
  return shape.replaceAll(/\s+/g, ' ')
}
