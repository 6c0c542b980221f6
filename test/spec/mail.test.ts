// Mail, as a merchant and its customers see it, with the sandbox's post box.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { ibans, moneyOf } from '../money.ts'
import { signIn } from '../people.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { subscribersOf } from '../subscribers.ts'
import { cards, type Json, payOnPage, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld('postgres')
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const mails = '/api/v2/mails'

async function turn(kind: string, enabled: boolean): Promise<void> {
  const answer = await put(`${mails}/kinds/${kind}`, { enabled })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toMatchObject({ kind, enabled })
}

function put(path: string, body: unknown) {
  const headers = { authorization: `Comporta ${world.shop.api_key}`, 'content-type': 'application/json' }
  return world.request(path, { method: 'PUT', headers, body: JSON.stringify(body) })
}

const boxOf = async (to: string): Promise<Json[]> =>
  (await world.request(`/sandbox/api/mail?to=${encodeURIComponent(to)}`)).body.elements

function mailTo(to: string, matches: (mail: Json) => boolean = () => true): Promise<Json> {
  return world.eventually(async () => (await boxOf(to)).find(matches))
}

async function endedMail(query: string): Promise<Json> {
  return world.eventually(async () => {
    const { body } = await world.shop.get(`${mails}?${query}`)
    const [first] = body.elements
    return first !== undefined && first.status !== 'WAITING' && first
  })
}

let addresses = 0
const newAddress = (name = 'ana') => `${name}.${++addresses}@example.com`

async function paidBy(email: string, change: Record<string, unknown> = {}): Promise<Json> {
  const checkout = await world.createCheckout({
    payment: {
      amount: 12.5,
      currency: 'EUR',
      ext_invoiceid: 'F-7',
      client: { name: 'Ana', email },
      ...change,
    },
  })
  await payOnPage(checkout.url_redirect, cards.frictionless, { language: 'pt' })
  return checkout
}

describe('a switch', () => {
  it('is off for customers and the wallet until the merchant turns it on', async () => {
    const { body } = await world.shop.get(`${mails}/kinds`)
    const on = body.elements.filter(({ enabled }: Json) => enabled).map(({ kind }: Json) => kind)
    expect(on).toEqual(['invitation', 'password'])
    await paidBy('nobody@example.com')
    expect(await boxOf('nobody@example.com')).toEqual([])
    expect((await world.shop.get(mails)).body).toEqual({ total: 0, elements: [] })
  })

  it.each([
    ['receipt', {}, 400],
    ['receipt', { enabled: 'perhaps' }, 400],
    ['horoscope', { enabled: true }, 404],
  ])('%s refuses %j', async (kind, body, status) => {
    expect((await put(`${mails}/kinds/${kind}`, body)).status).toBe(status)
  })
})

describe('a failed automatic charge', () => {
  beforeAll(() => turn('charge_failed', true))
  afterAll(() => turn('charge_failed', false))

  it('is mailed with the next attempt and a link that tries it again, and ends', async () => {
    const subscribers = subscribersOf(world)
    const money = moneyOf(world)
    const consumer = await money.consumer(1)
    const tomorrow = new Date((await subscribers.now()).getTime() + 86_400_000).toISOString().slice(0, 10)
    const checkout = await subscribers.checkout({
      ...{ start_date: tomorrow, auto_charge: { amount: 8 } },
    })
    await money.pay(checkout, 'wallet', { email: consumer.email, pin: consumer.pin })
    const { id } = checkout.subscription
    await world.advance('P1DT12H')
    const mail = await mailTo(consumer.email)
    expect(mail.subject).toBe('Não foi possível cobrar a sua subscrição em Demo Shop')
    expect(mail.text).toMatch(/A próxima tentativa é a \d+ de \w+ de \d+\./)
    const url = /https?:\S+\/charge\/\S+/.exec(mail.text)?.[0] ?? ''
    expect(mail.html).toContain(new URL(url).pathname)

    const page = await openPage(url)
    expect(page.text).toMatch(/Uma cobrança de 8,00\s€ falhou/)
    expect(page.text).not.toContain('Cancelar')
    const other = url.replace(/\/charge\/[^/]+/, `/charge/${checkout.id}`)
    expect((await openPage(other)).status).toBe(404)
    await money.sandbox('bank/transfer', { reference_text: consumer.bank_reference, amount: 10 })
    await world.eventually(async () => (await money.balanceOf(consumer.email)) === 11)
    const form = page.forms[0] as (typeof page.forms)[number]
    const [first, second] = await Promise.all([submit(page, form, {}), submit(page, form, {})])
    for (const { status } of [first, second]) expect(status).toBe(200)
    await world.eventually(async () => (await subscribers.read(id)).auto_charge.latest.result === 'PAID')
    expect((await openPage(url)).text).toContain('Não falta pagar nada')
    expect(await money.balanceOf(consumer.email)).toBe(3)
    const { elements } = (await world.shop.get(`/api/v2/subscriptions/${id}/charge`)).body
    expect(elements.map((one: Json) => one.charge_order.status)).toEqual(['SUCCESS', 'FAIL'])
    expect((await world.shop.get('/api/v2/auto_charges/results')).body).toMatchObject({
      ...{ cycles: 1, recovered: 1, failed: 0, recovered_amount: 8, recovered_share: 1 },
      reasons: [{ error: 'insufficient_funds', charges: 1 }],
    })
    await world.advance('P31D')
    await world.eventually(async () => (await subscribers.read(id)).auto_charge.charges === 2)
    expect((await openPage(url)).text).toContain('Este link terminou')
    await submit(page, form, {})
    await world.shop.delete(`/api/v2/subscriptions/${id}`)
  })
})

describe('a receipt', () => {
  beforeAll(() => turn('receipt', true))
  afterAll(() => turn('receipt', false))

  it('has the payment in HTML and text, without picture, script or link of a tracker', async () => {
    const to = newAddress()
    const { id } = await paidBy(to)
    const mail = await mailTo(to)
    expect(mail.subject).toMatch(/^Pagamento de 12,50\s€ a Demo Shop$/)
    expect(mail.headers['content-language']).toBe('pt-PT')
    const operation = (await world.shop.get(`/api/v2/checkout/${id}`)).body.payment
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('12,50')
      expect(part).toContain('F-7')
      expect(part).toContain(operation.id)
      expect(part).toContain('Visa •••• 0027')
      expect(part).not.toContain(cards.frictionless.number)
    }
    expect(mail.html).not.toMatch(/<img|<script|<link|url\(|https?:/)
    expect(mail.headers['list-unsubscribe']).toBeUndefined()
    const [shown] = (await world.shop.get(`${mails}?subject_id=${operation.id}`)).body.elements
    expect(shown).toMatchObject({
      kind: 'receipt',
      status: 'SENT',
      recipient: to,
      attempts: 1,
      smtp_code: 250,
    })
    expect(mail.message_id).toBe(`<${shown.id}@sandbox.example>`)
    expect((await world.shop.get(`${mails}/${shown.id}`)).body).toEqual(shown)
  })

  it('has the language of the page on which the customer paid, and so has its refund', async () => {
    await turn('refund', true)
    const to = newAddress()
    const checkout = await world.createCheckout({
      payment: { amount: 7, currency: 'EUR', client: { email: to } },
    })
    await payOnPage(checkout.url_redirect, cards.frictionless, { language: 'en' })
    expect((await mailTo(to)).subject).toBe('Payment of €7.00 to Demo Shop')
    const { payment } = (await world.shop.get(`/api/v2/checkout/${checkout.id}`)).body
    await world.shop.post(`/api/v2/operations/${payment.id}/refund`, { amount: 2 })
    await mailTo(to, ({ subject }) => subject === 'Demo Shop refunded €2.00')
    await turn('refund', false)
  })

  it('is sent once, also after refunds of the payment and after its record is deleted', async () => {
    const to = newAddress()
    const { id } = await paidBy(to)
    await mailTo(to)
    const { payment } = (await world.shop.get(`/api/v2/checkout/${id}`)).body
    const refund = `/api/v2/operations/${payment.id}/refund`
    const receipts = `${mails}?subject_id=${payment.id}&kind=receipt`
    expect((await world.shop.post(refund, { amount: 1 })).status).toBe(200)
    await world.advance('PT1H')
    expect((await boxOf(to)).map(({ times }) => times)).toEqual([1])
    expect((await world.shop.get(receipts)).body.total).toBe(1)
    await world.advance('P91D')
    expect((await world.shop.get(receipts)).body.total).toBe(0)
    expect((await world.shop.post(refund, { amount: 1 })).status).toBe(200)
    expect((await world.shop.get(receipts)).body.total).toBe(0)
  })

  it('goes to the address that the merchant sent, and to nobody without one', async () => {
    const to = newAddress()
    const token = await storeCard(world, cards.frictionless.number)
    await payByToken(world, token, { ext_email: to })
    await mailTo(to)
    const { id } = await payByToken(world, token)
    const mail = await endedMail(`subject_id=${id}`)
    expect(mail).toMatchObject({ status: 'SKIPPED', reason: 'no_address', attempts: 0 })
  })

  it('is not seen by another merchant', async () => {
    const to = newAddress()
    await paidBy(to)
    await mailTo(to)
    const other = world.merchant('Plain Shop')
    const { status, body } = await other.get(mails)
    expect(status === 403 || body.total === 0).toBe(true)
  })

  it('is refused for good by the server, and the merchant sees why', async () => {
    const to = newAddress('refused')
    await paidBy(to)
    const mail = await endedMail('status=REFUSED')
    expect(mail).toMatchObject({
      recipient: to,
      smtp_code: 550,
      reason: '550 5.1.1 No such mailbox',
      attempts: 1,
    })
  })

  it('is tried again after a temporary refusal', async () => {
    const to = newAddress('later')
    await paidBy(to)
    await world.eventually(async () => {
      const { body } = await world.shop.get(`${mails}?status=WAITING`)
      return body.elements.some(({ smtp_code }: Json) => smtp_code === 451)
    })
    await world.advance('PT1M')
    expect((await mailTo(to)).times).toBe(1)
  })

  it.each([
    'Ana\r\nBcc: all@example.com',
    'ana@example.com\nBcc: all@example.com',
    'ana@example.com, all@example.com',
    'Ana <ana@example.com>',
    '"a b"@example.com',
    'ana@localhost',
    `${'a'.repeat(65)}@example.com`,
    'ana@exa\u202Emple.com',
  ])('is not sent to %j', async (ext_email) => {
    const token = await storeCard(world, cards.frictionless.number)
    const answer = await world.shop.post(
      '/prows/v2/payment',
      {
        ...{ amount: 10, currency: 'EUR', ext_email, card: { token } },
        cardsecure_url_confirm: world.receiver.url('/confirm'),
        cardsecure_url_cancel: world.receiver.url('/cancel'),
      },
      { 'proxy-authorization': `ESBToken=${world.shop.esb_token}` },
    )
    if (answer.status !== 200) return
    const mail = await endedMail(`subject_id=${answer.body.id}`)
    expect(mail).toMatchObject({ status: 'SKIPPED', reason: 'invalid_address' })
    expect(await boxOf('all@example.com')).toEqual([])
  })
})

describe('a reference', () => {
  const reference = (email: string, days: number, change: Record<string, unknown> = {}) =>
    world.shop.post('/api/v2/mb/pay', {
      ...{ amount: 30, currency: 'EUR', method: 'MB', type: 'PAYMENT', client: { email }, ...change },
      expires: new Date(clock + days * 86_400_000).toISOString(),
    })
  let clock = 0
  beforeAll(async () => {
    await turn('reference', true)
    await turn('reference_reminder', true)
  })
  beforeEach(async () => {
    clock = Date.parse((await world.request('/sandbox/api/clock')).body.now)
  })
  afterAll(async () => {
    await turn('reference', false)
    await turn('reference_reminder', false)
  })

  it('is mailed with its deadline, and once more a day before', async () => {
    const to = newAddress()
    const made = await reference(to, 5)
    expect(made.status, made.text).toBe(200)
    const mail = await mailTo(to)
    const { entity, ref } = made.body.mb
    expect(mail.text).toContain(entity)
    expect(mail.text).toContain(ref.replace(/(\d{3})(?=\d)/g, '$1 '))
    expect(mail.text).toContain('Pagar até')
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    const { expires } = await world.operation(made.body.id)
    const minutes = Math.floor((Date.parse(expires) - clock) / 60_000) - 24 * 60
    await world.advance(`PT${minutes - 30}M`)
    expect(await boxOf(to)).toHaveLength(1)
    await world.advance('PT31M')
    const reminder = await mailTo(to, ({ subject }) => subject.startsWith('Pague a Demo Shop até'))
    expect(reminder.headers.references).toBe(mail.headers.references)
    expect(reminder.message_id).not.toBe(mail.message_id)
  })

  it('that was paid needs no reminder', async () => {
    const to = newAddress()
    const { body } = await reference(to, 5)
    await mailTo(to)
    const { entity, ref } = body.mb
    const paid = await world.request('/sandbox/api/references/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ entity, ref, amount: 30 }),
    })
    expect(paid.status, paid.text).toBe(200)
    await world.advance('P5D')
    expect(await boxOf(to)).toHaveLength(1)
    const skipped = await endedMail(`subject_id=${body.id}&kind=reference_reminder`)
    expect(skipped).toMatchObject({ status: 'SKIPPED', reason: 'already_decided' })
  })

  it.each([
    ['', (address: string) => address],
    [
      ' at the longest address',
      (address: string) =>
        `${'a'.repeat(30)}.${address.replace('@', `@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.`)}`,
    ],
  ])('is not mailed again to a reader%s who stopped it, by a program or on the page', async (_, form) => {
    const to = form(newAddress())
    await reference(to, 3)
    const mail = await mailTo(to)
    const url = mail.headers['list-unsubscribe'].slice(1, -1)
    const page = await openPage(url)
    expect(page.text).toContain('Demo Shop')
    await reference(to, 3)
    await world.eventually(async () => (await boxOf(to)).length === 2)
    expect((await submit(page, page.forms[0] as never)).text).toContain('Done')
    const { body } = await reference(to, 3)
    expect(await endedMail(`subject_id=${body.id}&kind=reference`)).toMatchObject({ reason: 'unsubscribed' })
    expect((await world.request(`${url.slice(0, -4)}AAAA`)).status).toBe(404)
  })
})

