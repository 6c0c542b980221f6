// Payments by the online wallet (PAYPAL).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formTo, openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { type Money, moneyOf } from '../money.ts'
import { cards, type World } from '../world.ts'

let world: World
let money: Money

beforeAll(async () => {
  world = await openWorld()
  money = moneyOf(world)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const statusOf = async (id: string) => (await world.operation(id)).status
const decide = (id: string, verb: 'approve' | 'cancel', body = {}) =>
  money.sandbox(`online-wallet/${id}/${verb}`, body)

describe('a checkout by PAYPAL', () => {
  it('leads to the wallet, which logs in, shows the payment, and leads back to where it is made', async () => {
    const checkout = await world.createCheckout()
    const logIn = await money.pay(checkout, 'paypal')
    expect(logIn.text).toContain('Log in to your account')
    expect(logIn.url).not.toContain('/checkout/')
    const review = await submit(logIn, formTo(logIn, '/online-wallet'), {
      email: 'ana@example.com',
      step: 'review',
    })
    expect(review.text).toContain('€10.00')
    expect(review.text).toContain('ana@example.com')
    const back = await submit(review, formTo(review, '/online-wallet'), { step: 'agree' })
    expect(back.text).toContain('Payment made')
    expect(await world.operation(checkout.payment.id)).toMatchObject({
      status: 'COMPLETED',
      method: 'PAYPAL',
      fee: -0.64,
      amount_net: 9.36,
      refundable: true,
    })
  })

  it('is completed when the customer agrees and never comes back, and reported to the merchant', async () => {
    const checkout = await world.createCheckout()
    await money.pay(checkout, 'paypal')
    expect(await statusOf(checkout.payment.id)).toBe('PENDING')
    const answer = await decide(checkout.payment.id, 'approve')
    expect(answer.body).toEqual({ operation_id: checkout.payment.id, state: 'approved' })
    expect(await statusOf(checkout.payment.id)).toBe('COMPLETED')
    await money.callbackOf(checkout.payment.id, 'COMPLETED')
    expect((await decide(checkout.payment.id, 'cancel')).body).toMatchObject({ code: 10013 })
  })

  it('that is cancelled there stays open, says so, and is paid another way', async () => {
    const checkout = await world.createCheckout()
    const logIn = await money.pay(checkout, 'paypal')
    const back = await submit(logIn, formTo(logIn, '/online-wallet'), { step: 'cancel' })
    expect(back.text).toContain('You cancelled at PayPal')
    expect(back.html).toMatch(/class="notice calm" role="status"/)
    expect((await world.payOnPage(checkout, cards.frictionless)).text).toContain('Payment made')
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'CC' })
  })

  it('with an empty wallet shows the error and stays open', async () => {
    const checkout = await world.createCheckout()
    await money.pay(checkout, 'paypal')
    await decide(checkout.payment.id, 'approve', { email: 'empty@onda.example' })
    expect(await statusOf(checkout.payment.id)).toBe('PENDING')
    expect((await openPage(checkout.url_redirect)).text).toContain('The PayPal balance is too low')
  })

  it('that was abandoned is not paid by a later approval', async () => {
    const checkout = await world.createCheckout()
    const logIn = await money.pay(checkout, 'paypal')
    expect((await world.payOnPage(checkout, cards.frictionless)).text).toContain('Payment made')
    const agreed = await submit(logIn, formTo(logIn, '/online-wallet'), { step: 'agree', email: 'a@b.pt' })
    expect(agreed.text).toContain('Payment made')
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'COMPLETED', method: 'CC' })
    const { body } = await world.shop.get('/api/v2/operations?method=PAYPAL')
    expect(body.elements.map(({ id }: { id: string }) => id)).not.toContain(checkout.payment.id)
  })

  it('that is chosen twice is paid by the second order, and only by it', async () => {
    const checkout = await world.createCheckout()
    const first = await money.pay(checkout, 'paypal')
    const second = await money.pay(checkout, 'paypal')
    expect(second.url).not.toBe(first.url)
    await submit(first, formTo(first, '/online-wallet'), { step: 'agree', email: 'a@b.pt' })
    expect(await statusOf(checkout.payment.id)).toBe('PENDING')
    await submit(second, formTo(second, '/online-wallet'), { step: 'agree', email: 'a@b.pt' })
    expect(await statusOf(checkout.payment.id)).toBe('COMPLETED')
  })

  it('posted twice by a double click leads to one order', async () => {
    const checkout = await world.createCheckout()
    const page = await openPage(checkout.url_redirect)
    const form = formTo(page, '/paypal')
    const [one, two] = await Promise.all([submit(page, form), submit(page, form)])
    const orders = new Set([one.url, two.url].filter((url) => url.includes('/online-wallet/')))
    expect(orders.size).toBe(1)
  })

  it('with a silent wallet is paid after its answer', async () => {
    const checkout = await world.createCheckout()
    await money.pay(checkout, 'paypal')
    // The silent customer's payment is answered after the gateway's time-out.
    const approving = decide(checkout.payment.id, 'approve', { email: 'silent@onda.example' })
    await world.eventually(async () => {
      await world.advance('PT1M')
      return (await statusOf(checkout.payment.id)) === 'COMPLETED'
    })
    expect((await approving).status).toBe(200)
    expect(await statusOf(checkout.payment.id)).toBe('COMPLETED')
  })

  it('that the customer does not decide ends with the checkout', async () => {
    const checkout = await world.createCheckout()
    await money.pay(checkout, 'paypal')
    await world.advance('P1DT1M')
    expect(await statusOf(checkout.payment.id)).toBe('FAIL')
    expect((await decide(checkout.payment.id, 'approve')).body).toMatchObject({ code: 10013 })
  })
})

