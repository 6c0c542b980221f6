// Refunds of payments by bank reference (FEATURES M1).
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres, statement } from '../../src/storage/index.ts'
import { openPage, submit } from '../browserless.ts'
import { openWorld } from '../gateway-here.ts'
import { ibans } from '../money.ts'
import { signIn } from '../people.ts'
import { type PaidReferences, paidReferences } from '../references-paid.ts'
import type { Json, Merchant, World } from '../world.ts'

const ana = { iban: ibans.paid, name: 'Ana Sousa' }
const anaOnPage = { iban: ibans.paid, holder: 'Ana Sousa' }

let world: World
let references: PaidReferences
let shop: Merchant

beforeAll(async () => {
  world = await openWorld('postgres')
  shop = world.shop
  references = paidReferences(world)
})
afterAll(async () => {
  await clean()
  await world.stop()
})
beforeEach(() => turn('on'))

const turn = (word: 'on' | 'off') => world.cli('merchant', 'set', shop.public_id, '--mb-refunds', word)
const balance = async (merchant = shop) =>
  Math.round(Number((await merchant.get('/api/v2/balance')).body.balance) * 100)
const accountOf = (id: string) => shop.get(`/api/v2/operations/${id}/refund_account`)
const clean = async () => expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })

async function settled(id: string): Promise<Json> {
  return world.eventually(async () => {
    const operation = await world.operation(id)
    return operation.status !== 'PENDING' && operation
  })
}

describe('a wallet without mb_refunds', () => {
  it('answers as before', async () => {
    await turn('off')
    const paid = await references.paid()
    expect(paid.refundable).toBe(false)
    const refused = await references.refund(paid.id, ana)
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 40010, reason: 'payments by MB cannot be refunded' },
    })
    await turn('on')
    expect(await world.operation(paid.id)).toMatchObject({ refundable: true })
  })
})

