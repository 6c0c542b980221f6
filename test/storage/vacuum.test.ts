// Vacuum of the embedded database.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openPglite, statement } from '../../src/storage/index.ts'
import { copyPgliteTemplate } from '../database.ts'

it('the embedded database does not grow with changed and deleted rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-vacuum-'))
  copyPgliteTemplate(folder)
  const database = await openPglite(folder, { vacuumEveryMs: 50 })
  await database.run(statement('create table "Queue" (id integer primary key, due integer, word text)'))
  await database.run(statement('create index on "Queue" (due)'))
  const insert = statement(
    `insert into "Queue" select n, n, repeat('x', 200) from generate_series(1, $1::integer) n`,
  )
  const change = statement('update "Queue" set due = due + $1')
  const remove = statement('delete from "Queue" where id > $1')
  const writeCounts = statement('select pg_stat_force_next_flush()')
  const look = statement<{ dead: bigint; bytes: bigint }>(`
    select n_dead_tup as dead, pg_total_relation_size('"Queue"') as bytes
    from pg_stat_user_tables where relname = 'Queue'`)
  let bytes = 0n
  for (let round = 0; round < 6; round++) {
    await database.run(insert, [2000])
    await database.run(change, [1])
    await database.run(remove, [0])
    await database.run(writeCounts)
    await expect.poll(async () => (await database.run(look))[0]?.dead).toBe(0n)
    bytes = (await database.run(look))[0]?.bytes ?? 0n
  }
  // One round takes 1.5 MB. Without a vacuum, six rounds would take 9 MB.
  expect(bytes).toBeLessThan(3_000_000n)
  await database.close()
  rmSync(folder, { recursive: true })
})

it('the embedded database plans by current table sizes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-vacuum-'))
  copyPgliteTemplate(folder)
  const database = await openPglite(folder, { vacuumEveryMs: 50 })
  await database.run(statement('create table "Queue" (id integer primary key)'))
  await database.run(statement('insert into "Queue" select generate_series(1, 5000)'))
  const look = statement<{ rows: number }>(
    `select reltuples::integer as rows from pg_class where relname = 'Queue'`,
  )
  await expect.poll(async () => (await database.run(look))[0]?.rows).toBe(5000)
  await database.close()
  rmSync(folder, { recursive: true })
})

it('the log of the embedded database is ended by checkpoints, so that its files are used again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-vacuum-'))
  copyPgliteTemplate(folder)
  const database = await openPglite(folder, { vacuumEveryMs: 50 })
  await database.run(statement('create table "Log" (word text)'))
  const write = statement(
    `insert into "Log" select repeat(md5(n::text), 40) from generate_series(1, 20000) n`,
  )
  const look = statement<{ mebibytes: number }>(`
    select (pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) / 1048576)::integer as mebibytes
    from pg_control_checkpoint()`)
  // Each writes 26 MiB. Without checkpoints, a recovery would read all of it.
  for (let round = 0; round < 3; round++) await database.run(write)
  await expect.poll(async () => (await database.run(look))[0]?.mebibytes).toBeLessThan(30)
  await database.close()
  rmSync(folder, { recursive: true })
})
