// The Eupago driver against a fake: lost answers, odd answers, webhooks.
import { createCipheriv, createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eupago } from '../../../drivers/eupago/index.ts'
import type { Connection } from '../../../src/connections/index.ts'
import { problemOf } from '../../../src/connections/settings-rules.ts'
import { cents } from '../../../src/kernel/money.ts'
import { after, day, hour, minute, systemClock } from '../../../src/kernel/time.ts'
import type { ReferenceRequest, WalletPaymentRequest } from '../../../src/rails/index.ts'
import { everyInterruption } from '../http-provider.ts'
import { phone, startEupago } from './contract.ts'

type Started = Awaited<ReturnType<typeof startEupago>>

const to = { iban: 'PT50000201231234567890154', bic: 'BNPAPTPL', holder: 'Ana Silva' }

describe('the Eupago driver', () => {
  let tested: Started
  beforeAll(async () => {
    tested = await startEupago()
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
  const habit = (change: Partial<Started['fake']['habits']>) => Object.assign(tested.fake.habits, change)
  async function named(request: ReferenceRequest) {
    const answer = await (await tested.references()).create(request)
    if (answer.kind !== 'named') throw new Error(`it answered ${answer.kind}`)
    return answer
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
        expect(fake.askedFor(request.key)).toHaveLength(isAsked ? 1 : 0)
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
    await opened.requestPayment(request)
    habit({ lags: true, webhooks: 'lost' })
    expect(await approve(request.key)).toBe(true)
    pass(20 * minute)
    expect(await opened.inquirePayment(request.key)).toMatchObject({ kind: 'declined', mayArrive: true })
    habit({ lags: false, webhooks: 'once' })
    expect(await opened.inquirePayment(request.key)).toMatchObject({ kind: 'approved' })
    const before = fake.taken()
    const reversal = { key: randomUUID(), original: request.key }
    expect(await opened.reverse(reversal)).toMatchObject({ kind: 'approved' })
    expect(fake.taken()).toBe(before - 1234n)
  })

  it('asks each customer once, also from many processes', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => tested.wallet()))
    const request = byPhone()
    await Promise.allSettled(others.map((one) => one.requestPayment(request)))
    expect(tested.fake.askedFor(request.key)).toHaveLength(1)
  })

  it('takes no payment of another identifier for its own', async () => {
    const { fake, wallet, approve } = tested
    const opened = await wallet()
    const [paid, lost] = [byPhone(), byPhone()]
    await opened.requestPayment(paid)
    await approve(paid.key)
    fake.provider.interrupt(1, 'after', /mbway/)
    await expect(opened.requestPayment(lost)).rejects.toThrow()
    habit({ unfiltered: true })
    expect(await opened.inquirePayment(lost.key)).toMatchObject({ kind: 'unknown' })
    expect(await opened.inquirePayment(lost.key)).not.toMatchObject({
      why: expect.stringContaining('another'),
    })
    habit({ unfiltered: false })
  })

  it('is declined by a signed refusal, and unknown without one until the end', async () => {
    const { wallet, refuse, pass } = tested
    const opened = await wallet()
    const [told, silent] = [byPhone(), byPhone()]
    for (const request of [told, silent]) await opened.requestPayment(request)
    await refuse(told.key)
    habit({ webhooks: 'lost' })
    await refuse(silent.key)
    habit({ webhooks: 'once' })
    expect(await opened.inquirePayment(told.key)).toEqual({ kind: 'declined', decline: 'refused' })
    expect(await opened.inquirePayment(silent.key)).toEqual({ kind: 'waiting' })
    pass(6 * minute)
    expect(await opened.inquirePayment(silent.key)).toMatchObject({ kind: 'unknown' })
    pass(20 * minute)
    expect(await opened.inquirePayment(silent.key)).toMatchObject({ kind: 'declined', mayArrive: true })
  })

  it('is unknown with another amount, and after a failure', async () => {
    const { fake, wallet, approve } = tested
    const opened = await wallet()
    const request = byPhone()
    await opened.requestPayment(request)
    await approve(request.key)
    habit({ adds: 1n })
    expect(await opened.inquirePayment(request.key)).toMatchObject({ kind: 'unknown' })
    habit({ adds: 0n })
    fake.provider.setDown(true)
    await expect(opened.inquirePayment(request.key)).rejects.toThrow('503')
    fake.provider.setDown(false)
    fake.provider.setEndless(true)
    await expect(opened.inquirePayment(request.key)).rejects.toThrow()
    fake.provider.setEndless(false)
    expect(await opened.inquirePayment(request.key)).toMatchObject({ kind: 'approved' })
  })

  it('declines an amount that MB WAY does not take', async () => {
    const opened = await tested.wallet()
    const small = { kind: 'declined', decline: 'amount_too_small' }
    expect(await opened.requestPayment(byPhone({ amount: cents(50) }))).toEqual(small)
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
        const made = fake.askedFor(request.key)
        for (const { entity, reference: ref } of made) await fake.payReference({ entity, ref }, 1000n)
        const payments = await network.paymentsOf([request.key])
        expect(payments.map(({ ref }) => ref).sort()).toEqual(made.map(({ reference }) => reference).sort())
        expect(new Set(payments.map(({ id }) => id)).size).toBe(made.length)
      },
    })
  })

  it.each([{ commas: true }, { html: true }, { commas: true, html: true }])(
    'reads answers with %o',
    async (odd) => {
      const { fake, references, now } = tested
      habit(odd)
      const request = byReference()
      const answer = await named(request)
      await fake.payReference(answer, 1000n)
      const [payment] = await (await references()).paymentsOf([request.key])
      expect(payment).toMatchObject({ entity: answer.entity, ref: answer.ref, amount: 1000n })
      expect(Math.abs((payment?.paidAt ?? 0) - now())).toBeLessThan(hour)
      habit({ commas: false, html: false })
    },
  )

  it('starts a reference on a later day, and ends it by day', async () => {
    const { fake, now } = tested
    const starts = after(now(), 2 * day)
    const answer = await named(byReference({ starts, expires: after(now(), 5 * day) }))
    expect(await fake.payReference(answer, 1000n)).toBe(false)
  })

  it('refunds a reference to an account, when the bank has transferred it', async () => {
    const { fake, references } = tested
    const network = await references()
    const request = byReference()
    await fake.payReference(await named(request), 1000n)
    const [payment] = await network.paymentsOf([request.key])
    const asked = { key: randomUUID(), of: request.key, paymentId: payment?.id ?? '', amount: cents(400), to }
    habit({ pends: true })
    expect(await network.refundPayment?.(asked)).toEqual({ kind: 'waiting' })
    expect(await network.refundPayment?.(asked)).toEqual({ kind: 'waiting' })
    fake.finishRefunds()
    habit({ pends: false })
    expect(await network.refundPayment?.(asked)).toMatchObject({ kind: 'approved' })
    const { bic: _, ...withoutBic } = to
    const lacking = { ...asked, key: randomUUID(), to: withoutBic }
    expect(await network.refundPayment?.(lacking)).toEqual({ kind: 'declined', reason: 'account_needed' })
    const strange = { ...asked, key: randomUUID(), paymentId: randomUUID() }
    expect(await network.refundPayment?.(strange)).toEqual({ kind: 'declined', reason: 'unknown_payment' })
    const tooMuch = { ...asked, key: randomUUID(), amount: cents(601) }
    expect(await network.refundPayment?.(tooMuch)).toMatchObject({ reason: 'amount_exceeds_remaining' })
    expect(fake.refunds.filter(({ identifier }) => identifier === request.key)).toHaveLength(1)
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
    for (let times = 0; times < 3; times++) {
      expect(await (await wallet()).refund(lost)).toMatchObject({ kind: 'unknown' })
      expect(await opened.inquireFollowUp(lost.key)).toMatchObject({ kind: 'unknown' })
    }
    expect(fake.taken()).toBe(before - 234n)
  })

  it('keeps the token of the management API', async () => {
    const { fake, open } = tested
    const { referenceNetworks, mobileWallet } = await open()
    const request = byPhone()
    await mobileWallet.requestPayment(request)
    await tested.approve(request.key)
    const before = fake.tokens()
    for (let times = 0; times < 3; times++)
      await mobileWallet.refund({ key: randomUUID(), payment: request.key, amount: cents(1) })
    expect(fake.tokens()).toBe(before + 1)
    expect(referenceNetworks.serving(1001n)?.numbering).toBe('theirs')
  })

  it.each([false, true])(
    'is notified twice, late, in another order or not at all (encrypted: %s)',
    async (encrypts) => {
      const { fake, references, noticed } = tested
      const network = await references()
      habit({ encrypts })
      const keys: string[] = []
      for (const webhooks of ['twice', 'held', 'held', 'lost'] as const) {
        habit({ webhooks })
        const request = byReference()
        expect(await fake.payReference(await named(request), 1000n)).toBe(true)
        keys.push(request.key)
      }
      await fake.release()
      habit({ webhooks: 'once', encrypts: false })
      const [twice, first, second, lost] = keys
      const told = noticed.filter((line) => keys.some((key) => line.includes(key)))
      expect(told).toEqual([twice, twice, second, first].map((key) => `reference ${key} 1000`))
      expect(await network.paymentsOf([lost ?? ''])).toHaveLength(1)
    },
  )

  it('acknowledges unknown payments, and asks again while Eupago lags', async () => {
    const { fake, noticed } = tested
    const request = byReference()
    const answer = await named(request)
    const before = noticed.length
    const about = (identifier: string, status: string) => ({ transaction: { identifier, status, trid: '7' } })
    expect(await fake.receiver(fake.signed(about('ORDER-1', 'Paid')))).toBe(200)
    expect(await fake.receiver(fake.signed({ transactions: { trid: 1 } }))).toBe(200)
    expect(await fake.receiver(fake.signed(about(request.key, 'Expired')))).toBe(200)
    expect(noticed).toHaveLength(before)
    habit({ lags: true })
    await expect(fake.payReference(answer, 1000n)).rejects.toThrow()
    habit({ lags: false })
    expect(await fake.receiver(fake.signed(about(request.key, 'Paid')))).toBe(200)
    expect(noticed.at(-1)).toBe(`reference ${request.key} 1000`)
  })
})

