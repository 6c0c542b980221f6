// The database: connection, version, clock and tables.
import { existsSync } from 'node:fs'
import { embeddedDatabaseIn } from '../../config.ts'
import { systemClock } from '../../kernel/time.ts'
import { checkProduction } from '../../production.ts'
import { CannotStart } from '../../runtime.ts'
import {
  appliedSteps,
  type Database,
  hasSchema,
  isCurrent,
  isOutdated,
  openPostgres,
  statement,
} from '../../storage/index.ts'
import { type Finding, fine, reasonOf, type SetUp, skipped, warning, wrong } from './finding.ts'

/** Checks the database and changes nothing, not even an old schema. */
export async function examineDatabase({
  config: { databaseUrl: url, dataDir, mode },
}: SetUp): Promise<Finding[]> {
  if (url === undefined) {
    const path = embeddedDatabaseIn(dataDir)
    const detail = existsSync(path) ? `embedded, in ${path}` : `missing in ${path}: comporta serve creates it`
    return [existsSync(path) ? fine('database', detail) : skipped('database', detail)]
  }
  const database = openPostgres({ url, onReach: () => undefined })
  try {
    await database.ping()
    return [
      fine('database', `PostgreSQL at ${new URL(url).host} answers`),
      await checkProduction({ database, clock: systemClock }).then(
        () => fine('version and clock', 'PostgreSQL is new enough, and its clock agrees with this machine'),
        (error: unknown) => {
          if (!(error instanceof CannotStart)) throw error
          const say = mode === 'production' ? wrong : warning
          return say('version and clock', error.message, 'required in production; a sandbox starts anyway')
        },
      ),
      await roleIn(database),
      await schemaOf(database),
    ]
  } catch (error) {
    return [
      wrong(
        'database',
        `PostgreSQL at ${new URL(url).host} cannot be used: ${reasonOf(error)}`,
        'is it running, is DATABASE_URL right, and may this machine and user connect (pg_hba.conf)?',
      ),
    ]
  } finally {
    await database.close()
  }
}

const selectRole = statement<{ name: string; is_superuser: boolean }>(`
  select rolname as name, rolsuper as is_superuser from pg_roles where rolname = current_user`)

/** A warning for a superuser: a thief of the gateway could then read all files of the database server. */
async function roleIn(database: Database): Promise<Finding> {
  const check = 'database role'
  const [role] = await database.run(selectRole, [])
  if (role?.is_superuser !== true) return fine(check, `${role?.name} is not a superuser`)
  return warning(
    check,
    `${role.name} is a superuser of PostgreSQL`,
    'connect as a role that only owns the database: docs/deploying.md shows how to create one',
  )
}

const selectAddresses = statement<{ address: string }>(`
  select distinct address
  from wallets cross join lateral (values (callback_url), (card_callback_url)) as set_for_callbacks (address)
  where kind = 'merchant' and address is not null
  order by address`)

/** Reads the merchants' callback addresses without a gateway, which would migrate the database. */
export async function addressesIn(url: string): Promise<string[]> {
  const database = openPostgres({ url, onReach: () => undefined })
  try {
    return (await database.run(selectAddresses, [])).map(({ address }) => address)
  } finally {
    await database.close()
  }
}

async function schemaOf(database: Parameters<typeof hasSchema>[0]): Promise<Finding> {
  const check = 'migrations'
  if (!(await hasSchema(database)))
    return warning(
      check,
      'the database has no tables yet',
      'run comporta migrate, or start the gateway, to create them',
    )
  if (await isCurrent(database)) return fine(check, 'all are applied')
  if (isOutdated(await appliedSteps(database)))
    return wrong(
      check,
      'the database was made by a version before 0.1.0, which this version cannot update',
      'name an empty database in DATABASE_URL',
    )
  return warning(
    check,
    'the database has an older schema',
    'run comporta migrate, or start the gateway, to migrate it',
  )
}
