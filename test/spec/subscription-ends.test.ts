// End dates of subscriptions and their pages.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDays, startOfLisbonDay } from '../../src/kernel/lisbon.ts'
import { openPage } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { moneyOf } from '../money.ts'
import { type Subscribers, subscribersOf } from '../subscribers.ts'
import { cards, type World } from '../world.ts'

let world: World
let subscribers: Subscribers

beforeAll(async () => {
  world = await openWorld()
  subscribers = subscribersOf(world)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

async function moveTo(moment: number): Promise<void> {
  const { status } = await moneyOf(world).sandbox('clock', { set: new Date(moment).toISOString() })
  expect(status).toBe(200)
}

describe('the time to accept', () => {
  it.each([
    ['by default', undefined],
    ['as asked', 30],
  ])('is over with the last day at the latest, %s', async (_, days) => {
    const now = await subscribers.now()
    const day = await subscribers.today()
    const expires = days && new Date(now.getTime() + days * 86_400_000).toISOString()
    const alone = await subscribers.checkout({ end_date: day }, { expires })
    const unit = await subscribers.checkout(
      { end_date: day },
      { payment: { amount: 5, currency: 'EUR' }, expires },
    )
    await moveTo(startOfLisbonDay(addDays(day, 1)))
    for (const { url_redirect } of [alone, unit]) {
      const page = await openPage(url_redirect)
      expect(page.text).toMatch(/The time to (accept|pay) is over/)
      expect(page.forms).toEqual([])
    }
    expect(await subscribers.read(alone.subscription.id)).toMatchObject({ status: 'FAILED' })
    expect(await subscribers.read(unit.subscription.id)).toMatchObject({ status: 'FAILED' })
    expect(await world.operation(unit.payment.id)).toMatchObject({ status: 'FAIL' })
  })
})

it('the address that cancels, asked for again by a browser, shows the page and cancels nothing', async () => {
  const checkout = await subscribers.checkout()
  const result = await world.payOnPage(checkout, cards.frictionless)
  const path = result.links.find((href) => href.includes('/subscription/'))
  const [link = ''] = new URL(path ?? '', world.baseUrl).href.split('?')
  const page = await openPage(`${link}/cancel?lang=pt`)
  expect(page).toMatchObject({ status: 200, url: `${link}?lang=pt` })
  expect(page.text).toContain('Ativa')
  expect(await subscribers.read(checkout.subscription.id)).toMatchObject({ status: 'APPROVED' })
  expect((await openPage(`${link}x/cancel`)).status).toBe(404)
})
