// Due times are in their own tables, so settling is a HOT update.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres, statement } from '../../src/storage/index.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { cards, startWorld, type World } from '../world.ts'

describe('on postgres', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld('postgres')
  })
  afterAll(() => world.stop())

  it('settles payments by HOT updates, which write no index, and finds them by their key', async () => {
    const token = await storeCard(world, cards.frictionless.number)
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 60 }, () => payByToken(world, token)))
    // An idle session reports its counts ten seconds later, and one that ends reports them at once.
    await world.kill()
    const database = openPostgres({ url: world.databaseUrl as string })
    try {
      const updates = statement<{ all: bigint; hot: bigint; scanned: bigint }>(`
        select n_tup_upd as all, n_tup_hot_upd as hot, seq_tup_read as scanned
        from pg_stat_user_tables where relname = 'operations'`)
      const counted = await world.eventually(async () => {
        const [row] = await database.run(updates)
        return row !== undefined && row.all >= 600n && row
      })
      expect(Number(counted.hot) / Number(counted.all)).toBeGreaterThanOrEqual(0.95)
      // PostgreSQL makes its plans while the table is empty, and keeps them.
      expect(counted.scanned).toBeLessThan(600n)
    } finally {
      await database.close()
    }
  })
})