describe('a second reference of the same payment', () => {
  it('is mailed as the first was, and only it has a reminder', async () => {
    await turn('reference', true)
    await turn('reference_reminder', true)
    const to = newAddress()
    const checkout = await world.createCheckout({
      payment: { amount: 30, currency: 'EUR', client: { email: to } },
    })
    const choose = async (path: string, typed: Record<string, string> = {}) => {
      const page = await openPage(`${checkout.url_redirect}?lang=en&choose`)
      const form = page.forms.find(({ action }) => action.includes(path))
      if (form === undefined)
        throw new Error(`${page.url} has ${page.forms.map(({ action }) => action)}: ${page.text}`)
      return submit(page, form, typed)
    }
    await choose('/mb?')
    const first = (await world.operation(checkout.payment.id)).mb.ref
    const waiting = await choose('/mbway?', { phone: '912345678' })
    await submit(waiting, waiting.forms[1] as never)
    await choose('/mb?')
    const second = (await world.operation(checkout.payment.id)).mb.ref
    expect(second).not.toBe(first)
    const shown = (ref: string) => ref.replace(/(\d{3})(?=\d)/g, '$1 ')
    await mailTo(to, ({ text }) => text.includes(shown(second)))
    const { expires } = await world.operation(checkout.payment.id)
    const { now } = (await world.request('/sandbox/api/clock')).body
    await world.advance(`PT${Math.ceil((Date.parse(expires) - Date.parse(now)) / 60_000) - 24 * 60 + 1}M`)
    const reminders = await world.eventually(async () => {
      const { body } = await world.shop.get(
        `${mails}?subject_id=${checkout.payment.id}&kind=reference_reminder`,
      )
      return body.elements.every(({ status }: Json) => status !== 'WAITING') && body.elements
    })
    expect(reminders.map(({ status, reason }: Json) => reason ?? status)).toEqual(['SENT', 'replaced'])
    await turn('reference', false)
    await turn('reference_reminder', false)
  })
})