describe('a refund to a named account', () => {
  it('is PENDING until the bank has booked the transfer, and leaves after its own money has arrived', async () => {
    const paid = await references.paid()
    const before = await balance()
    const { status, body } = await references.refund(paid.id, ana)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      type: 'REFUND',
      status: 'PENDING',
      method: 'MB',
      amount: -10,
      parent: paid.id,
    })
    expect(body).not.toHaveProperty('refund_url')
    const account = (await accountOf(body.id)).body
    expect(account).toMatchObject({ status: 'NAMED', iban: 'PT50 •••• 0154', name: 'Ana Sousa' })
    // The network pays on a bank day after the payment, and the transfer is a bank day later.
    expect(Date.parse(account.execution_date)).toBeGreaterThan(Date.parse(paid.date) + 24 * 3600 * 1000)
    expect((await references.settle(body.id, 'paid')).status).toBe(404)
    expect(await balance()).toBe(before)
    await references.untilSent(body.id)
    expect(await world.operation(body.id)).toMatchObject({ status: 'PENDING' })
    expect((await references.settle(body.id, 'paid')).status).toBe(200)
    expect(await settled(body.id)).toMatchObject({ status: 'COMPLETED', amount_net: -10, fee: 0 })
    expect(await balance()).toBe(before - 1000)
    expect(await world.operation(paid.id)).toMatchObject({ refundable: false })
  })

  it('completes on the next bank day, without an answer by hand', async () => {
    const paid = await references.paid()
    const { body } = await references.refund(paid.id, { ...ana, amount: 4 })
    await world.eventually(async () => {
      await world.advance('P1D')
      return (await world.operation(body.id)).status === 'COMPLETED'
    })
  })

  it('counts a refund on its way', async () => {
    const paid = await references.paid()
    expect((await references.refund(paid.id, { ...ana, amount: 7 })).status).toBe(200)
    expect(await references.refund(paid.id, { ...ana, amount: 3.01 })).toMatchObject({
      status: 409,
      body: { code: 40015, reason: 'amount must be at most 3.00' },
    })
    expect((await references.refund(paid.id, ana)).body).toMatchObject({ amount: -3, status: 'PENDING' })
    expect(await references.refund(paid.id, ana)).toMatchObject({ status: 409, body: { code: 40010 } })
  })

  it('fails if the bank returns it, and the money can be refunded to another account', async () => {
    const paid = await references.paid()
    const before = await balance()
    const { body } = await references.refund(paid.id, { ...ana, iban: ibans.closed })
    await references.untilSent(body.id)
    await references.settle(body.id, 'returned')
    expect(await settled(body.id)).toMatchObject({ status: 'FAIL' })
    expect(await balance()).toBe(before)
    expect((await references.refund(paid.id, ana)).body).toMatchObject({ amount: -10, status: 'PENDING' })
  })

  it('happens once under one request_id', async () => {
    const paid = await references.paid()
    const asked = { ...ana, amount: 1, request_id: randomUUID() }
    const first = await references.refund(paid.id, asked)
    expect(await references.refund(paid.id, asked)).toMatchObject({ status: 200, text: first.text })
    expect(await references.refund(paid.id, { ...asked, iban: ibans.closed })).toMatchObject({
      body: { code: 10015 },
    })
    expect(await references.refundsOf(paid.id)).toHaveLength(1)
  })

  it('answers a dry run with its postings, and does nothing', async () => {
    const paid = await references.paid()
    const { status, body } = await references.refund(paid.id, { ...ana, amount: 3 }, '?dry_run=true')
    expect(status).toBe(200)
    expect(body).toMatchObject({ amount: -3, dry_run: true, calculation: { owner: '3.00' } })
    expect(body).not.toHaveProperty('refund_url')
    expect(body.postings).toEqual([
      { debit: { account: 'merchant' }, credit: { account: 'clearing:SEPA' }, amount: 3 },
    ])
    expect(await references.refundsOf(paid.id)).toEqual([])
    const wrong = await references.refund(paid.id, { ...ana, iban: 'PT50' }, '?dry_run=true')
    expect(wrong).toMatchObject({ status: 400, body: { code: 10002 } })
  })

  it('takes back from sellers in proportion, and gives it back with the return', async () => {
    const seller = world.merchant('Sub Shop A')
    const split = [{ merchant_wallet: seller.public_id, amount_fraction: '0.5' }]
    const paid = await references.paid({ split })
    const before = await balance(seller)
    const { body } = await references.refund(paid.id, { ...ana, amount: 4 })
    expect(await balance(seller)).toBe(before)
    await references.untilSent(body.id)
    await references.settle(body.id, 'paid')
    await settled(body.id)
    const taken = before - (await balance(seller))
    expect(taken).toBeGreaterThan(100)
    const returned = (await references.refund(paid.id, { ...ana, iban: ibans.closed })).body
    await references.untilSent(returned.id)
    await references.settle(returned.id, 'returned')
    expect(await settled(returned.id)).toMatchObject({ status: 'FAIL' })
    expect(await balance(seller)).toBe(before - taken)
    const owner = (await references.refund(paid.id, { ...ana, split: [] })).body
    expect(owner).toMatchObject({ amount: -6, status: 'PENDING' })
    await references.untilSent(owner.id)
    await references.settle(owner.id, 'paid')
    await settled(owner.id)
    expect(await balance(seller)).toBe(before - taken)
    await clean()
  })

  it.each<[string, Json, number, string]>([
    ['no name', { iban: ibans.paid }, 10001, 'name is required'],
    ['no IBAN', { name: 'Ana' }, 10001, 'iban is required'],
    ['a wrong check digit', { ...ana, iban: 'PT50000201231234567890155' }, 10002, 'valid IBAN'],
    [
      'an account in Brazil',
      { ...ana, iban: 'BR1800360305000010009795493C1' },
      10002,
      'SEPA country: Brazil',
    ],
    ['an account in Turkey', { ...ana, iban: 'TR330006100519786457841326' }, 10002, 'SEPA country'],
    ['a number as IBAN', { ...ana, iban: 42 }, 10002, 'valid IBAN'],
    ['a name that reverses', { ...ana, name: 'Ana \u202Ekciuq' }, 10002, 'invisible marks'],
    ['an isolated name', { ...ana, name: '\u2066Ana\u2069' }, 10002, 'invisible marks'],
    ['a name of two lines', { ...ana, name: 'Ana\nSousa' }, 10002, 'invisible marks'],
    ['a name of digits', { ...ana, name: '4176660000000027' }, 10002, 'card number'],
    ['a long name', { ...ana, name: 'A'.repeat(71) }, 10002, '70 characters'],
    ['an object as name', { ...ana, name: { first: 'Ana' } }, 10002, 'name must be'],
  ])('refuses %s', async (_, account, code, reason) => {
    const paid = await references.paid()
    const refused = await references.refund(paid.id, account)
    expect(refused.body).toMatchObject({ code, reason: expect.stringContaining(reason) })
    expect(refused.body.reason.length).toBeLessThanOrEqual(200)
    expect(await references.refundsOf(paid.id)).toEqual([])
  })

  it('is only for the wallet of the payment', async () => {
    const paid = await references.paid()
    const { body } = await references.refund(paid.id, ana)
    const other = world.merchant('Sub Shop A')
    expect((await other.post(`/api/v2/operations/${paid.id}/refund`, ana)).status).toBe(404)
    expect((await other.get(`/api/v2/operations/${body.id}/refund_account`)).status).toBe(404)
    expect((await accountOf(paid.id)).status).toBe(404)
  })
})

