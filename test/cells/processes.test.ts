// Live processes that share a database.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest'
import { createProcesses, type Processes, readCell, setCell } from '../../src/cells/index.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { after, second, systemClock } from '../../src/kernel/time.ts'
import type { Core } from '../../src/module.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { openTestDatabase } from '../database.ts'

let database: Database
const opened: Processes[] = []
const workerOf = ({ workers }: Processes) => workers?.live_processes as { runDue(): Promise<number> }

beforeAll(async () => {
  database = await openTestDatabase('postgres')
})
afterEach(async () => {
  for (const processes of opened.splice(0)) await processes.stop?.()
})
afterAll(() => database.close())

function open(aheadMs = 0, mode: Core['mode'] = 'production', outbox?: string) {
  const metrics = new Registry()
  const clock = { now: () => after(systemClock.now(), aheadMs) }
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const processes = createProcesses({
    ...{ database, clock, random: systemRandomness, mode, metrics, onError, outbox },
  })
  opened.push(processes)
  return { ...processes, metrics, errors, beat: () => workerOf(processes).runDue() }
}

it('each counts all, a stopped one leaves, and a silent one is dead', async () => {
  const [one, two, three] = [open(), open(), open()]
  expect(one.live.count).toBe(1)
  for (const each of [one, two, three, one, two]) await each.beat()
  expect([one.live.count, two.live.count, three.live.count]).toEqual([3, 3, 3])
  expect(await one.metrics.metrics()).toContain('comporta_processes_live 3')
  await three.stop?.()
  await one.beat()
  expect(one.live.count).toBe(2)
  await database.run(statement("update gateway_processes set seen_at = seen_at - interval '31 seconds'"))
  await one.beat()
  expect(one.live.count).toBe(1)
  await database.run(statement("update gateway_processes set seen_at = seen_at - interval '31 seconds'"))
  await one.beat()
  const rows = await database.run(statement<{ count: bigint }>('select count(*) from gateway_processes'))
  expect(rows).toEqual([{ count: 1n }])
})

it.each([
  [0, undefined],
  [1.5, undefined],
  [5, /clock of this machine is [45]\.\d s ahead of the database's: .*NTP/],
  [-5, /clock of this machine is [45]\.\d s behind the database's/],
])('with a clock that is %s s ahead: %s', async (seconds, reason) => {
  const processes = open(seconds * second)
  await processes.beat()
  if (reason === undefined) return expect(() => processes.checkClock()).not.toThrow()
  expect(() => processes.checkClock()).toThrow(
    expect.objectContaining({ reason: expect.stringMatching(reason) }),
  )
  expect(await processes.metrics.metrics()).toMatch(/comporta_clock_difference_seconds -?[45]/)
})

it('a failover is shown for a week, and the first server is not a failover', async () => {
  const processes = open()
  await processes.beat()
  expect(await processes.lastFailover()).toBeUndefined()
  const takeOver = (timeline: string, ago: string) =>
    database.run(
      statement(
        `insert into database_timelines values ('${timeline}', clock_timestamp() - interval '${ago}')`,
      ),
    )
  await database.run(statement("update database_timelines set seen_at = seen_at - interval '30 days'"))
  await takeOver('00000002', '8 days')
  expect(await processes.lastFailover()).toBeUndefined()
  await takeOver('00000003', '6 days')
  expect(await processes.lastFailover()).toBeGreaterThan(0)
})

it('that has read another number of the cell does not start, and a live one keeps the number', async () => {
  const live = open()
  await live.start?.()
  expect(await setCell(database, 1)).toMatchObject({
    refusal: { reason: expect.stringContaining('stop all') },
  })
  expect(await readCell(database)).toBe(0)
  await live.stop?.()
  expect(await setCell(database, 1)).toMatchObject({ ok: true })
  // It read 0 before the change.
  await expect(open().start?.()).rejects.toThrow('the number of this cell became 1')
  await database.run(statement('delete from gateway_processes'))
  expect(await setCell(database, 0)).toMatchObject({ ok: true })
})

it('with another folder for files to the bank logs an error', async () => {
  const [shared, own] = ['shared', 'own'].map((name) => join(inject('scratch'), randomUUID(), name))
  const begin = async (outbox: string | undefined) => {
    const processes = open(0, 'production', outbox)
    await processes.start?.()
    await processes.beat()
    return processes.errors
  }
  for (const outbox of [shared, shared, undefined]) expect(await begin(outbox)).toEqual([])
  expect(await begin(own)).toEqual([
    new Error(`BANK_OUTBOX (${own}) is not the folder of the other processes: let all use one shared folder`),
  ])
})

it('in the sandbox may have any clock, because it is moved there', async () => {
  const processes = open(3600 * second, 'sandbox')
  await processes.beat()
  expect(() => processes.checkClock()).not.toThrow()
  expect(await processes.metrics.metrics()).toContain('comporta_clock_difference_seconds 0')
})
