// Failover: another server takes over, possibly without the last commits.
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clearingOf, createLedger, type Ledger, openAccount } from '../../src/ledger/index.ts'
import { type Database, migrate, openPostgres } from '../../src/storage/index.ts'
import { giveToPostgres, type PostgresServer, startPostgres } from '../postgres-server.ts'

const name = 'gateway'

describe('a server that takes over', () => {
  let server: PostgresServer
  let database: Database
  let ledger: Ledger
  const folder = mkdtempSync(join(tmpdir(), 'comporta-failover-'))
  const ask = async (sql: string) => {
    const client = new pg.Client({ connectionString: server.url(name) })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  /** The standby has all data until this moment. */
  async function copyStandby(): Promise<void> {
    await server.interrupt()
    cpSync(server.dataFolder, join(folder, 'standby'), { recursive: true })
    await server.resume()
  }

  async function takeOver(): Promise<void> {
    await server.kill()
    rmSync(server.dataFolder, { recursive: true })
    cpSync(join(folder, 'standby'), server.dataFolder, { recursive: true })
    chmodSync(server.dataFolder, 0o700)
    writeFileSync(join(server.dataFolder, 'standby.signal'), '')
    giveToPostgres(server.dataFolder)
    await server.resume()
  }

  beforeAll(async () => {
    server = await startPostgres()
    await server.createDatabase(name)
    database = openPostgres({ url: server.url(name) })
    await migrate(database)
    ledger = createLedger({ database })
    await ledger.numberOf(clearingOf('CC'))
    await copyStandby()
  })
  afterAll(async () => {
    await database.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('keeps no connection of a gateway that stops while the server recovers', async () => {
    const stopping = openPostgres({ url: server.url(name) })
    await stopping.listen('notices', () => undefined)
    await takeOver()
    // Each question is a session, and each refused attempt to listen.
    let asked = 0
    const refused = async () => {
      const [row] = await ask(`select sessions::integer from pg_stat_database where datname = '${name}'`)
      return row.sessions - ++asked
    }
    const before = await refused()
    await expect.poll(refused).toBeGreaterThan(before + 2)
    await stopping.close()
    const others = `
      select query from pg_stat_activity
      where datname = '${name}' and pid <> pg_backend_pid() and query like 'listen%'`
    expect(await ask(others)).toEqual([])
  })

  it('has other account numbers than the lost server', async () => {
    const mb = clearingOf('MB')
    await ask('select pg_promote()')
    await expect.poll(() => answers(database)).toBe(true)
    await copyStandby()
    const lost = await ledger.numberOf(mb)
    let failovers = 0
    database.onFailover(() => {
      failovers += 1
    })
    await takeOver()
    // A connection from before the promotion stays in the pool.
    await expect.poll(() => answers(database)).toBe(true)
    await ask('select pg_promote()')
    await expect.poll(() => openAccount(database, clearingOf('PAYPAL')).catch(() => undefined)).toBe(lost)
    expect(failovers).toBe(1)
    expect(await ledger.numberOf(mb)).not.toBe(lost)
    const accounts = await ask('select id, kind from accounts order by id')
    expect(accounts).toContainEqual({ id: String(lost), kind: 'clearing:PAYPAL' })
  })
})

function answers(database: Database): Promise<boolean> {
  return database.ping().then(
    () => true,
    () => false,
  )
}