it('the sandbox knows no order that was never placed', async () => {
  const checkout = await world.createCheckout()
  expect(await decide(checkout.payment.id, 'approve')).toMatchObject({ status: 404, body: { code: 10004 } })
  expect(await decide('x', 'cancel')).toMatchObject({ status: 404 })
})

describe('the page offers', () => {
  const methodsOn = async (change: Record<string, unknown>) => {
    const { html } = await openPage((await world.createCheckout(change)).url_redirect)
    return {
      offered: [...html.matchAll(/<input type="radio" name="method" id="\S+" value="(\w+)"/g)].map(
        ([, code]) => code,
      ),
      chosen: /name="method" id="\S+" value="(\w+)" checked/.exec(html)?.[1],
    }
  }

  it('every method of the wallet, but those that are excluded', async () => {
    const all = await methodsOn({})
    expect(all.offered).toEqual(expect.arrayContaining(['CC', 'MB', 'PAYPAL', 'WALLET', 'SEPA']))
    const { offered } = await methodsOn({ exclude: ['paypal', 'SEPA', 'GPAY', 'APAY'] })
    expect(offered).toEqual(all.offered.filter((code) => code !== 'PAYPAL' && code !== 'SEPA'))
  })

  it.each(['PAYPAL', 'WALLET', 'SEPA'])('%s first when it is the default', async (code) => {
    expect((await methodsOn({ default_method: code })).chosen).toBe(code)
  })

  it('no phone platform, whether it is preferred or not', async () => {
    const { offered, chosen } = await methodsOn({ default_method: 'GPAY' })
    expect(offered).not.toContain('GPAY')
    expect(chosen).toBe('CC')
  })

  it('for an authorization nothing that cannot hold money', async () => {
    const authorization = { amount: 10, currency: 'EUR' }
    const { html } = await openPage(
      (await world.createCheckout({ payment: undefined, authorization })).url_redirect,
    )
    expect(html).not.toMatch(/\/(wallet|sepa|mb)\?/)
    expect(html).toMatch(/\/paypal\?/)
  })
})
