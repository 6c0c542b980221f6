// Death while further callback endpoints get their events.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databasesOr } from '../database.ts'
import { startMortalWorld } from '../gateway-here.ts'
import { askToPay, storeCard } from '../stored-cards.ts'
import { cards, type Json, type World } from '../world.ts'
import { kills } from './kills.ts'

const paymentsPerCrash = 12

describe.each(databasesOr('pglite'))('on %s', (kind) => {
  let world: World
  let token: string
  beforeAll(async () => {
    world = await startMortalWorld(kind)
    token = await storeCard(world, cards.frictionless.number)
    for (const path of ['/stock', '/books']) {
      const { status, text } = await world.shop.post('/api/v2/callback_endpoints', {
        ...{ url: world.receiver.url(path), kinds: ['operation'] },
      })
      expect(status, text).toBe(200)
    }
  })
  afterAll(() => world.stop())

  it.each(kills.callbackEndpoints)(
    'killed at "%s" (%i), each endpoint gets each event, again only if its answer was lost',
    async (point, count) => {
      const before = (await world.shop.get('/api/v2/callback/listen')).body.next
      await world.armCrash(point, count)
      await Promise.allSettled([
        ...Array.from({ length: paymentsPerCrash }, () =>
          askToPay(world, token, { request_id: randomUUID() }),
        ),
        world.crashed(),
      ])
      await world.restart()
      // Deliveries of the dead process wait for the end of their lease, its payments for their resolver.
      await world.advance('PT10M')
      const { events } = (await world.shop.get(`/api/v2/events?after=${before}`)).body
      const ids: string[] = events.map(({ id }: Json) => id)
      expect(ids.length).toBeGreaterThan(0)
      for (const path of ['/stock', '/books']) {
        const timesOf = (id: string) =>
          world.receiver.received(path).filter(({ headers }) => headers['webhook-id'] === id).length
        await world.eventually(async () => ids.every((id) => timesOf(id) > 0))
        for (const id of ids) expect(timesOf(id)).toBeLessThanOrEqual(2)
      }
      const { elements } = (await world.shop.get('/api/v2/callback_endpoints')).body
      for (const { id } of elements)
        await world.eventually(
          async () =>
            (await world.shop.get(`/api/v2/callback_endpoints/${id}/deliveries?status=DUE`)).body.total === 0,
        )
      expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    },
  )
})
