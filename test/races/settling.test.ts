// Two gateways settle the same operations. Deadlocks lose no answer.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import type { Json, World } from '../world.ts'

/** Enough for several groups of settlements at each gateway. */
const operationsAtOnce = 100
const rounds = 5

let world: World
let other: World
beforeAll(async () => {
  world = await openWorld('postgres')
  const environment = { MASTER_KEY_FILE: join(world.dataDir, 'master.key') }
  other = await openWorld({ databaseUrl: world.databaseUrl ?? '' }, environment)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await other.stop()
  await world.stop()
})

it('each operation is settled once, for any order at the two gateways', async () => {
  for (let round = 0; round < rounds; round++) {
    const made: Json[] = await Promise.all(
      Array.from({ length: operationsAtOnce }, () => world.createCheckout()),
    )
    const ids = made.map(({ id }): string => id)
    const statusesAt = async (gateway: World, order: readonly string[]) =>
      Promise.all(
        order.map(async (id) => [id, (await gateway.shop.delete(`/api/v2/checkout/${id}`)).status] as const),
      )
    const answers = await Promise.all([
      statusesAt(world, ids),
      statusesAt(other, round % 2 === 0 ? ids.toReversed() : ids.toSorted(() => Math.random() - 0.5)),
    ])
    const [here, there] = answers.map((pairs) => new Map(pairs)) as [Map<string, number>, Map<string, number>]
    for (const id of ids) expect([here.get(id), there.get(id)].sort()).toEqual([200, 409])
    for (const { payment } of made)
      expect(await world.operation(payment.id)).toMatchObject({ status: 'VOIDED' })
  }
})
