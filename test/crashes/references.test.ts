// The gateway dies during payments by reference.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databasesOr } from '../database.ts'
import { startMortalWorld } from '../gateway-here.ts'
import type { Json, World } from '../world.ts'
import { kills } from './kills.ts'

const paymentsPerCrash = 20

describe.each(databasesOr('pglite'))('on %s', (kind) => {
  let world: World
  const paidOperations: string[] = []

  beforeAll(async () => {
    world = await startMortalWorld(kind)
  })
  afterAll(() => world.stop())

  async function payerPays(mb: Json, amount: number, payment_id: string): Promise<Json> {
    const { body } = await world.request('/sandbox/api/references/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...mb, amount, payment_id }),
    })
    return body
  }

  it.each(kills.references)('killed at "%s" (%i) in a burst of payments', async (point, count) => {
    const asked = { amount: 10, currency: 'EUR', method: 'MB', type: 'PAYMENT' }
    const made: Json[] = []
    for (let n = 0; n < paymentsPerCrash; n++)
      made.push((await world.shop.post('/api/v2/mb/pay', asked)).body)
    const recurring = (await world.shop.post('/api/v2/mb/reference', { max_amount: 50, min_amount: 1 })).body
      .mb
    const payments = made.map(({ mb }) => ({ mb, amount: 10, id: randomUUID() }))
    for (let n = 0; n < paymentsPerCrash; n++)
      payments.push({ mb: recurring, amount: n + 1, id: randomUUID() })

    const answered = new Map<string, Json>()
    await world.armCrash(point, count)
    const paying = payments.map(({ mb, amount, id }) =>
      payerPays(mb, amount, id).then(
        (answer) => answered.set(id, answer),
        () => undefined,
      ),
    )
    await world.crashed()
    await Promise.all(paying)
    await world.restart()

    const accepted: Json[] = []
    for (const { mb, amount, id } of payments) accepted.push(await payerPays(mb, amount, id))
    for (const [index, { id }] of payments.entries()) {
      expect(accepted[index]).toMatchObject({ accepted: true })
      if (answered.has(id)) expect(accepted[index]).toEqual(answered.get(id))
    }
    await world.advance('PT5M')
    for (const { id } of made) expect(await world.operation(id)).toMatchObject({ status: 'COMPLETED' })
    const { body } = await world.shop.get(`/api/v2/operations?mb_ref=${recurring.ref}&limit=30`)
    expect(body.total).toBe(paymentsPerCrash)
    expect(body.elements.map(({ status }: Json) => status)).toEqual(Array(paymentsPerCrash).fill('COMPLETED'))

    paidOperations.push(...accepted.map(({ operation_id }) => operation_id))
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  })

  it('and each payment has a callback', async () => {
    expect(paidOperations).toHaveLength(2 * paymentsPerCrash * kills.references.length)
    await world.advance('P3D')
    await world.eventually(async () => {
      const callbacks = world.receiver.received('/callbacks').map(({ body: text }) => JSON.parse(text))
      const completed = new Set(
        callbacks.filter(({ event }) => event === 'COMPLETED').map(({ operation_id }) => operation_id),
      )
      return paidOperations.every((id) => completed.has(id))
    })
  })

  it.each(kills.endsOfReferences)(
    'a payment in time counts, also if its notice is late and the gateway dies at "%s" (%i)',
    async (point, count) => {
      const { now } = (await world.request('/sandbox/api/clock')).body
      const expires = new Date(Date.parse(now.replace('+0000', 'Z')) + 3_600_000).toISOString()
      const asked = { amount: 10, currency: 'EUR', method: 'MB', type: 'PAYMENT', instant: true, expires }
      const made: Json[] = []
      for (let n = 0; n < paymentsPerCrash; n++)
        made.push((await world.shop.post('/api/v2/mb/pay', asked)).body)
      const unpaid = (await world.shop.post('/api/v2/mb/pay', asked)).body
      await world.armCrash('settled, answer not sent', paymentsPerCrash / 2)
      const paying = made.map(({ mb }) => payerPays(mb, 10, randomUUID()).catch(() => undefined))
      await world.crashed()
      const answers = await Promise.all(paying)
      await world.restart()
      await world.armCrash(point, count)
      await world.advance('PT2H').catch(() => undefined)
      await world.crashed()
      await world.restart()
      await world.advance('PT2H')
      expect(await world.operation(unpaid.id)).toMatchObject({ status: 'FAIL' })
      const { problems } = (await world.cli('audit')).json
      expect(problems).toEqual([])
      for (const [index, { id }] of made.entries()) {
        const { status } = await world.operation(id)
        expect(['COMPLETED', 'FAIL']).toContain(status)
        if (answers[index]?.accepted) expect(status).toBe('COMPLETED')
      }
    },
  )
})
