// The feed of events: complete for any commit order and after a restore.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { continueEventOrder } from '../../src/callbacks/feed/order.ts'
import { beforeAllEvents, eventsAfter } from '../../src/callbacks/feed/store.ts'
import { type NewEvent, recordEvents } from '../../src/callbacks/index.ts'
import { type Database, statement } from '../../src/storage/index.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { CallbackWorld } from './callbacks.ts'

const url = 'http://shop.test/callback'
const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => id)
const reading =
  (database: () => Database) =>
  async (walletId: bigint, after = beforeAllEvents, limit = 100) =>
    idsOf((await eventsAfter(database(), walletId, after, limit)) ?? [])

describe.each(databaseKinds)('the feed on %s', (kind) => {
  let database: Database
  let world: CallbackWorld
  beforeAll(async () => {
    database = await openTestDatabase(kind)
    world = new CallbackWorld(database)
  })
  afterAll(() => database.close())

  async function recorded(walletId: bigint): Promise<NewEvent> {
    const event = world.event(walletId)
    await recordEvents(database, [event])
    return event
  }
  const read = reading(() => database)

  it('has every event of the wallet once, oldest first, and continues after any', async () => {
    const walletId = world.wallet(url)
    const events: NewEvent[] = []
    for (let count = 0; count < 5; count++) {
      events.push(await recorded(walletId))
      await world.record(world.wallet(url))
    }
    const ids = idsOf(events)
    await expect.poll(() => read(walletId)).toEqual(ids)
    expect(await read(walletId, ids[1], 2)).toEqual(ids.slice(2, 4))
    expect(await read(walletId, ids[4])).toEqual([])
  })

  it('knows no event of another wallet', async () => {
    const other = await recorded(world.wallet(url))
    expect(await eventsAfter(database, world.wallet(url), other.id, 1)).toBeUndefined()
  })

  it('continues after its last event on a server with fewer transactions', async () => {
    expect(await continueEventOrder(database)).toBe(false)
    const walletId = world.wallet(url)
    const before = world.event(walletId)
    const far = 'alter table events alter column written_in set default 4000000000000'
    await database.run(statement(far))
    await recordEvents(database, [before])
    const lost = 'alter table events alter column written_in set default pg_current_xact_id()::text::bigint'
    await database.run(statement(lost))
    expect(await read(walletId)).toEqual([])
    expect(await continueEventOrder(database)).toBe(true)
    const after = await recorded(walletId)
    await expect.poll(() => read(walletId)).toEqual([before.id, after.id])
    expect(await continueEventOrder(database)).toBe(false)
  })
})

describe('the feed on postgres, while others write', () => {
  let database: Database
  let world: CallbackWorld
  beforeAll(async () => {
    database = await openTestDatabase('postgres')
    world = new CallbackWorld(database)
  })
  afterAll(() => database.close())
  const read = reading(() => database)

  it('waits for earlier open transactions, and misses no event', async () => {
    const walletId = world.wallet(url)
    const late = world.event(walletId)
    const early = world.event(walletId)
    await database.transaction(async (tx) => {
      await recordEvents(tx, [late])
      await recordEvents(database, [early])
      expect(await eventsAfter(database, walletId, beforeAllEvents, 10)).toEqual([])
    })
    await expect.poll(() => read(walletId)).toEqual([late.id, early.id])
  })

  it('gives a reader that polls each event once, in one order for all, with writers of any duration', async () => {
    const walletId = world.wallet(url)
    const written: string[] = []
    let writing = true
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 12))
    const writer = async () => {
      for (let count = 0; count < 25; count++) {
        // The ids are given before the transactions begin, and these commit in another order.
        const events = [world.event(walletId), world.event(walletId)]
        await pause()
        await database.transaction(async (tx) => {
          for (const event of events) {
            await recordEvents(tx, [event])
            await pause()
          }
        })
        written.push(...idsOf(events))
      }
    }
    const reader = async () => {
      const seen: string[] = []
      for (;;) {
        const isLast = !writing
        const found = await read(walletId, seen.at(-1), 7)
        seen.push(...found)
        // Transactions of other databases may delay the last events.
        if (isLast && found.length === 0 && seen.length >= written.length) return seen
      }
    }
    const writers = Promise.all([writer(), writer(), writer(), writer()]).finally(() => {
      writing = false
    })
    const [one, other] = await Promise.all([reader(), reader(), writers])
    expect([...one].sort()).toEqual([...written].sort())
    expect(new Set(one).size).toBe(written.length)
    expect(other).toEqual(one)
  })
})
