// The gateway's role in PostgreSQL owns one database and nothing else.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { giveToPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { cards, type Json, startWorld } from '../world.ts'

const script = join(import.meta.dirname, '../../deploy/postgresql/gateway-role.sh')
const password = 'r0le'

function isMissing(program: string): boolean {
  const isThere = spawnSync(program, ['--version']).status === 0
  if (!isThere) process.stderr.write(`\nSKIPPED, and so NOT SHOWN: ${program} is not here\n\n`)
  return !isThere
}

/** Only the gateway's role needs a password, as in the image. */
async function openServer(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-role-'))
  const rules = join(folder, 'pg_hba.conf')
  writeFileSync(rules, 'host all comporta all scram-sha-256\nhost all all all trust\n')
  giveToPostgres(folder)
  const server = await startPostgres({ settings: [`hba_file=${rules}`] })
  onTestFinished(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  await server.createDatabase('comporta')
  return server
}

function urlOf(server: PostgresServer, user: string, secret = password): string {
  const url = new URL(server.url('comporta'))
  url.username = user
  url.password = secret
  return url.href
}

function makeRole(server: PostgresServer, environment: Record<string, string>): void {
  const { hostname, port } = new URL(server.url('comporta'))
  const env = { PATH: process.env.PATH, PGHOST: hostname, PGPORT: port, ...environment }
  execFileSync('sh', [script], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function ask(url: string, ...statements: string[]): Promise<Json[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Json[] = []
    for (const sql of statements) ({ rows } = await client.query(sql))
    return rows
  } finally {
    await client.end()
  }
}

const rights = `
  select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
    (select json_agg(datname) from pg_database where datdba = pg_roles.oid) as owned
  from pg_roles where rolname = 'comporta'`
const none = {
  rolsuper: false,
  rolcreatedb: false,
  rolcreaterole: false,
  rolreplication: false,
  rolbypassrls: false,
}

it('a new database: the gateway migrates and runs as its owner, without other rights', async ({ skip }) => {
  if (isMissing('psql')) return skip()
  const server = await openServer()
  expect(() => makeRole(server, { DATABASE_PASSWORD: "a'b" })).toThrow('letters and digits only')
  makeRole(server, { DATABASE_PASSWORD: password })
  const url = urlOf(server, 'comporta')
  const world = await startWorld({ databaseUrl: url })
  onTestFinished(() => world.stop())
  const token = await storeCard(world, cards.frictionless.number)
  expect(await payByToken(world, token)).toMatchObject({ status: 'COMPLETED' })

  expect(await ask(url, rights)).toEqual([{ ...none, owned: ['comporta'] }])
  await expect(ask(url, "select pg_read_file('PG_VERSION')")).rejects.toThrow('permission denied')
  await expect(ask(url, 'create role other')).rejects.toThrow('permission denied')
  await expect(ask(urlOf(server, 'comporta', 'wrong'), 'select')).rejects.toThrow('password authentication')
})

it('an older database with the gateway as superuser: postgres takes over, and the data stays', async ({
  skip,
}) => {
  if (isMissing('psql')) return skip()
  const server = await openServer()
  await ask(
    server.url('comporta'),
    'create role other superuser',
    'set session authorization other',
    `alter role postgres rename to comporta`,
    `alter role comporta password '${password}'`,
  )
  const url = urlOf(server, 'comporta')
  const world = await startWorld({ databaseUrl: url })
  onTestFinished(() => world.stop())
  const token = await storeCard(world, cards.frictionless.number)
  const before = await payByToken(world, token)
  const stateOfRole = async () =>
    (await world.cli('doctor')).json.findings.find(({ check }: Json) => check === 'database role').state
  expect(await stateOfRole()).toBe('warning')
  await world.kill()
  makeRole(server, { DATABASE_PASSWORD: password, POSTGRES_USER: 'comporta', PGPASSWORD: password })

  expect(await ask(url, rights)).toEqual([{ ...none, owned: ['comporta'] }])
  expect(await stateOfRole()).toBe('ok')
  const foreign = await ask(
    url,
    `select relname from pg_class where oid >= 16384 and relkind <> 't' and relnamespace <> 'pg_toast'::regnamespace
       and relowner <> 'comporta'::regrole`,
  )
  expect(foreign).toEqual([])
  await world.restart()
  expect(await world.operation(before.id)).toMatchObject({ status: 'COMPLETED' })
  expect(await payByToken(world, token)).toMatchObject({ status: 'COMPLETED' })
  // A later migration may change tables, functions and schemas.
  await ask(url, 'alter table operations add column added text', 'create schema added')
  expect((await world.cli('audit')).code).toBe(0)
  expect(await ask(urlOf(server, 'postgres'), 'select rolsuper from pg_roles where rolname = user')).toEqual([
    { rolsuper: true },
  ])
})