describe('a refund without an account', () => {
  async function asked(change: Json = {}): Promise<{ paid: Json; refund: Json }> {
    const paid = await references.paid()
    const { status, body, text } = await references.refund(paid.id, change)
    expect(status, text).toBe(200)
    return { paid, refund: body }
  }

  it('has a page that works once, and tells which account was typed', async () => {
    const { refund } = await asked({ amount: 6 })
    expect(refund).toMatchObject({
      status: 'PENDING',
      amount: -6,
      refund_url: expect.stringContaining(world.baseUrl),
    })
    expect((await accountOf(refund.id)).body).toMatchObject({
      status: 'WAITING',
      refund_url: refund.refund_url,
      expires: refund.expires,
    })
    const page = await openPage(refund.refund_url)
    expect(page.text).toContain('Demo Shop')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    const form = page.forms[0] as never
    const review = await submit(page, form, anaOnPage)
    expect(review.text).toContain('PT50 0002 0123 1234 5678 9015 4')
    expect(review.text).toContain('Ana Sousa')
    // Nothing counts before the payer confirms.
    expect((await accountOf(refund.id)).body.status).toBe('WAITING')
    const changed = await submit(review, review.forms[1] as never)
    expect(changed.html).toContain('value="Ana Sousa"')
    const done = await submit(review, review.forms[0] as never)
    expect(done.text).toContain('Refund ordered')
    expect(done.text).toContain('PT50 •••• 0154')
    expect(done.text).not.toContain('Ana Sousa')
    const thief = await submit(review, review.forms[0] as never, {
      ...{ iban: 'DE89370400440532013000', holder: 'A Thief' },
      step: 'confirm',
    })
    expect(thief.text).toContain('PT50 •••• 0154')
    expect((await accountOf(refund.id)).body).toMatchObject({ status: 'NAMED', name: 'Ana Sousa' })
    expect((await accountOf(refund.id)).body).not.toHaveProperty('refund_url')
    await references.untilSent(refund.id)
    await references.settle(refund.id, 'paid')
    await settled(refund.id)
    expect((await openPage(refund.refund_url)).text).toContain('Refund sent')
  })

  it('shows each mistake without JavaScript, and keeps what was typed', async () => {
    const { refund } = await asked()
    const page = await openPage(refund.refund_url)
    const tried = (fields: Record<string, string>) => submit(page, page.forms[0] as never, fields)
    const empty = await tried({ holder: '', iban: '', step: 'confirm' })
    expect(empty.status).toBe(422)
    expect(empty.text).toContain('Enter the name of the account holder.')
    expect(empty.text).toContain('Enter your IBAN.')
    expect((await tried({ ...anaOnPage, iban: 'PT50 0002' })).text).toContain('This IBAN is not right')
    const outside = await tried({ ...anaOnPage, iban: 'TR330006100519786457841326', step: 'confirm' })
    expect(outside.text).toContain('outside SEPA and cannot get the transfer')
    expect(outside.html).toContain('value="Ana Sousa"')
    expect((await tried({ ...anaOnPage, holder: '\u202EAna', step: 'confirm' })).status).toBe(422)
    expect((await accountOf(refund.id)).body.status).toBe('WAITING')
  })

  it('is in Portuguese by default, and escapes what was typed', async () => {
    const { refund } = await asked()
    const page = await openPage(refund.refund_url, { language: 'pt' })
    expect(page.text).toContain('Indique a conta bancária')
    const review = await submit(page, page.forms[0] as never, {
      ...{ iban: ibans.paid, holder: '<b>Ana</b> "Sousa"' },
    })
    expect(review.html).not.toContain('<b>Ana')
    expect(review.text).toContain('Confirme os dados')
  })

  it('fails when its page ends unused, and the amount is left again', async () => {
    const { paid, refund } = await asked()
    expect(await references.refund(paid.id, ana)).toMatchObject({ body: { code: 40010 } })
    const page = await openPage(refund.refund_url)
    await world.advance('P29D')
    expect((await openPage(refund.refund_url)).forms).toHaveLength(1)
    await world.advance('P2D')
    expect(await settled(refund.id)).toMatchObject({ status: 'FAIL' })
    const late = await submit(page, page.forms[0] as never, { ...anaOnPage, step: 'confirm' })
    expect(late.text).toContain('This page has ended')
    expect((await accountOf(refund.id)).body).toEqual({ operation_id: refund.id, status: 'ENDED' })
    expect((await references.refund(paid.id, ana)).body).toMatchObject({ amount: -10, status: 'PENDING' })
  })

  it('is not polled while its page is open, and the bank is asked once the payer names the account', async () => {
    const paid = await references.paid()
    const { body } = await references.refund(paid.id)
    const database = openPostgres({ url: String(world.databaseUrl) })
    const watched = async (): Promise<Json> =>
      (
        await database.run(statement<Json>('select state, tries, due_at from attempts where id = $1'), [
          body.id,
        ])
      )[0]
    const polled = await world.eventually(async () => {
      await world.advance('PT1M')
      return watched()
    })
    const ends = Date.parse(body.expires)
    expect(Math.floor(polled.due_at / 1000) * 1000).toBe(ends)
    await world.advance('P2D')
    expect(await watched()).toEqual(polled)
    await references.name(body.refund_url, anaOnPage)
    expect((await watched()).due_at).toBeLessThan(ends)
    await references.untilSent(body.id)
    await references.settle(body.id, 'paid')
    expect(await settled(body.id)).toMatchObject({ status: 'COMPLETED' })
    await world.eventually(async () => {
      await world.advance('PT10M')
      return (await watched()).due_at === null
    })
    await database.close()
  })

  it('is cancelled by the merchant: the link ends, and the amount is left again', async () => {
    const paid = await references.paid()
    const { body } = await references.refund(paid.id)
    const page = await openPage(body.refund_url)
    const path = `/api/v2/operations/${body.id}/refund_account`
    const ended = { status: 200, body: { operation_id: body.id, status: 'ENDED' } }
    expect(await shop.delete(path)).toMatchObject(ended)
    expect(await settled(body.id)).toMatchObject({ status: 'FAIL' })
    const failed = expect.objectContaining({
      operation_id: body.id,
      event: 'FAIL',
      error: 'refund_cancelled',
    })
    // The feed shows an event once no older transaction is open.
    await expect
      .poll(async () =>
        (await shop.get('/api/v2/events?limit=100')).body.events.map((event: Json) => event.body),
      )
      .toContainEqual(failed)
    expect(await shop.delete(path)).toMatchObject(ended)
    const late = await submit(page, page.forms[0] as never, { ...anaOnPage, step: 'confirm' })
    expect(late.text).toContain('The shop has cancelled this refund')
    expect((await accountOf(body.id)).body).toEqual({ operation_id: body.id, status: 'ENDED' })
    expect((await references.refund(paid.id, ana)).body).toMatchObject({ amount: -10, status: 'PENDING' })
    await clean()
  })

  it('cannot be cancelled once the account is named, by another wallet, or without an account', async () => {
    const paid = await references.paid()
    const { body } = await references.refund(paid.id, { amount: 4 })
    const path = `/api/v2/operations/${body.id}/refund_account`
    expect((await world.merchant('Sub Shop A').delete(path)).status).toBe(404)
    expect((await shop.delete(`/api/v2/operations/${paid.id}/refund_account`)).status).toBe(404)
    await references.name(body.refund_url, anaOnPage)
    const named = await shop.delete(path)
    expect(named.body).toMatchObject({ code: 10013, reason: expect.stringContaining('is named') })
    const byMerchant = (await references.refund(paid.id, { ...ana, amount: 1 })).body
    expect((await shop.delete(`/api/v2/operations/${byMerchant.id}/refund_account`)).body.code).toBe(10013)
    expect((await accountOf(body.id)).body.status).toBe('NAMED')
  })

  it('refuses a link that was not signed for it, and forms of other sites', async () => {
    const { refund } = await asked()
    const { refund: other } = await asked()
    const token = refund.refund_url.split('/').at(-1)
    for (const wrong of [
      `${world.baseUrl}/refund/${other.id}/${token}`,
      `${world.baseUrl}/refund/${randomUUID()}/${token}`,
      `${refund.refund_url.slice(0, -2)}AA`,
      `${world.baseUrl}/refund/x/y`,
    ])
      expect((await world.request(wrong)).status).toBe(404)
    const forged = await world.request(refund.refund_url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://thief.example',
        'sec-fetch-site': 'cross-site',
      },
      body: new URLSearchParams({ ...anaOnPage, step: 'confirm' }),
      redirect: 'manual',
    })
    expect(forged.status).toBe(303)
    expect((await accountOf(refund.id)).body.status).toBe('WAITING')
  })

  it('keeps its link under one request_id, and hides it in the log of requests', async () => {
    const paid = await references.paid()
    const body = { request_id: randomUUID() }
    const first = await references.refund(paid.id, body)
    expect((await references.refund(paid.id, body)).text).toBe(first.text)
    const token = String(first.body.refund_url.split('/').at(-1))
    const database = openPostgres({ url: String(world.databaseUrl) })
    const answers = await database.run(
      statement<{ answer: string }>('select answer from requests where request_id = $1'),
      [body.request_id],
    )
    await database.close()
    expect(answers).toHaveLength(1)
    expect(answers[0]?.answer).toContain(`/refund/${first.body.id}/`)
    expect(answers[0]?.answer).not.toContain(token)
    const log = await world.eventually(async () => {
      const { text } = await shop.get('/api/v2/request_log?limit=30')
      return text.includes(`${paid.id}/refund`) && text
    })
    expect(log).not.toContain(token)
  })

  it('is mailed to the customer if the kind is on', async () => {
    await shop.get('/api/v2/mails/kinds')
    const headers = { authorization: `Comporta ${shop.api_key}`, 'content-type': 'application/json' }
    const body = '{"enabled":true}'
    await world.request('/api/v2/mails/kinds/refund_page', { method: 'PUT', headers, body })
    const email = `ana.${randomUUID()}@example.com`
    const paid = await references.paid({ client: { name: 'Ana', email } })
    const refund = (await references.refund(paid.id, { amount: 2 })).body
    const mail: Json = await world.eventually(async () => {
      const { elements } = (await world.request(`/sandbox/api/mail?to=${encodeURIComponent(email)}`)).body
      return elements[0]
    })
    expect(mail.text).toContain(refund.refund_url)
    expect(mail.subject).toContain('2,00')
    // The database keeps no link in clear.
    const { text } = await shop.get(`/api/v2/mails?subject_id=${refund.id}`)
    expect(text).not.toContain('/refund/')
    expect(text).toContain('"kind":"refund_page"')
  })
})

