// The SIBS driver against an imitation of SPG, with broken calls.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sibs } from '../../../drivers/sibs/index.ts'
import type { Connection } from '../../../src/connections/index.ts'
import { problemOf as problemOfSetting } from '../../../src/connections/settings-rules.ts'
import { cents } from '../../../src/kernel/money.ts'
import { after, hour, minute, systemClock } from '../../../src/kernel/time.ts'
import type {
  CardAcquirer,
  CardFormPage,
  CustomerAuthorization,
  MobileWallet,
  ProviderReferences,
  ReferenceRequest,
  WalletMandateRequest,
  WalletPaymentAnswer,
  WalletPaymentRequest,
} from '../../../src/rails/index.ts'
import { everyInterruption } from '../http-provider.ts'
import { phone, startSibs } from './contract.ts'

describe('the SIBS driver with broken calls and restarts', () => {
  let tested: Awaited<ReturnType<typeof startSibs>>
  beforeAll(async () => {
    tested = await startSibs('pglite')
  })
  afterAll(() => tested.close())

  const asked = (change: Partial<WalletPaymentRequest> = {}): WalletPaymentRequest => ({
    ...{ key: randomUUID(), merchant: { id: 1001n, name: 'Demo Shop' }, phone, amount: cents(1234) },
    ...{ currency: 'EUR', intent: 'sale', expires: after(tested.now(), 4 * minute), ...change },
  })

  async function paid(wallet: MobileWallet, intent: 'sale' | 'hold'): Promise<string> {
    const request = asked({ intent })
    await wallet.requestPayment(request)
    expect(await tested.fake.approve(request.key)).toBe(true)
    return request.key
  }

  /** As the gateway: inquires, and repeats a lost request. */
  async function untilAsked(
    wallet: MobileWallet,
    request: WalletPaymentRequest,
  ): Promise<WalletPaymentAnswer> {
    for (let times = 0; times < 5; times++) {
      const known = await wallet.inquirePayment(request.key)
      const answer = known.kind === 'not_found' ? await wallet.requestPayment(request) : known
      if (answer.kind !== 'unknown') return answer
    }
    throw new Error('it stays unknown')
  }

  it('asks the customer once, and takes the money once', async () => {
    const { fake, open } = tested
    let before = fake.money()
    const interruptions = await everyInterruption<MobileWallet, WalletPaymentRequest>({
      provider: fake.provider,
      open,
      async prepare() {
        before = fake.money()
        return asked()
      },
      act: (wallet, request) => wallet.requestPayment(request),
      async recover(wallet, request) {
        expect(await untilAsked(wallet, request)).toEqual({ kind: 'waiting' })
        expect(fake.questions(request.key)).toBe(1)
        expect(await fake.approve(request.key)).toBe(true)
        expect(await untilAsked(wallet, request)).toMatchObject({ kind: 'approved', byMandate: false })
        expect(fake.money().taken).toBe(before.taken + 1234n)
      },
    })
    expect(interruptions.map(({ named }) => named.replace(/s2TEST\d+/, 'id'))).toEqual([
      ...['POST /payments', 'POST /payments'],
      ...['POST /payments/id/mbway-id/purchase', 'POST /payments/id/mbway-id/purchase'],
    ])
  })

  it('withdraws a request finally', async () => {
    const { fake, open } = tested
    let before = fake.money()
    await everyInterruption<MobileWallet, WalletPaymentRequest>({
      provider: fake.provider,
      open,
      async prepare(wallet) {
        before = fake.money()
        const request = asked()
        await wallet.requestPayment(request)
        return request
      },
      act: (wallet, { key }) => wallet.withdrawPayment(key),
      async recover(wallet, request) {
        expect(await wallet.withdrawPayment(request.key)).toEqual({ kind: 'declined', decline: 'withdrawn' })
        expect(await fake.approve(request.key)).toBe(false)
        expect(await wallet.requestPayment(request)).toEqual({ kind: 'declined', decline: 'withdrawn' })
        expect(fake.money()).toEqual(before)
      },
    })
  })

  it.each([
    ['capture', 'hold', { taken: 500n, held: -500n }],
    ['release', 'hold', { taken: 0n, held: -500n }],
    ['refund', 'sale', { taken: -500n, held: 0n }],
  ] as const)('sends a %s once at most', async (verb, intent, moves) => {
    const { fake, open } = tested
    let before = fake.money()
    await everyInterruption<MobileWallet, { readonly key: string; readonly payment: string }>({
      provider: fake.provider,
      open,
      async prepare(wallet) {
        const payment = await paid(wallet, intent)
        before = fake.money()
        return { key: randomUUID(), payment }
      },
      act: (wallet, followUp) => wallet[verb]({ ...followUp, amount: cents(500) }),
      async recover(wallet, followUp, interruption) {
        // A sent request without an answer is not repeated.
        const again = await wallet[verb]({ ...followUp, amount: cents(500) })
        const isLost = interruption?.when === 'before'
        expect(again.kind).toBe(isLost ? 'unknown' : 'approved')
        expect((await wallet.inquireFollowUp(followUp.key)).kind).toBe(isLost ? 'not_found' : 'approved')
        const last = await wallet.cancelFollowUp?.(followUp.key)
        expect(last).toMatchObject(isLost ? { kind: 'declined', decline: 'withdrawn' } : { kind: 'approved' })
        if (isLost) expect(fake.isTaken(followUp.key)).toBe(true)
        const { taken, held } = fake.money()
        const moved = { taken: taken - before.taken, held: held - before.held }
        expect(moved).toEqual(isLost ? { taken: 0n, held: 0n } : moves)
      },
    })
  })

  const byCard = (intent: 'sale' | 'hold'): CustomerAuthorization => ({
    ...{
      key: randomUUID(),
      merchant: { id: 1001n, name: 'Demo Shop' },
      amount: cents(1234),
      currency: 'EUR',
    },
    ...{ intent, returnUrl: 'https://pay.example.com/3ds/return/1' },
    browser: { acceptHeader: '*/*', userAgent: 'Mozilla/5.0', javascript: true, language: 'pt-PT' },
  })

  type Form = CardFormPage['cardForm']

  async function formFor({ customers }: CardAcquirer, request: CustomerAuthorization): Promise<Form> {
    const known = await customers?.inquire(request.key)
    const answer = known?.kind === 'not_found' ? await customers?.authorize(request) : known
    if (answer?.kind !== 'customer') throw new Error(`it answered ${answer?.kind}`)
    return (answer.page as CardFormPage).cardForm
  }

  it('shows one form for a card, and takes the money once', async () => {
    const { fake, openAcquirer } = tested
    let before = fake.money()
    await everyInterruption<CardAcquirer, CustomerAuthorization>({
      provider: fake.provider,
      open: openAcquirer,
      async prepare() {
        before = fake.money()
        return byCard('sale')
      },
      act: async ({ customers }, request) => customers?.authorize(request),
      async recover(acquirer, request) {
        await fake.payForm(await formFor(acquirer, request), 'confirm')
        expect(await acquirer.inquire(request.key)).toMatchObject({ kind: 'approved' })
        expect(fake.money().taken).toBe(before.taken + 1234n)
        expect(tested.noticed).toContain(`card ${request.key}`)
      },
    })
  })

  it('closes the form finally, or reports a payment on it', async () => {
    const { fake, openAcquirer } = tested
    for (const cancels of [true, false]) {
      fake.cancelsUnanswered = cancels
      let before = fake.money()
      await everyInterruption<CardAcquirer, { request: CustomerAuthorization; form: Form }>({
        provider: fake.provider,
        open: openAcquirer,
        async prepare(acquirer) {
          before = fake.money()
          const request = byCard('sale')
          return { request, form: await formFor(acquirer, request) }
        },
        act: (acquirer, { request: { key } }) =>
          acquirer.cancel?.(key) ?? Promise.reject(new Error('it cannot')),
        async recover(acquirer, { request, form }) {
          const cancelled = { kind: 'declined', decline: 'cancelled' }
          expect(await acquirer.cancel?.(request.key)).toEqual(cancelled)
          expect(await acquirer.customers?.authorize(request)).toEqual(cancelled)
          expect(await acquirer.inquire(request.key)).toEqual(cancelled)
          if (cancels) await expect(fake.payForm(form, 'confirm')).rejects.toThrow('nothing any more')
          else {
            await fake.payForm(form, 'confirm')
            expect(await acquirer.inquire(request.key)).toMatchObject({ kind: 'approved' })
            const reversal = { key: randomUUID(), original: request.key }
            expect(await acquirer.reverse(reversal)).toMatchObject({ kind: 'approved' })
          }
          expect(fake.money()).toEqual(before)
        },
      })
    }
    fake.cancelsUnanswered = true
  })

  it('reverses a payment at the moment of the cancellation', async () => {
    const { fake, openAcquirer } = tested
    const acquirer = await openAcquirer()
    const before = fake.money()
    const request = byCard('sale')
    await formFor(acquirer, request)
    // The answer to the cancellation is lost, and SIBS still shows the payment.
    fake.provider.interrupt(2, 'after')
    await expect(acquirer.cancel?.(request.key)).rejects.toThrow()
    fake.force(request.key, 'Success')
    const cancelled = { kind: 'declined', decline: 'cancelled' }
    expect(await acquirer.inquire(request.key)).toEqual(cancelled)
    fake.force(request.key, 'Declined')
    expect(await acquirer.inquire(request.key)).toEqual(cancelled)
    expect(fake.money()).toEqual(before)
  })

  it.each([
    ['Success', { kind: 'approved' }],
    ['Declined', { kind: 'declined', decline: 'not_permitted' }],
  ])('is unknown for a refund that SIBS decides later, until it is %s', async (status, answer) => {
    const { fake, open } = tested
    const wallet = await open()
    const payment = await paid(wallet, 'sale')
    fake.decidesLater = true
    const refund = { key: randomUUID(), payment, amount: cents(1234) }
    expect(await wallet.refund(refund)).toMatchObject({ kind: 'unknown' })
    fake.decidesLater = false
    expect(await (await open()).refund(refund)).toMatchObject({ kind: 'unknown' })
    expect(await wallet.inquireFollowUp(refund.key)).toMatchObject({ kind: 'unknown' })
    expect(await wallet.cancelFollowUp?.(refund.key)).toMatchObject({ kind: 'unknown' })
    fake.force(refund.key, status)
    expect(await wallet.inquireFollowUp(refund.key)).toMatchObject(answer)
    expect(await wallet.refund(refund)).toMatchObject(answer)
  })

  it('has the same result after late, repeated and reordered notifications', async () => {
    const { fake, open } = tested
    const wallet = await open()
    const mandate = { ...asked(), kind: 'ONECLICK' as const }
    await wallet.requestMandate(mandate)
    const { receiver } = fake.outbox
    fake.outbox.receiver = undefined
    await fake.approve(mandate.key)
    await fake.change(mandate.key, 'suspend')
    await fake.change(mandate.key, 'update', { limit: 700n, expiryDate: '2032-01-31' })
    const sent = fake.outbox.kept.splice(0).reverse()
    expect(sent).toHaveLength(3)
    for (const one of [...sent, ...sent]) expect((await receiver?.(one))?.status).toBe(200)
    fake.outbox.receiver = receiver
    expect(await wallet.mandateHistory(mandate.key, 0)).toEqual({
      kind: 'changes',
      changes: [
        { version: 1, kind: 'approved', limit: 700n, expiryDate: '2032-01-31' },
        { version: 2, kind: 'suspended' },
      ],
    })
  })

  it('captures, releases the rest and refunds by card, each once', async () => {
    const { fake, openAcquirer } = tested
    const acquirer = await openAcquirer()
    const before = fake.money()
    const hold = byCard('hold')
    await fake.payForm(await formFor(acquirer, hold), 'confirm')
    const follow = (original: string, amount: number) => ({
      ...{ key: randomUUID(), original, amount: cents(amount) },
      ...{ merchant: hold.merchant, currency: 'EUR' },
    })
    const first = follow(hold.key, 500)
    const captured = await acquirer.capture(first)
    expect(captured).toMatchObject({ kind: 'approved' })
    expect(await acquirer.capture(first)).toEqual(captured)
    expect(await acquirer.inquire(first.key)).toEqual(captured)
    const exceeds = { kind: 'declined', decline: 'exceeds_hold' }
    const strange = { merchant: { id: 1002n, name: 'Other' } }
    for (const wrong of [{ amount: cents(735) }, strange, { currency: 'USD' }, { original: randomUUID() }])
      expect(await acquirer.capture({ ...follow(hold.key, 100), ...wrong })).toEqual(exceeds)
    // The rest includes a capture with a lost answer.
    const lost = follow(hold.key, 200)
    fake.provider.interrupt(1, 'after')
    await expect(acquirer.capture(lost)).rejects.toThrow()
    const rest = { ...follow(hold.key, 0), amount: 'all' } as const
    expect(await acquirer.release(rest)).toMatchObject({ kind: 'approved' })
    expect(await acquirer.release(rest)).toMatchObject({ kind: 'approved' })
    expect(fake.money()).toEqual({ taken: before.taken + 700n, held: before.held })
    const tooMuch = { kind: 'declined', decline: 'exceeds_payment' }
    expect(await acquirer.refund(follow(first.key, 501))).toEqual(tooMuch)
    expect(await acquirer.refund(follow(first.key, 500))).toMatchObject({ kind: 'approved' })
    expect(fake.money().taken).toBe(before.taken + 200n)
    const late = follow(lost.key, 200)
    expect(await acquirer.cancel?.(late.key)).toEqual({ kind: 'declined', decline: 'cancelled' })
    expect(await acquirer.refund(late)).toEqual({ kind: 'declined', decline: 'cancelled' })
  })

  it('makes one reference, and withdraws it', async () => {
    const { fake, openReferences } = tested
    await everyInterruption<ProviderReferences, ReferenceRequest>({
      provider: fake.provider,
      open: openReferences,
      prepare: async () => ({
        ...{ key: randomUUID(), merchant: { id: 1001n, name: 'Loja' }, payableOnce: true },
        ...{ amountMin: cents(500), amountMax: cents(1000), expires: after(tested.now(), hour) },
      }),
      act: (references, request) => references.create(request),
      async recover(references, request) {
        const answer = await references.create(request)
        if (answer.kind !== 'named') throw new Error(`it answered ${answer.kind}`)
        expect(await references.create(request)).toEqual(answer)
        expect(await fake.payReference(answer, 499n)).toBe(false)
        expect(await fake.payReference(answer, 777n)).toBe(true)
        expect(tested.noticed).toContain(`reference ${request.key} 777`)
        expect(await references.paymentsOf([request.key])).toMatchObject([{ amount: 777n }])
      },
    })
  })

  it('accepts no card number and no verification', async () => {
    const acquirer = await tested.openAcquirer()
    const card = { number: '4111111111111111', expiry: { month: 12, year: 2035 }, name: 'Ana' }
    const refused = { kind: 'declined', decline: 'not_permitted' }
    expect(await acquirer.authorize({ ...byCard('sale'), intent: 'sale', card })).toEqual(refused)
    expect(await acquirer.customers?.authorize({ ...byCard('sale'), card })).toEqual(refused)
    expect(await acquirer.customers?.authorize({ ...byCard('sale'), intent: 'verify' })).toEqual(refused)
  })

  it('requests a mandate once, and follows it', async () => {
    const { fake, open } = tested
    await everyInterruption<MobileWallet, WalletMandateRequest>({
      provider: fake.provider,
      open,
      prepare: async () => ({ ...asked(), kind: 'ONECLICK' }),
      act: (wallet, request) => wallet.requestMandate(request),
      async recover(wallet, request) {
        const known = await wallet.mandateHistory(request.key, 0)
        if (known.kind === 'not_found') await wallet.requestMandate(request)
        expect(await wallet.mandateHistory(request.key, 0)).toEqual({ kind: 'changes', changes: [] })
        expect(fake.questions(request.key)).toBe(1)
        expect(await fake.approve(request.key)).toBe(true)
        expect(await wallet.mandateHistory(request.key, 0)).toMatchObject({
          changes: [{ version: 1, kind: 'approved', limit: 250_00n }],
        })
      },
    })
  })

  it('ends a mandate for the merchant', async () => {
    const { fake, open } = tested
    await everyInterruption<MobileWallet, string>({
      provider: fake.provider,
      open,
      async prepare(wallet) {
        const request = { ...asked(), kind: 'SUBSCRIPTION' as const }
        await wallet.requestMandate(request)
        await fake.approve(request.key)
        return request.key
      },
      act: (wallet, key) => wallet.cancelMandate(key),
      async recover(wallet, key) {
        expect(await wallet.cancelMandate(key)).toEqual({ kind: 'cancelled' })
        expect(await wallet.mandateHistory(key, 1)).toEqual({
          kind: 'changes',
          changes: [{ version: 2, kind: 'cancelled' }],
        })
        expect(await fake.change(key, 'suspend')).toBe(false)
      },
    })
  })
})

