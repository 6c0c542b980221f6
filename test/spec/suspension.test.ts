// Suspension of a merchant.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { signIn } from '../people.ts'
import { askToPay, payByToken, storeCard } from '../stored-cards.ts'
import { cards, type World } from '../world.ts'

const why = { code: 20002, reason: expect.stringContaining('suspended the merchant') }

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const suspended = (value: 'on' | 'off', ...more: string[]) =>
  world.cli('merchant', 'set', String(world.shop.wallet_id), '--suspended', value, ...more)

it('begins nothing, reads, gives back and ends, until it is no longer suspended', async () => {
  const token = await storeCard(world, cards.frictionless.number)
  const paid = await payByToken(world, token)
  const open = await world.createCheckout()
  const owner = await signIn(world, 'owner@demo.example')

  const { json } = await suspended('on')
  expect(json.suspended).toMatch(/Z$/)
  expect((await suspended('on')).json.suspended, 'since the first time').toBe(json.suspended)

  const checkout = await world.shop.post('/api/v2/checkout', {
    payment: { amount: 10, currency: 'EUR' },
    url_confirm: 'https://shop.example/ok',
    url_cancel: 'https://shop.example/no',
  })
  expect(checkout).toMatchObject({ status: 403, body: why })
  expect(await askToPay(world, token)).toMatchObject({ status: 403, body: why })
  expect((await world.shop.get('/api/v2/wallets/methods')).body).toEqual({ methods: [] })
  expect(await world.operation(paid.id)).toMatchObject({ status: 'COMPLETED' })

  const page = await world.request(open.url_redirect)
  expect(page.status).toBe(200)
  expect(page.text).toMatch(/takes no payments at present|não aceita pagamentos de momento/)

  const authorization = `/wallets/${world.shop.wallet_id}/authorizations/${paid.id}`
  expect(await owner.send('POST', `${authorization}/capture`, {})).toMatchObject({ status: 403, body: why })
  expect(await owner.send('POST', `${authorization}/release`, {})).toMatchObject({ status: 404 })

  const refund = await world.shop.post(`/api/v2/operations/${paid.id}/refund`)
  expect(refund).toMatchObject({ status: 200, body: { type: 'REFUND', status: 'COMPLETED' } })
  expect((await world.shop.delete(`/api/v2/checkout/${open.id}`)).status).toBe(200)

  expect((await suspended('off')).json.suspended).toBeNull()
  await payByToken(world, token)
})

it('sees the reason, if its operator gives one', async () => {
  const reason = 'Documents are missing: write to risk@pay.example'
  expect((await suspended('off', '--reason', reason)).code).toBe(2)
  expect((await suspended('on', '--reason', ' ')).code).toBe(2)
  expect((await suspended('on', '--reason', reason)).json).toMatchObject({ suspended_reason: reason })
  const owner = await signIn(world, 'owner@demo.example')
  const { wallets } = (await owner.get('/session')).body
  const own = wallets.find(({ id }: { id: number }) => id === world.shop.wallet_id)
  expect(own).toMatchObject({ suspended_reason: reason })
  // A second suspension without a reason keeps the first reason.
  expect((await suspended('on')).json.suspended_reason).toBe(reason)
  expect((await suspended('off')).json.suspended_reason).toBeNull()
})