describe('the setting', () => {
  it('is read by the team and changed by the operator', async () => {
    const path = `/wallets/${shop.wallet_id}/settings`
    const person = await signIn(world, 'owner@demo.example')
    await person.send('PATCH', path, { mb_refunds: false })
    expect((await person.send('GET', path)).body).toMatchObject({ mb_refunds: true })
    const operator = await signIn(world, 'operator@demo.example')
    const merchant = `/operator/merchants/${shop.wallet_id}`
    const changed = await operator.send('PATCH', merchant, { mb_refunds: false })
    expect(changed).toMatchObject({ status: 200, body: { mb_refunds: false } })
    expect((await person.send('GET', path)).body).toMatchObject({ mb_refunds: false })
  })
})

describe('a suspended merchant', () => {
  const suspend = (word: 'on' | 'off') => world.cli('merchant', 'set', shop.public_id, '--suspended', word)
  afterEach(() => suspend('off'))

  it('sends no refund to an account, and no payer can name one', async () => {
    const paid = await references.paid()
    const waiting = (await references.refund(paid.id, { amount: 2 })).body
    const page = await openPage(waiting.refund_url)
    const review = await submit(page, page.forms[0] as never, anaOnPage)
    await suspend('on')
    const refused = await references.refund(paid.id, { ...ana, amount: 1 })
    expect(refused).toMatchObject({
      status: 403,
      body: { reason: expect.stringContaining('suspended the merchant') },
    })
    expect((await references.refund(paid.id, { amount: 1 })).status).toBe(403)
    const paused = await submit(review, review.forms[0] as never)
    expect(paused.text).toContain('This refund is on hold')
    expect((await accountOf(waiting.id)).body.status).toBe('WAITING')
    await suspend('off')
    expect((await submit(review, review.forms[0] as never)).text).toContain('Refund ordered')
  })
})

