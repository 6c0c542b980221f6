// PayPal's driver and its contract, against a fake of PayPal.
import { createSign, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { certificatesIn, isSigned, transmissionOf } from '../../../drivers/paypal/certificates.ts'
import type { Day } from '../../../src/kernel/lisbon.ts'
import { cents } from '../../../src/kernel/money.ts'
import { after, day, hour, instant, minute, systemClock } from '../../../src/kernel/time.ts'
import { callRail, type Dispute, type FailedRefund } from '../../../src/rails/index.ts'
import type { Database } from '../../../src/storage/index.ts'
import { openTestDatabase } from '../../database.ts'
import { everyInterruption } from '../http-provider.ts'
import { connectPaypal } from './connect.ts'
import { signer, start } from './contract.ts'
import { type FakePaypal, startPaypal } from './fake.ts'
import { newSigner, type Signer } from './signer.ts'

const silenceMs = 300

describe('PayPal', () => {
  let database: Database
  let fake: FakePaypal
  let passedMs = 0
  const now = () => after(systemClock.now(), passedMs)
  const noticed: string[] = []
  const failed: FailedRefund[] = []
  const disputes: Dispute[] = []
  const notices = {
    onlineWallet: async (key: string) => void noticed.push(key),
    refundFailed: async (refund: FailedRefund) => void failed.push(refund),
    dispute: async (dispute: Dispute) => void disputes.push(dispute),
  }
  const open = () => connectPaypal(database, fake, { signer, clock: { now }, notices })

  beforeAll(async () => {
    ;[database, fake] = await Promise.all([openTestDatabase('pglite'), startPaypal(signer, now)])
  })
  afterAll(async () => {
    expect(fake.faults).toEqual([])
    await fake.provider.close()
    await database.close()
  })

  const orderOf = (key: string) => ({
    ...{ key, reference: randomUUID(), merchant: { id: 1001n, name: 'Padaria' } },
    ...{
      amount: cents(1000),
      currency: 'EUR',
      returnUrl: 'https://shop.example/back',
      language: 'pt' as const,
    },
  })

  async function opened() {
    const { wallet } = await open()
    const key = randomUUID()
    expect(await wallet.open(orderOf(key))).toMatchObject({ kind: 'open' })
    return { wallet, key }
  }
  async function paid() {
    const { wallet, key } = await opened()
    fake.agree(key)
    expect(await wallet.capture(key)).toMatchObject({ kind: 'paid' })
    return { wallet, key }
  }
  const refundOf = (of: string, amount: number) => ({
    ...{ key: randomUUID(), of, amount: cents(amount), currency: 'EUR' },
  })

  it.each([
    ['INSTRUMENT_DECLINED', { kind: 'declined', reason: 'refused' }],
    ['PAYER_ACTION_REQUIRED', { kind: 'declined', reason: 'refused' }],
    ['TRANSACTION_REFUSED', { kind: 'declined', reason: 'refused' }],
    ['PAYER_CANNOT_PAY', { kind: 'declined', reason: 'refused' }],
    ['TRANSACTION_LIMIT_EXCEEDED', { kind: 'declined', reason: 'refused' }],
    ['COMPLIANCE_VIOLATION', { kind: 'declined', reason: 'refused' }],
    ['PAYEE_ACCOUNT_RESTRICTED', { kind: 'unknown' }],
    ['SOMETHING_NEW', { kind: 'unknown' }],
  ])('answers %s as %j, and moves nothing', async (problem, answer) => {
    const { wallet, key } = await opened()
    fake.agree(key, { problem })
    expect(await callRail(() => wallet.capture(key), 5000)).toMatchObject(answer)
    // The order stays approved at PayPal: a declined one is not captured again.
    const later = answer.kind === 'declined' ? answer : { kind: 'agreed' }
    expect(await (await open()).wallet.inquire(key)).toMatchObject(later)
    expect(fake.moved(key)).toBe(0n)
  })

  it('makes a new order for a new attempt after a decline', async () => {
    const { wallet, key } = await opened()
    fake.agree(key, { problem: 'INSTRUMENT_DECLINED' })
    await wallet.capture(key)
    expect(await wallet.open(orderOf(key))).toEqual({ kind: 'declined', reason: 'refused' })
    const second = await paid()
    expect([fake.moved(key), fake.moved(second.key)]).toEqual([0n, 1000n])
  })

  it('calls an order expired that PayPal has forgotten, also after the agreement', async () => {
    const { wallet, key } = await opened()
    fake.agree(key)
    passedMs += 4 * hour
    const expired = { kind: 'declined', reason: 'expired' }
    expect(await wallet.inquire(key)).toEqual(expired)
    expect(await wallet.capture(key)).toEqual(expired)
    expect(fake.moved(key)).toBe(0n)
  })

  it.each(['before', 'after'] as const)(
    'captures once if the answer is lost %s PayPal acted',
    async (when) => {
      const { wallet, key } = await opened()
      fake.agree(key)
      fake.provider.interrupt(1, when, /capture$/)
      expect(await callRail(() => wallet.capture(key), silenceMs * 10)).toMatchObject({ kind: 'unknown' })
      const { wallet: next } = await open()
      const known = await next.inquire(key)
      expect(known.kind).toBe(when === 'after' ? 'paid' : 'agreed')
      expect(await next.capture(key)).toMatchObject({ kind: 'paid' })
      expect(fake.moved(key)).toBe(1000n)
    },
  )

  it('asks before it captures, so that a capture by another process counts', async () => {
    const { wallet, key } = await paid()
    passedMs += 7 * hour
    const before = fake.provider.calls.filter((call) => call.endsWith('/capture')).length
    expect(await wallet.capture(key)).toMatchObject({ kind: 'paid' })
    expect(fake.provider.calls.filter((call) => call.endsWith('/capture'))).toHaveLength(before)
    expect(fake.moved(key)).toBe(1000n)
  })

  it.each([
    ['REFUND_AMOUNT_EXCEEDED', 1001, 'amount_exceeds_remaining'],
    ['a currency of no payment', 100, 'unknown_payment'],
  ])('refuses a refund: %s', async (name, amount, reason) => {
    const { wallet, key } = await paid()
    const asked = refundOf(key, amount)
    const answer = wallet.refund(name.startsWith('a currency') ? { ...asked, currency: 'USD' } : asked)
    expect(await answer).toEqual({ kind: 'declined', reason })
    expect(fake.moved(key)).toBe(1000n)
  })

  it('refunds long after PayPal has forgotten the order', async () => {
    const { wallet, key } = await paid()
    const order = fake.ordersOf(key)[0]
    if (order === undefined) throw new Error('no order')
    const asked = refundOf(key, 400)
    expect(await wallet.refund(asked)).toMatchObject({ kind: 'approved' })
    expect(await (await open()).wallet.inquireRefund(asked.key)).toMatchObject({ kind: 'approved' })
  })

  it.each(['before', 'after'] as const)(
    'refunds once if the answer is lost %s PayPal acted',
    async (when) => {
      const { wallet, key } = await paid()
      const asked = refundOf(key, 400)
      fake.provider.interrupt(1, when, /refund$/)
      expect(await callRail(() => wallet.refund(asked), silenceMs * 10)).toMatchObject({ kind: 'unknown' })
      const { wallet: next } = await open()
      expect((await next.inquireRefund(asked.key)).kind).toBe(when === 'after' ? 'approved' : 'not_found')
      expect(await next.refund(asked)).toMatchObject({ kind: 'approved' })
      expect(fake.moved(key)).toBe(600n)
      // After six hours PayPal no longer knows the request id.
      passedMs += 7 * hour
      expect(await (await open()).wallet.refund(asked)).toMatchObject({ kind: 'approved' })
      expect(fake.moved(key)).toBe(600n)
    },
  )

  it('reports a refund that PayPal ends later, and one that fails after its approval', async () => {
    fake.setRefunds('PENDING')
    const { wallet, key } = await paid()
    const [good, bad] = [refundOf(key, 100), refundOf(key, 200)]
    for (const asked of [good, bad]) expect(await wallet.refund(asked)).toEqual({ kind: 'waiting' })
    fake.setRefunds('COMPLETED')
    fake.endRefund(good.key, 'COMPLETED')
    fake.endRefund(bad.key, 'FAILED')
    expect(await wallet.inquireRefund(good.key)).toMatchObject({ kind: 'approved' })
    expect(await wallet.inquireRefund(bad.key)).toEqual({ kind: 'declined', reason: 'not_possible' })
    const { receive } = await open()
    expect(await receive(fake.events.at(-1) as never)).toBe('handled')
    expect(failed).toEqual([{ key: bad.key, reason: 'echeck' }])
  })

  it('believes no capture of another amount', async () => {
    const { wallet, key } = await opened()
    fake.agree(key)
    fake.lieAbout(key, '0.01')
    expect(await wallet.capture(key)).toMatchObject({ kind: 'unknown' })
    expect(await (await open()).wallet.inquire(key)).toMatchObject({ kind: 'unknown' })
  })

  it('waits for a review, which can also decline', async () => {
    const { wallet, key } = await opened()
    fake.agree(key, { pending: 'ECHECK' })
    expect(await wallet.capture(key)).toEqual({ kind: 'waiting' })
    fake.endReview(key, 'DECLINED')
    expect(await wallet.inquire(key)).toEqual({ kind: 'declined', reason: 'refused' })
    expect(fake.moved(key)).toBe(0n)
  })

  describe('holds', () => {
    async function held() {
      const { wallet } = await open()
      const key = randomUUID()
      await wallet.open({ ...orderOf(key), intent: 'hold' })
      fake.agree(key)
      const answer = await wallet.capture(key)
      expect(answer).toMatchObject({ kind: 'paid', heldUntil: expect.any(Number) })
      const days = ((answer as { heldUntil: number }).heldUntil - now()) / day
      expect(Math.round(days)).toBe(29)
      return { key, holds: holdsOf(wallet) }
    }
    const holdsOf = ({ holds }: Awaited<ReturnType<typeof open>>['wallet']) => {
      if (holds === undefined) throw new Error('no holds')
      return holds
    }
    const part = (payment: string, amount: number) => ({ key: randomUUID(), payment, amount: cents(amount) })

    it.each(['before', 'after'] as const)(
      'are captured once if the answer is lost %s PayPal acted',
      async (when) => {
        const { key, holds } = await held()
        const asked = part(key, 400)
        fake.provider.interrupt(1, when, /authorizations\/\w+\/capture$/)
        expect(await callRail(() => holds.capture(asked), 5000)).toMatchObject({ kind: 'unknown' })
        const next = holdsOf((await open()).wallet)
        expect(await next.inquireFollowUp(asked.key)).toMatchObject({ kind: 'approved' })
        expect(await next.capture(asked)).toMatchObject({ kind: 'approved' })
        expect(fake.moved(key)).toBe(400n)
      },
    )

    it.each(['before', 'after'] as const)(
      'are released once if the answer is lost %s PayPal acted',
      async (when) => {
        const { key, holds } = await held()
        const asked = part(key, 1000)
        fake.provider.interrupt(1, when, /void$/)
        expect(await callRail(() => holds.release(asked), 5000)).toMatchObject({ kind: 'unknown' })
        const next = holdsOf((await open()).wallet)
        expect(await next.inquireFollowUp(asked.key)).toMatchObject({ kind: 'approved' })
        expect(await next.inquireHold(key)).toEqual({ kind: 'ended' })
      },
    )

    it('end after 29 days, and by hand at PayPal', async () => {
      const [old, voided] = [await held(), await held()]
      fake.voidHold(voided.key)
      expect(await voided.holds.inquireHold(voided.key)).toEqual({ kind: 'ended' })
      const no = { kind: 'declined', decline: 'not_permitted' }
      expect(await voided.holds.capture(part(voided.key, 100))).toEqual(no)
      passedMs += 30 * day
      expect(await old.holds.capture(part(old.key, 100))).toEqual(no)
      expect(fake.moved(old.key)).toBe(0n)
      passedMs -= 30 * day
    })

    it('take no more than the hold, though PayPal allows 115 %', async () => {
      const { key, holds } = await held()
      expect(await holds.capture(part(key, 1001))).toEqual({ kind: 'declined', decline: 'not_permitted' })
      expect(fake.moved(key)).toBe(0n)
    })

    it('have the key of each capture in the report, in events and in disputes', async () => {
      const { key, holds } = await held()
      const [one, two] = [part(key, 300), part(key, 300)]
      for (const asked of [one, two]) await holds.capture(asked)
      const { receive, statement } = await open()
      noticed.length = 0
      await receive(fake.events.at(-1) as never)
      expect(noticed).toEqual([two.key])
      const today = new Date(now()).toISOString().slice(0, 10) as Day
      passedMs += day + 4 * hour
      const keys = (await statement(today)).map((line) => line.key)
      expect(keys).toEqual(expect.arrayContaining([one.key, two.key]))
      expect(keys).not.toContain(key)
      disputes.length = 0
      fake.dispute(key, 300n)
      await receive(fake.events.at(-1) as never)
      expect(disputes).toMatchObject([{ key: two.key, withdrawn: 300n }])
    })
  })

  describe('saved accounts', () => {
    async function saved() {
      const { wallet } = await open()
      const key = randomUUID()
      await wallet.open({ ...orderOf(key), amount: cents(0), saves: true })
      fake.agreeToSave()
      expect(await wallet.capture(key)).toMatchObject({ kind: 'paid' })
      const account = fake.accounts().at(-1)
      if (wallet.saved === undefined || account === undefined) throw new Error('nothing is saved')
      return { wallet, key, account, accounts: wallet.saved }
    }
    const chargeOf = (account: string) => {
      const { key, reference, merchant, amount, currency } = orderOf(randomUUID())
      return { key, reference, merchant, amount, currency, account }
    }
    const next = async () => {
      const { wallet } = await open()
      if (wallet.saved === undefined) throw new Error('it saves no accounts')
      return { wallet, accounts: wallet.saved }
    }

    it.each([
      ['INSTRUMENT_DECLINED', { kind: 'declined', reason: 'refused' }],
      ['PAYER_ACTION_REQUIRED', { kind: 'declined', reason: 'refused' }],
      ['AGREEMENT_ALREADY_CANCELLED', { kind: 'declined', reason: 'account_ended' }],
      ['PAYEE_ACCOUNT_RESTRICTED', { kind: 'unknown' }],
      ['SOMETHING_NEW', { kind: 'unknown' }],
    ])('answer %s to a charge as %j, and move nothing', async (problem, answer) => {
      const { accounts, account, key } = await saved()
      fake.setProblem(account, problem)
      const charge = chargeOf(key)
      expect(await callRail(() => accounts.charge(charge), 5000)).toMatchObject(answer)
      fake.setProblem(account, undefined)
      // An unclear charge is sent again under the same request id.
      const later = answer.kind === 'declined' ? answer : { kind: 'paid' }
      expect(await (await next()).wallet.inquire(charge.key)).toMatchObject(later)
      expect(fake.moved(charge.key)).toBe(answer.kind === 'declined' ? 0n : 1000n)
    })

    it.each(['before', 'after'] as const)(
      'are charged once if the answer is lost %s PayPal acted',
      async (when) => {
        const { accounts, key } = await saved()
        const charge = chargeOf(key)
        fake.provider.interrupt(1, when, /orders$/)
        expect(await callRail(() => accounts.charge(charge), 5000)).toMatchObject({ kind: 'unknown' })
        const { wallet, accounts: again } = await next()
        expect(await wallet.inquire(charge.key)).toMatchObject({ kind: 'paid' })
        expect(await again.charge(charge)).toMatchObject({ kind: 'paid' })
        expect(fake.moved(charge.key)).toBe(1000n)
      },
    )

    it('are not charged again after PayPal has forgotten the request id', async () => {
      const { accounts, key } = await saved()
      const charge = chargeOf(key)
      fake.provider.interrupt(1, 'after', /orders$/)
      await callRail(() => accounts.charge(charge), 5000)
      passedMs += 7 * hour
      const { wallet, accounts: again } = await next()
      expect(await wallet.inquire(charge.key)).toMatchObject({ kind: 'unknown' })
      expect(await again.charge(charge)).toMatchObject({ kind: 'unknown' })
      expect(fake.moved(charge.key)).toBe(1000n)
    })

    it('have a token of their own, also for the same customer; a payment saves and pays, or declines', async () => {
      const [one, two] = [await saved(), await saved()]
      expect(one.account).not.toBe(two.account)
      const { wallet } = await open()
      const key = randomUUID()
      await wallet.open({ ...orderOf(key), saves: true })
      fake.agreeToSave('INSTRUMENT_DECLINED')
      expect(await wallet.capture(key)).toEqual({ kind: 'declined', reason: 'refused' })
      expect(await (await next()).wallet.inquire(key)).toEqual({ kind: 'declined', reason: 'refused' })
      expect(fake.moved(key)).toBe(0n)
      const before = fake.accounts().length
      expect(await (await next()).accounts.forget(key)).toEqual({ kind: 'ended' })
      expect(fake.accounts()).toHaveLength(before - 1)
    })

    it.each([1000, 0])(
      'that PayPal refuses to save decline an order of %i cents, and move nothing',
      async (amount) => {
        const { wallet } = await open()
        const key = randomUUID()
        await wallet.open({ ...orderOf(key), amount: cents(amount), saves: true })
        const before = fake.accounts().length
        fake.agreeToSave(undefined, 'PAYEE_NOT_ENABLED_FOR_VAULTING')
        const refused = { kind: 'declined', reason: 'refused' }
        expect(await callRail(() => wallet.capture(key), 5000)).toEqual(refused)
        expect(await (await next()).wallet.inquire(key)).toEqual(refused)
        expect([fake.moved(key), fake.accounts().length]).toEqual([0n, before])
      },
    )

    it('name our key when the customer ends the permission at PayPal', async () => {
      const { accounts, account, key } = await saved()
      const { receive } = await open()
      noticed.length = 0
      fake.endAccount(account)
      expect(await receive(fake.events.at(-1) as never)).toBe('handled')
      expect(noticed).toEqual([key])
      expect(await accounts.inquireAccount(key)).toEqual({ kind: 'ended' })
      const declined = { kind: 'declined', reason: 'account_ended' }
      expect(await accounts.charge(chargeOf(key))).toEqual(declined)
    })
  })

  it('uses one token for many calls, and a new one after its end', async () => {
    const before = fake.provider.calls.filter((call) => call.endsWith('/oauth2/token')).length
    const first = await paid()
    fake.endTokens()
    expect(await first.wallet.inquire(first.key)).toMatchObject({ kind: 'paid' })
    passedMs += 9 * hour
    expect(await first.wallet.inquire(first.key)).toMatchObject({ kind: 'paid' })
    const after = fake.provider.calls.filter((call) => call.endsWith('/oauth2/token')).length
    expect(after - before).toBeLessThanOrEqual(3)
  })

  describe('webhooks', () => {
    it('name our key, and only cause an inquiry; repeated and out of order', async () => {
      const { wallet, key } = await paid()
      const asked = refundOf(key, 100)
      await wallet.refund(asked)
      const { receive } = await open()
      noticed.length = 0
      const mine = fake.events.filter(({ body }) => body.includes(key) || body.includes(asked.key))
      expect(mine.map(({ type }) => type)).toEqual([
        'CHECKOUT.ORDER.APPROVED',
        'PAYMENT.CAPTURE.COMPLETED',
        'PAYMENT.CAPTURE.REFUNDED',
      ])
      for (const event of [...mine].reverse()) expect(await receive(event)).toBe('handled')
      expect(await receive(mine[0] as never)).toBe('handled')
      expect(noticed).toEqual([asked.key, key, key, key])
    })

    it('of other systems of the account are ignored', async () => {
      const { receive } = await open()
      noticed.length = 0
      const foreign = { event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { id: 'X', custom_id: 'order 7' } }
      expect(await receive(fake.sign(JSON.stringify({ id: 'WH-1', ...foreign })))).toBe('handled')
      expect(noticed).toEqual([])
    })

    const body = JSON.stringify({ id: 'WH-2', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: {} })

    it('are refused if body, time, webhook or signature were changed', async () => {
      const { receive } = await open()
      const right = fake.sign(body)
      expect(await receive(right)).toBe('handled')
      expect(await receive({ ...right, body: `${body} ` })).toBe('refused')
      expect(await receive(fake.sign(body, { webhookId: 'ANOTHERWEBHOOK1' }))).toBe('refused')
      for (const [name, value] of [
        ['paypal-transmission-time', '2020-01-01T00:00:00Z'],
        ['paypal-transmission-id', 'another'],
        ['paypal-transmission-sig', 'AAAA'],
      ] as const)
        expect(await receive({ ...right, headers: { ...right.headers, [name]: value } })).toBe('refused')
      const { 'paypal-transmission-sig': _, ...unsigned } = right.headers
      expect(await receive({ ...right, headers: unsigned })).toBe('refused')
    })

    it('are refused if the certificate is at another address', async () => {
      const { receive } = await open()
      const host = new URL(fake.provider.url).host
      for (const certificateUrl of [
        'https://evil.example/v1/notifications/certs/CERT-1',
        `http://${host}@evil.example/v1/notifications/certs/CERT-1`,
        `http://${host}.evil.example/v1/notifications/certs/CERT-1`,
        `http://${host}/v1/other/CERT-1`,
        `https://${host}/v1/notifications/certs/CERT-1`,
        'no address',
      ])
        expect([certificateUrl, await receive(fake.sign(body, { certificateUrl }))]).toEqual([
          certificateUrl,
          'refused',
        ])
    })

    it('ask PayPal for few certificates, though they can name any', async () => {
      const { receive } = await open()
      const before = fake.provider.calls.filter((call) => call.includes('/certs/')).length
      for (let number = 0; number < 40; number++) {
        const certificateUrl = `${fake.provider.url}/v1/notifications/certs/${randomUUID()}`
        await receive({ ...fake.sign(body, { certificateUrl, webhookId: 'ANOTHERWEBHOOK1' }) })
      }
      const asked = fake.provider.calls.filter((call) => call.includes('/certs/')).length - before
      expect(asked).toBeLessThanOrEqual(20)
      const elsewhere = { certificateUrl: `${fake.provider.url}/v1/notifications/certs/${randomUUID()}` }
      expect(await receive(fake.sign(body, elsewhere))).toBe('refused')
      // The limit belongs to the connection: another one still gets its certificates.
      expect(await (await open()).receive(fake.sign(body, elsewhere))).toBe('handled')
      passedMs += 2 * minute
      expect(await receive(fake.sign(body))).toBe('handled')
    })

    it('are refused from another signer, and from one without a trusted root', async () => {
      const { headers, rawBody } = { headers: {}, rawBody: Buffer.from(body) }
      expect(transmissionOf({ headers, rawBody }, 'WEBHOOK')).toBeUndefined()
      const other = newSigner('messageverificationcerts.paypal.com.example')
      const same = newSigner()
      const text = 'signed'
      const signedBy = ({ key }: Signer) => ({
        ...{ text, signature: createSign('RSA-SHA256').update(text).sign(key, 'base64') },
      })
      const isAccepted = (from: Signer, root: Signer) =>
        isSigned(signedBy(from), certificatesIn(from.pem), now(), certificatesIn(root.root))
      expect(isAccepted(same, same)).toBe(true)
      expect(isAccepted(other, other)).toBe(false)
      expect(isAccepted(same, signer)).toBe(false)
      const [leaf] = certificatesIn(same.pem)
      expect(isSigned(signedBy(same), leaf ? [leaf] : [], now(), certificatesIn(same.root))).toBe(false)
    })

    it('are refused after the certificate’s end', async () => {
      const { receive } = await open()
      const right = fake.sign(body)
      passedMs += 40 * day
      expect(await receive(right)).toBe('refused')
      passedMs -= 40 * day
    })
  })

  it('reports a dispute with its totals, in any order of events', async () => {
    const { key } = await paid()
    disputes.length = 0
    const id = fake.dispute(key, 1000n)
    const { receive } = await open()
    const created = fake.events.at(-1) as never
    expect(await receive(created)).toBe('handled')
    const taken = { id, key, withdrawn: 1000n, reason: 'merchandise_or_service_not_received' }
    expect(disputes).toEqual([{ ...taken, reinstated: 0n }])
    fake.winDispute(id)
    await receive(fake.events.at(-1) as never)
    await receive(created)
    expect(disputes.slice(1)).toEqual([
      { ...taken, reinstated: 1000n },
      { ...taken, reinstated: 1000n },
    ])
  })

  it('lists the bookings of a day: ours by key, strange ones by PayPal’s id', async () => {
    const { wallet, key } = await paid()
    const asked = refundOf(key, 300)
    await wallet.refund(asked)
    const stranger = fake.bookStranger(700n)
    const { statement } = await open()
    const today = new Date(now()).toISOString().slice(0, 10) as Day
    await expect(statement(today)).rejects.toThrow('it ends at')
    passedMs += day + 4 * hour
    const lines = await statement(today)
    const of = (wanted: string) => lines.find((line) => line.key === wanted)
    expect(of(key)).toMatchObject({ kind: 'payment', amount: 1000n, fee: 35n })
    expect(of(asked.key)).toMatchObject({ kind: 'refund', amount: -300n, fee: 0n })
    expect(lines.find(({ id }) => id === stranger)).toMatchObject({
      ...{ kind: 'payment', amount: 700n, providerId: stranger },
    })
    expect(of(key)?.bookedAt).toBeLessThan(instant(Date.now() + passedMs))
  })

  it('checks keys, webhook and reports; a revoked key is found', async () => {
    const { check, wallet } = await open()
    expect(await check()).toEqual([
      { name: 'credentials', ok: true, detail: expect.any(String) },
      { name: 'webhook', ok: true, detail: expect.stringContaining('https://pay.example.com/rails/paypal/') },
      { name: 'saved accounts', ok: true, detail: expect.stringContaining('may save') },
      { name: 'reports', ok: true, detail: expect.any(String) },
    ])
    const [webhook] = fake.webhooks
    expect(webhook?.event_types).toContainEqual({ name: 'CUSTOMER.DISPUTE.CREATED' })
    const { connected } = await open()
    const [{ id } = { id: 0n }] = await connected.administration.list({ removed: false })
    expect(await connected.administration.registerWebhook(id)).toEqual({ ok: true, value: true })
    expect(fake.webhooks).toHaveLength(1)
    const { key } = await opened()
    fake.revokeKeys()
    await expect(check()).rejects.toThrow('401')
    // Nothing is known about the order, so nothing is decided.
    expect(await callRail(() => wallet.inquire(key), 5000)).toMatchObject({ kind: 'unknown' })
  })
})

it('moves each amount once through every interruption of a payment and its refund', async () => {
  const { fake, open, close, pass } = await start()
  const order = (key: string) => ({
    ...{ key, reference: randomUUID(), merchant: { id: 1001n, name: 'Padaria' } },
    ...{
      amount: cents(1000),
      currency: 'EUR',
      returnUrl: 'https://shop.example/back',
      language: 'en' as const,
    },
  })
  const made = await everyInterruption({
    provider: fake.provider,
    open: async () => (await open()).wallet,
    async prepare(wallet) {
      const subject = { key: randomUUID(), refund: randomUUID() }
      await wallet.open(order(subject.key))
      fake.agree(subject.key)
      return subject
    },
    async act(wallet, { key, refund }) {
      await wallet.capture(key)
      await wallet.refund({ key: refund, of: key, amount: cents(400), currency: 'EUR' })
    },
    async recover(wallet, { key, refund }) {
      pass(minute)
      if ((await wallet.inquire(key)).kind === 'agreed') await wallet.capture(key)
      expect(await wallet.inquire(key)).toMatchObject({ kind: 'paid' })
      if ((await wallet.inquireRefund(refund)).kind === 'not_found')
        await wallet.refund({ key: refund, of: key, amount: cents(400), currency: 'EUR' })
      expect(await wallet.inquireRefund(refund)).toMatchObject({ kind: 'approved' })
      expect(fake.moved(key)).toBe(600n)
    },
  })
  expect(made.length).toBeGreaterThan(4)
  await close()
})