describe('a payment link', () => {
  it('is mailed to a customer in its language, if its kind is on', async () => {
    const to = newAddress()
    const made = await world.shop.post('/api/v2/payment_links', {
      description: 'Yoga class\u202E on Saturday',
      amount: 12.5,
      language: 'en',
    })
    const path = `/api/v2/payment_links/${made.body.id}/mail`
    const off = await world.shop.post(path, { email: to })
    expect([off.status, off.text]).toEqual([expect.any(Number), expect.stringContaining('payment_link')])
    await turn('payment_link', true)
    expect((await world.shop.post(path, { email: 'nobody' })).status).toBe(400)
    const sent = await world.shop.post(path, { email: to })
    expect(sent.status, sent.text).toBe(200)
    const mail = await mailTo(to)
    expect(mail.subject).toBe('Demo Shop: Yoga class on Saturday')
    expect(mail.text).toContain(made.body.url)
    expect(mail.html).toContain(`href="${made.body.url}"`)
    await world.shop.delete(`/api/v2/payment_links/${made.body.id}`)
    expect((await world.shop.post(path, { email: to })).status).not.toBe(200)
  })
})

describe('a subscription', () => {
  beforeAll(async () => {
    await turn('charge_failed', true)
    await turn('card_expiring', true)
  })

  it('tells the customer about a card that expires, once', async () => {
    const to = newAddress()
    const subscribers = subscribersOf(world)
    const now = await subscribers.now()
    const expiry = `${String(now.getUTCMonth() + 1).padStart(2, '0')} / ${(now.getUTCFullYear() + 1) % 100}`
    const { id } = await subscribers.accepted(
      { client: { name: 'Ana', email: to } },
      { ...cards.frictionless, expiry },
    )
    expect(await boxOf(to)).toEqual([])
    await world.advance('P364D')
    const mail = await mailTo(to, ({ subject }) => subject.includes('vai expirar'))
    expect(mail.text).toContain('0027')
    await world.advance('PT1H')
    expect(await boxOf(to)).toHaveLength(1)
    expect(mail.headers.references).toBe(`<thread.${id}@sandbox.example>`)
  })

  it('tells the customer about a failed charge', async () => {
    const to = newAddress()
    const subscribers = subscribersOf(world)
    const { id } = await subscribers.accepted({ client: { name: 'Ana', email: to } }, cards.insufficientFunds)
    const { body } = await subscribers.charge(id, 20)
    expect(await subscribers.processed(id, body.id)).toMatchObject({ status: 'FAIL' })
    const mail = await mailTo(to)
    expect(mail.subject).toBe('Não foi possível cobrar a sua subscrição em Demo Shop')
    expect(mail.text).toContain('Saldo insuficiente')
    expect(mail.text).toContain('Magazine')
  })
})