describe('money on its way out', () => {
  const left = async () => Math.round((await shop.get('/api/v2/balance')).body.available * 100)
  const setLimit = (limit: string) =>
    world.cli('merchant', 'set', shop.public_id, '--payout-day-limit', limit)
  afterEach(() => setLimit('none'))

  it('leaves less to pay out while the refund is PENDING', async () => {
    const paid = await references.paid()
    const [before, available] = [await balance(), await left()]
    expect(available).toBeGreaterThanOrEqual(1000)
    expect((await references.refund(paid.id, ana)).status).toBe(200)
    expect([await balance(), await left()]).toEqual([before, available - 1000])
    await world.cli('merchant', 'set', shop.public_id, '--iban', ibans.paid)
    const payout = await shop.post('/api/v2/payouts', { amount: available / 100 })
    expect(payout).toMatchObject({ body: { code: 40015 } })
  })

  it('counts against the limit of payouts a day', async () => {
    const paid = await references.paid()
    await world.advance('P1D')
    await setLimit('6')
    expect((await references.refund(paid.id, { ...ana, amount: 4 })).status).toBe(200)
    const beyond = await references.refund(paid.id, { ...ana, amount: 2.01 })
    expect(beyond.body).toMatchObject({ code: 20011, reason: expect.stringContaining('at most 2.00') })
    expect(await references.refundsOf(paid.id)).toHaveLength(1)
    expect((await references.refund(paid.id, { amount: 2 })).status).toBe(200)
  })

  it('shows in a dry run that the limit of payouts is reached', async () => {
    const paid = await references.paid()
    await world.advance('P1D')
    await setLimit('6')
    const beyond = { ...ana, amount: 6.01 }
    const [tried, done] = [
      await references.refund(paid.id, beyond, '?dry_run=true'),
      await references.refund(paid.id, beyond),
    ]
    expect(done.body).toMatchObject({ code: 20011, reason: expect.stringContaining('at most 6.00') })
    expect([tried.status, tried.body.code, tried.body.reason]).toEqual([
      done.status,
      done.body.code,
      done.body.reason,
    ])
    expect((await references.refund(paid.id, { ...ana, amount: 6 }, '?dry_run=true')).status).toBe(200)
  })

  it('leaves less to pay out of the sellers of a split payment, until the refund ends', async () => {
    const seller = world.merchant('Sub Shop A')
    await world.cli('merchant', 'set', seller.public_id, '--iban', ibans.paid)
    const funds = async (merchant: Merchant) => {
      const { body } = await merchant.get('/api/v2/balance')
      return [body.balance, body.pending_payouts, body.available].map((euros) => Math.round(euros * 100))
    }
    const split = [{ merchant_wallet: seller.public_id, amount_fraction: '0.5' }]
    const paid = await references.paid({ split })
    const [before, own] = [await funds(seller), await funds(shop)]
    const { body } = await references.refund(paid.id, { amount: 4 })
    const [held = 0, pending = 0, available = 0] = await funds(seller)
    const part = pending - (before[1] ?? 0)
    expect(part).toBeGreaterThan(100)
    expect([held, available]).toEqual([before[0], (before[2] ?? 0) - part])
    expect((await funds(shop))[1]).toBe((own[1] ?? 0) + 400 - part)
    const { json } = await world.cli('key', 'create', String(seller.wallet_id), '--permissions', 'payouts')
    const payOut = (amount: number) =>
      world.request('/api/v2/payouts', {
        method: 'POST',
        headers: { authorization: `Comporta ${json.api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ amount: amount / 100 }),
      })
    expect((await payOut(available + 1)).body).toMatchObject({ code: 40015 })
    await shop.delete(`/api/v2/operations/${body.id}/refund_account`)
    await settled(body.id)
    expect(await funds(seller)).toEqual(before)
    expect((await payOut(available + 1)).status).toBe(200)
  })
})

describe('in the backoffice', () => {
  it('a transfer that came back does not count against what needs no confirmation', async () => {
    const paid = await references.paid({ amount: 300 })
    const person = await signIn(world, 'owner@demo.example')
    const database = openPostgres({ url: String(world.databaseUrl) })
    const cameBack = (cents: number) =>
      database.run(statement('update operations set came_back = $2 where id = $1'), [paid.id, cents])
    const old = "update backoffice.sessions set confirmed_at = now() - interval '1 hour'"
    await database.run(statement(old), [])
    await cameBack(30_000)
    const path = `/wallets/${shop.wallet_id}/operations/${paid.id}/refund`
    const refund = await person.send('POST', path, ana)
    await cameBack(0)
    await database.close()
    expect(refund).toMatchObject({ status: 200, body: { amount: -300 } })
  })

  it('a person refunds to an account, which is in the log of actions', async () => {
    const person = await signIn(world, 'owner@demo.example')
    const paid = await references.paid()
    const path = `/wallets/${shop.wallet_id}`
    const made = await person.send('POST', `${path}/operations/${paid.id}/refund`, ana)
    expect(made).toMatchObject({ status: 200, body: { status: 'PENDING' } })
    const log = await world.eventually(async () => {
      const { text } = await person.send('GET', `${path}/actions`)
      return text.includes('•••• 0154') && text
    })
    expect(log).not.toContain(ibans.paid)
  })
})
