// Repeated sending of failed callbacks (CONTRACT section 16).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databasesOr } from '../database.ts'
import { openWorld } from '../gateway-here.ts'
import type { Json, World } from '../world.ts'

describe.each(databasesOr('postgres'))('callbacks that were given up, on %s', (kind) => {
  let world: World
  let wallet: string
  beforeAll(async () => {
    world = await openWorld(kind)
    wallet = String(world.shop.wallet_id)
    world.receiver.script('/callbacks', { status: 410 })
    for (let made = 0; made < 3; made++) await world.createCheckout()
    await world.advance('P2D')
    await world.eventually(async () => (await failed()).length === 3)
  })
  afterAll(async () => {
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    await world.stop()
  })

  const failed = async (): Promise<Json[]> => (await world.cli('callbacks', 'list')).json.callbacks
  const received = () => world.receiver.received('/callbacks').length

  it('are listed with their result', async () => {
    const [first] = await failed()
    expect(first).toMatchObject({
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      wallet_id: world.shop.wallet_id,
      kind: 'operation',
      event: 'FAIL',
      state: 'GIVEN_UP',
      attempts: 1,
      next_attempt: null,
      last_status: 410,
    })
    expect((await world.cli('callbacks', 'list', wallet, '--limit', '2')).json.callbacks).toHaveLength(2)
    const other = String(world.merchant('Plain Shop').wallet_id)
    expect((await world.cli('callbacks', 'list', other)).json).toEqual({ callbacks: [] })
    expect((await world.cli('callbacks', 'resend', other, first.event_id)).json).toMatchObject({
      error: { kind: 'not_found' },
    })
  })

  it('are sent again while the gateway runs, one by its id, then all that failed', async () => {
    world.receiver.script('/callbacks', { status: 200 })
    const before = received()
    const [first] = await failed()
    const one = await world.cli('callbacks', 'resend', wallet, first.event_id)
    expect(one).toMatchObject({ code: 0, json: { resent: 1 } })
    await world.receiver.waitFor('/callbacks', before + 1)
    expect(world.receiver.received('/callbacks').at(-1)?.headers['webhook-id']).toBe(first.event_id)
    await world.eventually(async () => (await failed()).length === 2)
    const rest = await world.cli('callbacks', 'resend', wallet, '--failed')
    expect(rest).toMatchObject({ code: 0, json: { resent: 2 } })
    await world.receiver.waitFor('/callbacks', before + 3)
    const delivered = async () =>
      (await world.cli('callbacks', 'list', wallet, '--state', 'DELIVERED')).json.callbacks
    await world.eventually(async () => (await delivered()).length === 3)
    expect(await failed()).toEqual([])
  })
})