describe('the SIBS driver', () => {
  let tested: Awaited<ReturnType<typeof startSibs>>
  let wallet: MobileWallet
  beforeAll(async () => {
    tested = await startSibs('postgres')
    wallet = await tested.open()
  })
  afterAll(() => tested.close())

  const asked = (change: Partial<WalletPaymentRequest> = {}): WalletPaymentRequest => ({
    ...{ key: randomUUID(), merchant: { id: 1001n, name: 'Demo Shop' }, phone, amount: cents(100) },
    ...{ currency: 'EUR', intent: 'sale', expires: after(tested.now(), 4 * minute), ...change },
  })

  it('keeps a request that SIBS does not cancel, and withdraws an unsent one', async () => {
    const { fake } = tested
    fake.cancelsUnanswered = false
    const request = asked()
    await wallet.requestPayment(request)
    expect(await wallet.withdrawPayment(request.key)).toEqual({ kind: 'waiting' })
    const mandate = { ...asked(), kind: 'ONECLICK' as const }
    await wallet.requestMandate(mandate)
    expect(await wallet.withdrawMandate(mandate.key)).toMatchObject({ kind: 'unknown' })
    expect(await wallet.cancelMandate(mandate.key)).toMatchObject({ kind: 'unknown' })
    expect(await fake.approve(request.key)).toBe(true)
    expect(await wallet.withdrawPayment(request.key)).toMatchObject({ kind: 'approved' })
    // After the approval it can be ended.
    expect(await fake.approve(mandate.key)).toBe(true)
    expect(await wallet.cancelMandate(mandate.key)).toEqual({ kind: 'cancelled' })
    fake.cancelsUnanswered = true

    const early = asked()
    fake.provider.interrupt(1, 'after')
    await expect(wallet.requestPayment(early)).rejects.toThrow()
    const withdrawn = { kind: 'declined', decline: 'withdrawn' }
    expect(await wallet.withdrawPayment(early.key)).toEqual(withdrawn)
    expect(await wallet.requestPayment(early)).toEqual(withdrawn)
    expect(await wallet.inquirePayment(early.key)).toEqual(withdrawn)
    expect(fake.questions(early.key)).toBe(0)
  })

  it('finds an approval at the moment of the withdrawal', async () => {
    const { fake } = tested
    const before = fake.money()
    const request = asked()
    await wallet.requestPayment(request)
    // The answer to the cancellation is lost, and SIBS still shows the payment.
    fake.provider.interrupt(2, 'after')
    await expect(wallet.withdrawPayment(request.key)).rejects.toThrow()
    fake.force(request.key, 'Success')
    expect(await wallet.inquirePayment(request.key)).toEqual({ kind: 'declined', decline: 'withdrawn' })
    fake.force(request.key, 'Declined')
    expect(fake.money()).toEqual(before)
  })

  it('is unknown until SIBS decides, or until the end', async () => {
    const { fake } = tested
    const [failed, late, stuck] = [asked(), asked(), asked()]
    for (const request of [failed, late, stuck]) await wallet.requestPayment(request)
    fake.force(failed.key, 'Error')
    fake.force(late.key, 'Timeout')
    fake.force(stuck.key, 'InProcessing')
    for (const { key } of [failed, late])
      expect(await wallet.inquirePayment(key)).toMatchObject({ kind: 'unknown' })
    tested.pass(4 * minute)
    expect(await wallet.inquirePayment(failed.key)).toEqual({
      kind: 'declined',
      decline: 'refused',
      mayArrive: true,
    })
    expect(await wallet.inquirePayment(late.key)).toEqual({
      kind: 'declined',
      decline: 'expired',
      mayArrive: true,
    })
    expect(await wallet.inquirePayment(stuck.key)).toEqual({ kind: 'waiting' })
    tested.pass(hour)
    expect(await wallet.inquirePayment(stuck.key)).toEqual({
      kind: 'declined',
      decline: 'expired',
      mayArrive: true,
    })
  })

  it('asks each customer once, also from many processes', async () => {
    const request = asked()
    const others = await Promise.all(Array.from({ length: 4 }, () => tested.open()))
    const answers = await Promise.allSettled(others.map((one) => one.requestPayment(request)))
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect(tested.fake.questions(request.key)).toBe(1)
    expect(await tested.fake.approve(request.key)).toBe(true)
    expect(await wallet.inquirePayment(request.key)).toMatchObject({ kind: 'approved' })
  })

  it('ends a mandate at SIBS that was approved after its end here', async () => {
    const { fake } = tested
    const mandate = { ...asked({ expires: after(tested.now(), minute) }), kind: 'ONECLICK' as const }
    await wallet.requestMandate(mandate)
    tested.pass(2 * minute)
    expect(await wallet.mandateHistory(mandate.key, 0)).toEqual({
      kind: 'changes',
      changes: [{ version: 1, kind: 'expired' }],
    })
    expect(await fake.approve(mandate.key)).toBe(true)
    expect(await wallet.mandateHistory(mandate.key, 1)).toEqual({ kind: 'changes', changes: [] })
    expect(await fake.change(mandate.key, 'suspend')).toBe(false)
  })

  it('records a customer’s refusal of a mandate before its end', async () => {
    const mandate = { ...asked(), kind: 'SUBSCRIPTION' as const }
    await wallet.requestMandate(mandate)
    expect(await tested.fake.refuse(mandate.key)).toBe(true)
    expect(await wallet.mandateHistory(mandate.key, 0)).toEqual({
      kind: 'changes',
      changes: [{ version: 1, kind: 'refused' }],
    })
    expect(tested.noticed).toContain(`mandate ${mandate.key}`)
  })

  it('ignores notifications of other platforms at the terminal', async () => {
    const before = tested.noticed.length
    await tested.fake.outbox.send({ transactionID: 's2OTHER', merchant: { transactionId: 'ORDER-001' } })
    expect(tested.noticed).toHaveLength(before)
  })
})