describe('an account', () => {
  it('gets its links by mail, whose text is deleted once it is sent', async () => {
    const owner = await signIn(world, 'owner@demo.example')
    const email = newAddress('new')
    const wallet = `/wallets/${world.shop.wallet_id}`
    const body = { email, role: 'support' }
    const made = await owner.send('POST', `${wallet}/team/invitations`, body)
    expect(made.status, made.text).toBe(200)
    const mail = await mailTo(email)
    expect(mail.text).toContain(made.body.url)
    expect(mail.subject).toBe('Convite para a equipa de Demo Shop')
    expect(mail.headers['list-unsubscribe']).toBeUndefined()
    const shown = await owner.get(`${wallet}/mails?kind=invitation`)
    expect(shown.body.elements[0]).toMatchObject({ recipient: email, status: 'SENT' })
    expect(shown.text).not.toContain(made.body.url.split('#')[1])
    await turn('invitation', false)
    const other = newAddress('other')
    await owner.send('POST', `${wallet}/team/invitations`, { ...body, email: other })
    await world.advance('PT1M')
    expect(await boxOf(other)).toEqual([])
    await turn('invitation', true)
  })
})

describe('the post box', () => {
  it('shows a link of an account to its own machine alone, and other mail to everybody', async () => {
    await turn('receipt', true)
    const [to, invited] = [newAddress(), newAddress('guest')]
    await paidBy(to)
    const owner = await signIn(world, 'owner@demo.example')
    const made = await owner.send('POST', `/wallets/${world.shop.wallet_id}/team/invitations`, {
      email: invited,
      role: 'support',
    })
    const link = made.body.url.split('#')[1]
    const [{ id: receipt }, { id: invitation }] = [await mailTo(to), await mailTo(invited)]
    const fromOutside = (path: string) =>
      world.request(path, { headers: { 'x-forwarded-for': '203.0.113.9' } })
    for (const path of ['/sandbox/api/mail', '/sandbox/mail']) {
      const { text } = await fromOutside(path)
      expect(text).toContain(receipt)
      expect(text).not.toContain(invitation)
      expect((await world.request(path)).text).toContain(invitation)
    }
    for (const path of [
      `/sandbox/api/mail/${invitation}`,
      `/sandbox/mail/${invitation}`,
      `/sandbox/mail/${invitation}/html`,
    ]) {
      const { status, text } = await fromOutside(path)
      expect(status).toBe(404)
      expect(text).not.toContain(link)
      expect((await world.request(path)).text).toContain(link)
    }
    expect((await fromOutside(`/sandbox/api/mail/${receipt}`)).status).toBe(200)
    await turn('receipt', false)
  })
})

