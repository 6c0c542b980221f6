// The gateway is killed by SIGKILL at any point of a payment.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CrashPoint } from '../../src/kernel/crash-points.ts'
import { formTo, openPage, type Page, submit } from '../browserless.ts'
import { type DatabaseKind, databaseKinds, databasesOr } from '../database.ts'
import { cards, type Json, startWorld, type World } from '../world.ts'
import { type Kill, kills } from './kills.ts'

const paymentsPerCrash = 12
/** A real kill matters at these points, because an engine can lose data that it has not written. */
const ofEngines: ReadonlySet<CrashPoint> = new Set([
  'transaction written, not committed',
  'rail answered, nothing written',
  'settled, answer not sent',
  'settled, its attempt still open',
])
const killsOn = (kind: DatabaseKind): readonly Kill[] =>
  kills.payments.filter(([point]) => ofEngines.has(point) || databasesOr('postgres').includes(kind))
const finalStatuses = ['COMPLETED', 'FAIL', 'VOIDED']

const isPaid = ({ html, links }: Page) =>
  !html.includes('data-waiting') && links.some((link) => link.includes('/ok?'))
const takesCard = (page: Page) => page.forms.some(({ action }) => action.includes('/card'))

describe.each(databaseKinds)('on %s', (kind) => {
  let world: World
  const paid: Json[] = []

  beforeAll(async () => {
    world = await startWorld(kind)
  })
  afterAll(() => world.stop())

  it.each(killsOn(kind))('killed at "%s" (%i) in a burst of payments', async (point, count) => {
    const checkouts: Json[] = []
    for (let n = 0; n < paymentsPerCrash; n++) checkouts.push(await world.createCheckout())
    const pages = await Promise.all(checkouts.map(({ url_redirect }) => openPage(url_redirect)))
    const typed = { number: cards.frictionless.number, name: 'Ana', expiry: '12/30', vcode: '123' }
    const answered = new Set<number>()
    await world.armCrash(point, count)
    const paying = pages.map((page, index) =>
      submit(page, formTo(page, '/card'), typed).then(
        (page) => isPaid(page) && answered.add(index),
        () => undefined,
      ),
    )
    await world.crashed()
    await Promise.all(paying)
    await world.restart()

    // The resolver asks the acquirer about interrupted payments until none is pending.
    await world.eventually(async () => {
      await world.advance('PT5M')
      const seen = await Promise.all(checkouts.map(({ url_redirect }) => openPage(url_redirect)))
      return seen.every((page) => isPaid(page) || takesCard(page))
    })
    for (const index of answered) {
      expect(await world.operation(checkouts[index].payment.id)).toMatchObject({ status: 'COMPLETED' })
    }
    // Each interrupted checkout is paid, or the customer can pay it: none is stuck.
    for (const checkout of checkouts) {
      const page = await openPage(checkout.url_redirect)
      if (takesCard(page)) await world.payOnPage(checkout, cards.frictionless)
      expect(finalStatuses).toContain((await world.operation(checkout.payment.id)).status)
    }
    paid.push(...checkouts)
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  })

  it('and each has a callback', async () => {
    expect(paid).toHaveLength(paymentsPerCrash * killsOn(kind).length)
    await world.advance('P3D')
    await world.eventually(async () => {
      const callbacks = world.receiver.received('/callbacks').map(({ body }) => JSON.parse(body))
      return paid.every(({ payment }) =>
        callbacks.some(({ operation_id, event }) => operation_id === payment.id && event === 'COMPLETED'),
      )
    })
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  })
})