describe('notifications of SIBS', () => {
  // Encrypted by another implementation of AES-GCM.
  const key = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
  const body =
    'nToMTDymZ9EWNvOycw+z/EqOCmXx1Ccf7ywKpA/KDGy3GDOr1lI2H2W+VJ1bKaHVZW80KQyjex01N2Qw7TSnipbPtzt19rDQxNLPKL/+/Ir9O5uU9OPk'
  const headers = {
    'x-initialization-vector': 'oKGio6Slpqeoqaqr',
    'x-authentication-tag': '6mqh+B88Bv4aatuvc0SfHg==',
  }
  const other = Buffer.alloc(32, 9).toString('base64')

  function verify(
    secret: string,
    sent: { headers?: Record<string, string>; body?: string },
    ackCode?: string,
  ) {
    const connection: Connection = {
      ...{ id: 1n, publicId: 'p', driver: 'sibs', walletId: undefined, rails: [], enabled: true },
      settings: ackCode === undefined ? {} : { ack_code: ackCode },
      secrets: { webhook_secret: secret },
      kept: (make) => make(),
    }
    const received = { headers: { ...headers, ...sent.headers }, rawBody: Buffer.from(sent.body ?? body) }
    return sibs.webhook?.verify(connection, received, { clock: systemClock, fetch })
  }

  it('are decrypted with any of the secrets, and acknowledged by the configured code', () => {
    const opened = { kind: 'accepted', payload: expect.stringContaining('s2TEST00000000000001') }
    for (const secret of [key, `${other}\n${key}\n`, `${key}\n${other}`])
      expect(verify(secret, {})).toMatchObject({ ...opened, answer: { body: { statusCode: '000' } } })
    expect(verify(key, {}, '200')).toMatchObject({ answer: { status: 200, body: { statusCode: '200' } } })
  })

  it.each([
    ['another secret', other, {}],
    ['no secret', '', {}],
    ['another tag', key, { headers: { 'x-authentication-tag': '6mqh+B88Bv4aatuvc0SfHw==' } }],
    ['a part of the tag', key, { headers: { 'x-authentication-tag': '6mqh+A==' } }],
    ['no tag', key, { headers: { 'x-authentication-tag': '' } }],
    ['another vector', key, { headers: { 'x-initialization-vector': 'oKGio6Slpqeoqaqs' } }],
    ['another body', key, { body: `A${body.slice(1)}` }],
    ['no body', key, { body: '' }],
  ])('are refused with %s', (_, secret, sent) => {
    expect(verify(secret, sent)).toEqual({ kind: 'refused' })
  })
})

describe('settings of SIBS', () => {
  const problemOf = (name: string, text: string) => {
    const spec = sibs.settings.find((one) => one.name === name)
    return spec && problemOfSetting(spec, text)
  }

  it.each([
    [
      'base_url',
      ['https://api.sibspayments.com/api/v2', 'http://127.0.0.1:80/spg/v2'],
      [
        'api.example',
        'http://api.example/v2',
        'https://api.example/',
        'https://u:p@api.example/v2',
        'https://api.example/v2?a=1',
      ],
    ],
    ['terminal_id', ['58019'], ['', '0', 'a', '1234567890']],
    ['ack_code', ['000', '200'], ['0', '201']],
    ['token', ['abc.DEF-1', 'abc\n'], ['a b', 'a\nb']],
    [
      'webhook_secret',
      [Buffer.alloc(32, 1).toString('base64')],
      ['', 'AAECAw==', `${Buffer.alloc(32, 1).toString('base64')}\nAA==`],
    ],
  ])('%s is checked', (name, right, wrong) => {
    for (const text of right) expect(problemOf(name, text)).toBeUndefined()
    for (const text of wrong) expect(problemOf(name, text), text).toMatch(/^must /)
  })
})
