// Two processes run the same day of a payout schedule. One has an expired lease.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { beginRun, finishRun, lastRuns, saveSchedule } from '../../src/payouts/schedule.ts'
import { statement } from '../../src/storage/index.ts'
import { openTestDatabase } from '../database.ts'

it('a late process does not change an ordered payout', async () => {
  const database = await openTestDatabase('postgres')
  await database.run(
    statement('alter table payout_schedules drop constraint payout_schedules_wallet_id_fkey'),
  )
  const now = systemClock.now()
  const day = '2026-11-23' as const
  const schedule = {
    walletId: 1n,
    frequency: 'daily',
    day: undefined,
    minimum: cents(1),
    keep: cents(0),
    nextOn: day,
  } as never
  await saveSchedule(database, schedule, now, now)
  await beginRun(database, { walletId: 1n, day: day as never, operationId: randomUUID(), ranAt: now })
  const next = { day: '2026-11-24' as never, dueAt: now }
  const runs = () => lastRuns(database, 1n, 5)

  const ordered = { outcome: 'ordered', amount: cents(700), reason: undefined } as const
  const skipped = { outcome: 'skipped', amount: undefined, reason: 'below_minimum' } as const
  await finishRun(database, schedule, skipped, next)
  expect(await runs()).toMatchObject([skipped])
  await finishRun(database, schedule, ordered, next)
  expect(await runs()).toMatchObject([ordered])
  await finishRun(database, schedule, skipped, next)
  expect(await runs()).toMatchObject([ordered])
  await database.close()
})
