// The gateway is killed while it adds entries to the signed history. None is missing or there twice.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseKinds } from '../database.ts'
import { cards, startWorld, type World } from '../world.ts'
import { kills } from './kills.ts'

describe.each(databaseKinds)('on %s', (kind) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(kind)
  })
  afterAll(() => world.stop())

  it.each(kills.chaining)('killed at "%s" (%i)', async (point, count) => {
    await world.payOnPage(await world.createCheckout(), cards.frictionless)
    await world.armCrash(point, count)
    const chaining = world.advance('PT1M').catch(() => undefined)
    await world.crashed()
    await chaining
    await world.restart()
    await world.payOnPage(await world.createCheckout(), cards.frictionless)
    await world.advance('PT1M')
    const { body } = await world.shop.get('/api/v2/audit/head')
    expect(body).toMatchObject({ postings: 4, events: 2 })
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    expect(await world.cli('audit', '--since', JSON.stringify(body))).toMatchObject({ code: 0 })
  })
})
