// The ifthenpay driver against a fake: contracts, lost answers, odd answers.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ifthenpay } from '../../../drivers/ifthenpay/index.ts'
import { orderStemOf } from '../../../drivers/ifthenpay/orders.ts'
import { problemOf } from '../../../src/connections/settings-rules.ts'
import { cents } from '../../../src/kernel/money.ts'
import { after, day, hour, minute } from '../../../src/kernel/time.ts'
import type {
  CardAcquirer,
  CustomerAuthorization,
  LinkedPage,
  ReferenceRequest,
  WalletPaymentRequest,
} from '../../../src/rails/index.ts'
import { everyInterruption } from '../http-provider.ts'
import { phone, startIfthenpay } from './contract.ts'

type Started = Awaited<ReturnType<typeof startIfthenpay>>

describe('the ifthenpay driver', () => {
  let tested: Started
  beforeAll(async () => {
    tested = await startIfthenpay()
  })
  afterAll(() => tested.close())

  const merchant = { id: 1001n, name: 'Demo Shop' }
  const byPhone = (change: Partial<WalletPaymentRequest> = {}): WalletPaymentRequest => ({
    ...{ key: randomUUID(), merchant, phone, amount: cents(1234), currency: 'EUR', intent: 'sale' },
    ...{ expires: after(tested.now(), 4 * minute), ...change },
  })
  const byReference = (change: Partial<ReferenceRequest> = {}): ReferenceRequest => ({
    ...{ key: randomUUID(), merchant, payableOnce: true, amountMin: cents(1000), amountMax: cents(1000) },
    ...{ expires: after(tested.now(), 3 * day), ...change },
  })
  const byCard = (change: Partial<CustomerAuthorization> = {}): CustomerAuthorization => ({
    ...{ key: randomUUID(), merchant, amount: cents(1234), currency: 'EUR', intent: 'sale' },
    ...{ returnUrl: 'https://pay.example.com/3ds/return/1', ...change },
    browser: { acceptHeader: '*/*', userAgent: 'Mozilla/5.0', javascript: true, language: 'pt-PT' },
  })
  const orders = (key: string) => tested.fake.ordersOf(orderStemOf(key))
  const habit = <Name extends keyof Started['fake']['habits']>(
    name: Name,
    value: Started['fake']['habits'][Name],
  ) => {
    tested.fake.habits[name] = value
  }

  async function pageFor(acquirer: CardAcquirer, asked: CustomerAuthorization): Promise<string> {
    const answer = await acquirer.customers?.authorize(asked)
    if (answer?.kind !== 'customer') throw new Error(`it answered ${answer?.kind}`)
    return (answer.page as LinkedPage).url
  }

  it('asks the customer once at most, and finds a payment whose answer was lost', async () => {
    const { fake, wallet, approve, pass } = tested
    await everyInterruption({
      provider: fake.provider,
      open: wallet,
      prepare: async () => byPhone(),
      act: (opened, request) => opened.requestPayment(request),
      async recover(opened, request, interruption) {
        const isLost = interruption !== undefined
        for (let times = 0; times < 2; times++) {
          expect((await opened.inquirePayment(request.key)).kind).toBe(isLost ? 'unknown' : 'waiting')
          expect((await opened.requestPayment(request)).kind).toBe(isLost ? 'unknown' : 'waiting')
        }
        const isAsked = interruption?.when !== 'before'
        expect(orders(request.key)).toHaveLength(isAsked ? 1 : 0)
        expect(await approve(request.key)).toBe(isAsked)
        if (!isAsked) pass(20 * minute)
        expect(await opened.inquirePayment(request.key)).toMatchObject(
          isAsked ? { kind: 'approved' } : { kind: 'declined', decline: 'expired', mayArrive: true },
        )
      },
    })
  })

  it('reports a payment after the operation was given up, and gives it back', async () => {
    const { fake, wallet, approve, pass } = tested
    const opened = await wallet()
    const request = byPhone()
    fake.provider.interrupt(1, 'after', /mbway$/)
    await expect(opened.requestPayment(request)).rejects.toThrow()
    habit('lags', true)
    expect(await approve(request.key)).toBe(true)
    pass(20 * minute)
    expect(await opened.inquirePayment(request.key)).toMatchObject({ kind: 'declined', mayArrive: true })
    habit('lags', false)
    expect(await opened.inquirePayment(request.key)).toMatchObject({ kind: 'approved' })
    const before = fake.taken()
    const reversal = { key: randomUUID(), original: request.key }
    expect(await opened.reverse(reversal)).toMatchObject({ kind: 'approved' })
    expect(fake.taken()).toBe(before - 1234n)
  })

  it('waits while a request is not found, and until a late expiry', async () => {
    const { wallet, pass } = tested
    const opened = await wallet()
    const request = byPhone()
    habit('shows123', true)
    expect(await opened.requestPayment(request)).toEqual({ kind: 'waiting' })
    expect(await opened.inquirePayment(request.key)).toEqual({ kind: 'waiting' })
    pass(5 * minute)
    expect(await opened.inquirePayment(request.key)).toMatchObject({ kind: 'unknown' })
    habit('shows123', false)
    expect(await opened.inquirePayment(request.key)).toEqual({ kind: 'declined', decline: 'expired' })
  })

  it.each([
    ['a status that denies a listed payment', { lies: '020' }],
    ['another amount in the list', { adds: 1n }],
  ] as const)('is unknown with %s', async (_, lie) => {
    const { fake, wallet, approve } = tested
    const opened = await wallet()
    const request = byPhone()
    await opened.requestPayment(request)
    expect(await approve(request.key)).toBe(true)
    Object.assign(fake.habits, lie)
    expect(await opened.inquirePayment(request.key)).toMatchObject({ kind: 'unknown' })
    Object.assign(fake.habits, { lies: undefined, adds: 0n })
    expect(await opened.inquirePayment(request.key)).toMatchObject({ kind: 'approved' })
  })

  it('asks each customer once, also from many processes', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => tested.wallet()))
    const request = byPhone()
    await Promise.allSettled(others.map((one) => one.requestPayment(request)))
    expect(orders(request.key)).toHaveLength(1)
  })

  it('takes no payment of another order for its own', async () => {
    const { wallet, approve, pass } = tested
    const opened = await wallet()
    const [paid, left] = [byPhone(), byPhone()]
    for (const request of [paid, left]) await opened.requestPayment(request)
    await approve(paid.key)
    pass(20 * minute)
    habit('unfiltered', true)
    expect(await opened.inquirePayment(paid.key)).toMatchObject({ kind: 'approved' })
    expect(await opened.inquirePayment(left.key)).toEqual({ kind: 'declined', decline: 'expired' })
    habit('unfiltered', false)
  })

  it('believes the status before the list', async () => {
    const { wallet, approve } = tested
    const opened = await wallet()
    const request = byPhone()
    await opened.requestPayment(request)
    habit('lags', true)
    expect(await approve(request.key)).toBe(true)
    expect(await opened.inquirePayment(request.key)).toMatchObject({ kind: 'approved' })
    habit('lags', false)
  })

  it('is unknown after a failure, and with an answer that is no JSON or has no end', async () => {
    const { fake, wallet } = tested
    const opened = await wallet()
    const request = byPhone()
    await opened.requestPayment(request)
    fake.provider.setDown(true)
    await expect(opened.inquirePayment(request.key)).rejects.toThrow('503')
    fake.provider.setDown(false)
    fake.provider.setEndless(true)
    await expect(opened.inquirePayment(request.key)).rejects.toThrow()
    fake.provider.setEndless(false)
    expect(await opened.inquirePayment(request.key)).toEqual({ kind: 'waiting' })
  })

  it('makes a second reference after a lost answer, and reports payments of both', async () => {
    const { fake, references } = tested
    await everyInterruption({
      provider: fake.provider,
      open: references,
      prepare: async () => byReference(),
      act: (network, request) => network.create(request),
      async recover(network, request) {
        const answer = await network.create(request)
        if (answer.kind !== 'named') throw new Error(`it answered ${answer.kind}`)
        expect(await network.create(request)).toEqual(answer)
        const made = orders(request.key)
        for (const { entity, reference: ref } of made) await fake.payReference({ entity, ref }, 1000n)
        const payments = await network.paymentsOf([request.key])
        expect(payments.map(({ ref }) => ref)).toEqual(made.map(({ reference }) => reference))
        expect(new Set(payments.map(({ id }) => id)).size).toBe(made.length)
        for (const payment of payments) expect(payment).toMatchObject({ key: request.key, amount: 1000n })
      },
    })
  })

  it.each([
    { commas: true },
    { objects: true },
    { yearFirst: true },
    { html: true },
    { commas: true, objects: true, yearFirst: true, html: true },
  ])('reads a list with %o', async (odd) => {
    const { fake, references, now } = tested
    const network = await references()
    Object.assign(fake.habits, odd)
    const request = byReference()
    const answer = await network.create(request)
    if (answer.kind !== 'named') throw new Error(`it answered ${answer.kind}`)
    await fake.payReference(answer, 1000n)
    const [payment] = await network.paymentsOf([request.key])
    expect(payment).toMatchObject({ entity: answer.entity, ref: answer.ref, amount: 1000n })
    expect(Math.abs((payment?.paidAt ?? 0) - now())).toBeLessThan(hour)
    Object.assign(fake.habits, { commas: false, objects: false, yearFirst: false, html: false })
  })

  it('makes no reference for an amount, a start or a number of payments that ifthenpay lacks', async () => {
    const network = await tested.references()
    for (const change of [
      { amountMin: cents(1) },
      { payableOnce: false },
      { starts: after(tested.now(), day) },
    ]) {
      const request = byReference(change)
      const declined = { kind: 'declined', reason: 'not_permitted' }
      expect(await network.create(request)).toEqual(declined)
      expect(await network.create(request)).toEqual(declined)
      expect(orders(request.key)).toEqual([])
    }
  })

  it('reports the payment of a withdrawn reference', async () => {
    const { fake, references } = tested
    const network = await references()
    const request = byReference()
    const answer = await network.create(request)
    if (answer.kind !== 'named') throw new Error(`it answered ${answer.kind}`)
    await network.withdraw([request.key])
    expect(await fake.payReference(answer, 1000n)).toBe(true)
    expect(await network.paymentsOf([request.key])).toHaveLength(1)
  })

  it('is paid by card on the page, and refunded', async () => {
    const { fake, acquirer, noticed } = tested
    const opened = await acquirer()
    const asked = byCard()
    const url = await pageFor(opened, asked)
    expect(await pageFor(await acquirer(), asked)).toBe(url)
    expect(await opened.inquire(asked.key)).toMatchObject({ kind: 'unknown' })
    expect(await fake.answerPage(url, 'confirm')).toBe(asked.returnUrl)
    expect(noticed).toContain(`card ${asked.key}`)
    const approved = { kind: 'approved', reference: expect.any(String) }
    expect(await opened.customers?.inquire(asked.key)).toEqual(approved)
    expect(await opened.customers?.authorize(asked)).toEqual(approved)
    const before = fake.taken()
    const refund = (amount: number, change: object = {}) => ({
      ...{
        key: randomUUID(),
        original: asked.key,
        merchant,
        currency: 'EUR',
        amount: cents(amount),
        ...change,
      },
    })
    const first = refund(234)
    expect(await opened.refund(first)).toEqual(approved)
    expect(await opened.refund(first)).toEqual(approved)
    expect(await opened.inquire(first.key)).toEqual(approved)
    const exceeds = { kind: 'declined', decline: 'exceeds_payment' }
    for (const wrong of [
      refund(1001),
      refund(1, { currency: 'USD' }),
      refund(1, { merchant: { id: 1n, name: '' } }),
    ])
      expect(await opened.refund(wrong)).toEqual(exceeds)
    expect(await opened.reverse({ key: randomUUID(), original: asked.key })).toEqual(exceeds)
    expect(fake.taken()).toBe(before - 234n)
  })

  it('makes another page after a lost answer, declines what the page cannot do, and finds a late card', async () => {
    const { fake, acquirer, pass } = tested
    const opened = await acquirer()
    const asked = byCard()
    fake.provider.interrupt(1, 'after', /creditcard/)
    await expect(opened.customers?.authorize(asked)).rejects.toThrow()
    const url = await pageFor(opened, asked)
    expect(orders(asked.key)).toHaveLength(2)
    expect(await fake.answerPage(url, 'refuse')).toBe(asked.returnUrl)
    expect(await opened.customers?.inquire(asked.key)).toMatchObject({ kind: 'customer' })
    expect(await opened.cancel?.(asked.key)).toEqual({ kind: 'declined', decline: 'cancelled' })
    await fake.answerPage(url, 'confirm')
    expect(await opened.inquire(asked.key)).toMatchObject({ kind: 'approved' })

    const left = byCard()
    await pageFor(opened, left)
    pass(hour)
    expect(await opened.inquire(left.key)).toMatchObject({ kind: 'declined', mayArrive: true })
    const never = byCard()
    expect(await opened.cancel?.(never.key)).toEqual({ kind: 'declined', decline: 'cancelled' })
    expect(await opened.customers?.authorize(never)).toEqual({ kind: 'declined', decline: 'cancelled' })
    const declined = { kind: 'declined', decline: 'not_permitted' }
    for (const change of [{ intent: 'hold' }, { intent: 'verify' }, { currency: 'USD' }] as const)
      expect(await opened.customers?.authorize(byCard(change))).toEqual(declined)
    expect(await opened.customers?.inquire(randomUUID())).toEqual({ kind: 'not_found' })
  })

  it('sends a refund once, and leaves a lost one to a person', async () => {
    const { fake, wallet, approve } = tested
    const opened = await wallet()
    const request = byPhone()
    await opened.requestPayment(request)
    await approve(request.key)
    const before = fake.taken()
    const lost = { key: randomUUID(), payment: request.key, amount: cents(234) }
    fake.provider.interrupt(1, 'after', /refund/)
    await expect(opened.refund(lost)).rejects.toThrow()
    const again = await wallet()
    for (let times = 0; times < 3; times++) {
      expect(await again.refund(lost)).toMatchObject({ kind: 'unknown' })
      expect(await again.inquireFollowUp(lost.key)).toMatchObject({ kind: 'unknown' })
      expect(await again.cancelFollowUp?.(lost.key)).toMatchObject({ kind: 'unknown' })
    }
    expect(fake.taken()).toBe(before - 234n)
  })

  it('declines a refund for lack of money', async () => {
    const opened = await tested.wallet()
    const request = byPhone({ amount: cents(66_66) })
    await opened.requestPayment(request)
    await tested.approve(request.key)
    const refund = { key: randomUUID(), payment: request.key, amount: cents(1) }
    const declined = { kind: 'declined', decline: 'insufficient_funds' }
    expect(await opened.refund(refund)).toEqual(declined)
    expect(await opened.inquireFollowUp(refund.key)).toEqual(declined)
  })

  it('is notified twice, late, in another order or not at all, with one result', async () => {
    const { fake, references, noticed } = tested
    const network = await references()
    const keys: string[] = []
    for (const callbacks of ['twice', 'held', 'held', 'lost'] as const) {
      habit('callbacks', callbacks)
      const request = byReference()
      const answer = await network.create(request)
      if (answer.kind !== 'named') throw new Error(`it answered ${answer.kind}`)
      expect(await fake.payReference(answer, 1000n)).toBe(true)
      keys.push(request.key)
    }
    await fake.release()
    habit('callbacks', 'once')
    const [twice, first, second, lost] = keys
    const told = noticed.filter((line) => keys.some((key) => line.includes(key)))
    expect(told).toEqual([twice, twice, second, first].map((key) => `reference ${key} 1000`))
    expect(await network.paymentsOf([lost ?? ''])).toHaveLength(1)
  })

  it('acknowledges unknown orders, refuses another key, and asks again while the list lags', async () => {
    const { fake, references, noticed } = tested
    const network = await references()
    const before = noticed.length
    const { anti_phishing_key: key } = fake.secrets
    const called = (query: Record<string, string>) => fake.receiver(new URLSearchParams(query))
    expect(await called({ key, order: 'ORDER1', amount: '1.00' })).toBe(200)
    expect(await called({ key })).toBe(200)
    for (const wrong of ['', 'x', key.slice(1), `${key}x`]) expect(await called({ key: wrong })).toBe(401)
    expect(await called({})).toBe(401)
    expect(noticed).toHaveLength(before)
    const request = byReference()
    const answer = await network.create(request)
    if (answer.kind !== 'named') throw new Error(`it answered ${answer.kind}`)
    habit('lags', true)
    await expect(fake.payReference(answer, 1000n)).rejects.toThrow()
    habit('lags', false)
    expect(await called({ key, order: orders(request.key)[0]?.orderId ?? '' })).toBe(200)
    expect(noticed.at(-1)).toBe(`reference ${request.key} 1000`)
  })
})

it.each([
  ['backoffice_key', ['1234-5678-9012-3456', '1234-5678-9012-3456\n'], ['1234567890123456', '']],
  ['anti_phishing_key', ['a'.repeat(10)], ['short', 'with space in it', 'a'.repeat(51)]],
  ['mb_key', ['ABC-123456'], ['abc-123456', '123456']],
  ['mode', ['live', 'test'], ['sandbox']],
  [
    'api_base',
    ['https://api.ifthenpay.com', 'https://ifthenpay.com/api'],
    ['https://a.example/', 'http://a.example'],
  ],
  ['refund_path', ['/v2/payments/refund'], ['v2', 'https://a.example/x', '/a?b']],
] as const)('the setting %s is checked', (name, right, wrong) => {
  const spec = ifthenpay.settings.find((one) => one.name === name)
  if (spec === undefined) throw new Error(`there is no ${name}`)
  for (const text of right) expect(problemOf(spec, text)).toBeUndefined()
  for (const text of wrong) expect(problemOf(spec, text), text).toMatch(/^must /)
})