describe('a dispute', () => {
  it('is mailed to the wallet, and not to the customer', async () => {
    await turn('dispute', true)
    const to = newAddress()
    const money = moneyOf(world)
    const opened = { amount: 10, currency: 'EUR', client: { email: to } }
    const { payment, ...checkout } = await world.createCheckout({ payment: opened })
    await money.pay(checkout, 'paypal')
    await money.sandbox(`online-wallet/${payment.id}/approve`)
    await world.eventually(async () => (await world.operation(payment.id)).status === 'COMPLETED')
    await money.sandbox(`online-wallet/${payment.id}/reverse`)
    const mail = await mailTo('shop@demo.example', ({ text }) => text.includes(payment.id))
    expect(mail.subject).toMatch(/^Pagamento contestado: 10,00\s€$/)
    expect(await boxOf(to)).toEqual([])
  })
})

describe('a refund and a payout', () => {
  it('are mailed to the customer and to the wallet', async () => {
    await turn('refund', true)
    await turn('payout', true)
    await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', ibans.paid)
    const to = newAddress()
    const { id } = await paidBy(to)
    const { payment } = (await world.shop.get(`/api/v2/checkout/${id}`)).body
    const refund = await world.shop.post(`/api/v2/operations/${payment.id}/refund`, { amount: 2.5 })
    expect(refund.status, refund.text).toBe(200)
    const mail = await mailTo(to)
    expect(mail.subject).toMatch(/^Demo Shop devolveu-lhe 2,50\s€$/)
    const payout = await world.shop.post('/api/v2/payouts', { amount: 1 })
    expect(payout.status, payout.text).toBe(200)
    await world.advance('P5D')
    const sent = await endedMail(`subject_id=${payout.body.id}`)
    expect(sent).toMatchObject({ kind: 'payout', status: 'SENT' })
    expect((await mailTo(sent.recipient)).text).not.toMatch(/PT50\d{10}/)
  })
})