describe('webhooks of Eupago', () => {
  const key = 'abcdefghijklmnopqrstuvwxyz012345'
  const text = '{"transaction":{"identifier":"a","status":"Paid","trid":"1"}}'
  const cipher = createCipheriv('aes-256-cbc', key, Buffer.alloc(16, 3))
  const data = cipher.update(text, 'utf8', 'base64') + cipher.final('base64')
  const hmac = (of: string, secret = key) => createHmac('sha256', secret).update(of).digest('base64')
  const verify = async (body: string, headers: Record<string, string>, secret = key) => {
    const connection: Connection = {
      ...{ id: 1n, publicId: 'p', driver: 'eupago', walletId: undefined, rails: [], enabled: true },
      ...{ settings: {}, secrets: { webhook_key: secret } },
      kept: (make) => make(),
    }
    const received = { headers, rawBody: Buffer.from(body) }
    const verified = async () => eupago.webhook?.verify(connection, received, { clock: systemClock, fetch })
    return (await verified().catch(() => undefined))?.kind === 'accepted'
  }

  it.each([
    ['signed', true, text, { 'x-signature': hmac(text) }, key],
    [
      'encrypted',
      true,
      JSON.stringify({ data }),
      { 'x-signature': hmac(data), 'x-initialization-vector': Buffer.alloc(16, 3).toString('base64') },
      key,
    ],
    [
      'signed over the whole encrypted body',
      false,
      JSON.stringify({ data }),
      { 'x-signature': hmac(JSON.stringify({ data })) },
      key,
    ],
    ['signed with another key', false, text, { 'x-signature': hmac(text, 'x') }, key],
    ['changed', false, text.replace('Paid', 'paid'), { 'x-signature': hmac(text) }, key],
    ['unsigned', false, text, {}, key],
    ['signed while there is no key', false, text, { 'x-signature': hmac(text, '') }, ''],
    ['no JSON', false, 'x', { 'x-signature': hmac('x') }, key],
  ] as const)('%s: accepted %s', async (_, isAccepted, body, headers, secret) => {
    expect(await verify(body, headers as Record<string, string>, secret)).toBe(isAccepted)
  })
})

it.each([
  ['api_key', ['demo-1111-2222'], ['', 'a b']],
  ['webhook_key', ['a'.repeat(32), `${'a'.repeat(32)}\n`], ['a'.repeat(31), '']],
  [
    'api_base',
    ['https://sandbox.eupago.pt'],
    ['https://a.example/', 'http://a.example', 'https://a.example?b'],
  ],
] as const)('the setting %s is checked', (name, right, wrong) => {
  const spec = eupago.settings.find((one) => one.name === name)
  if (spec === undefined) throw new Error(`there is no ${name}`)
  for (const text of right) expect(problemOf(spec, text)).toBeUndefined()
  for (const text of wrong) expect(problemOf(spec, text), text).toMatch(/^must /)
})
