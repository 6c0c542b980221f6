// Balances: payments (WALLET), top-ups (BANK), payouts (WALLETFUNDS).
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ibans, type Money, moneyOf } from '../money.ts'
import { cards, type Json, startWorld, type World } from '../world.ts'

let world: World
let money: Money

beforeAll(async () => {
  world = await startWorld()
  money = moneyOf(world)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const payAs = (checkout: Json, email: string, pin: string) => money.pay(checkout, 'wallet', { email, pin })
const inThirtyDays = () => new Date(Date.now() + 30 * 86_400_000).toISOString()
const transfer = (body: Record<string, unknown>) => money.sandbox('bank/transfer', body)
const payout = (amount: string, wallet = String(world.shop.wallet_id), ...more: string[]) =>
  world.cli('payout', '--wallet', wallet, '--amount', amount, ...more)

describe('a checkout by WALLET', () => {
  it('is paid at once from the balance with the right PIN', async () => {
    const { email, pin } = await money.consumer(25)
    const checkout = await world.createCheckout()
    expect((await payAs(checkout, email, pin)).text).toContain('Payment made')
    expect(await world.operation(checkout.payment.id)).toMatchObject({
      status: 'COMPLETED',
      method: 'WALLET',
      fee: -0.05,
      amount_net: 9.95,
      refundable: true,
      client: { email },
    })
    expect(await money.balanceOf(email)).toBe(15)
    expect(await money.callbackOf(checkout.payment.id, 'COMPLETED')).toMatchObject({ method: 'WALLET' })
  })

  it('takes the last cent and not one more, and stays open for another method', async () => {
    const { email, pin } = await money.consumer(15)
    await payAs(await world.createCheckout({ payment: { amount: 15, currency: 'EUR' } }), email, pin)
    expect(await money.balanceOf(email)).toBe(0)
    const next = await world.createCheckout({ payment: { amount: 0.01, currency: 'EUR' } })
    const page = await payAs(next, email, pin)
    expect(page.status).toBe(422)
    expect(page.text).toContain('The balance is too small')
    expect(await world.operation(next.payment.id)).toMatchObject({ status: 'PENDING', method: 'WALLET' })
    expect((await world.payOnPage(next, cards.frictionless)).text).toContain('Payment made')
    expect(await money.balanceOf(email)).toBe(0)
  })

  it('is locked by three wrong PINs, also for the right one, until a day has passed', async () => {
    const { email, pin } = await money.consumer(50)
    const checkout = await world.createCheckout({ expires: inThirtyDays() })
    for (const wrong of ['8642', '9753']) {
      const page = await payAs(checkout, email, wrong)
      expect(page.text).toContain('The e-mail or the PIN is wrong')
      expect(page.html).toContain(`value="${email}"`)
      expect(page.html).not.toContain(wrong)
    }
    expect((await payAs(checkout, email, '1234')).text).toContain('The wallet is locked')
    expect((await payAs(checkout, email, pin)).text).toContain('The wallet is locked')
    const { body } = await world.request(`/sandbox/api/consumers/${email}`)
    expect(Date.parse(body.locked_until)).toBeGreaterThan(Date.now())
    await world.advance('PT23H')
    expect((await payAs(checkout, email, pin)).text).toContain('The wallet is locked')
    await world.advance('PT1H1M')
    expect((await payAs(checkout, email, pin)).text).toContain('Payment made')
    expect(await money.balanceOf(email)).toBe(40)
  })

  it('answers an unknown e-mail like a known one, including the lock after three tries', async () => {
    const { email } = await money.consumer(50)
    const checkout = await world.createCheckout()
    const words = async (address: string) => {
      const page = await payAs(checkout, address, '1234')
      return [page.status, page.text.replaceAll(address, '')]
    }
    for (let count = 1; count <= 4; count++) {
      const unknown = await words('nobody-at-all@example.com')
      expect(unknown).toEqual(await words(email))
      expect(unknown[1]).toContain(count < 3 ? 'The e-mail or the PIN is wrong' : 'The wallet is locked')
    }
  })

  it('answers an unknown e-mail in the same words as a wrong PIN', async () => {
    const checkout = await world.createCheckout()
    expect((await payAs(checkout, 'nobody@demo.example', '0471')).text).toContain(
      'The e-mail or the PIN is wrong',
    )
  })

  it.each([
    [{ email: '', pin: '0471' }, 'Enter your e-mail address.'],
    [{ email: 'ana', pin: '0471' }, 'Enter a complete e-mail address'],
    [{ email: 'ana@demo.example', pin: '' }, 'Enter your PIN.'],
    [{ email: 'ana@demo.example', pin: '12' }, 'The PIN has 4 to 8 digits.'],
  ])('with %j shows the error, and counts no try', async ({ email, pin }, expected) => {
    const checkout = await world.createCheckout()
    const page = await payAs(checkout, email, pin)
    expect(page.status).toBe(422)
    expect(page.text).toContain(expected)
    expect(await world.operation(checkout.payment.id)).toMatchObject({ status: 'NEW' })
  })
})

describe('a bank transfer', () => {
  it('tops up the consumer whom its text names', async () => {
    const { email, bank_reference } = await money.consumer(1)
    const { status, body } = await transfer({ reference_text: `Carregar ${bank_reference}`, amount: '20.50' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ accepted: true, assigned: true, amount: 20.5 })
    expect(await money.balanceOf(email)).toBe(21.5)
  })

  it('tops up the merchant in its text, with a callback', async () => {
    const { balance, bank_reference } = await money.funds()
    const { body } = await transfer({ reference_text: bank_reference, amount: 100, iban: ibans.paid })
    expect(await world.operation(body.operation_id)).toMatchObject({
      type: 'PAYMENT',
      method: 'BANK',
      status: 'COMPLETED',
      amount: 100,
      fee: 0,
      channel: 'BANK',
      refundable: false,
    })
    expect(await money.callbackOf(body.operation_id, 'COMPLETED')).toMatchObject({ method: 'BANK' })
    expect(Number((await money.funds()).balance)).toBe(Number(balance) + 100)
    const { merchants } = (await world.cli('merchant', 'list')).json
    expect(merchants[0].bank_reference).toBe(bank_reference)
  })

  it('without a wallet in its text is kept until an operator assigns it, once', async () => {
    const { email, wallet_id } = await money.consumer(0)
    const { body } = await transfer({ reference_text: 'Obrigada!', amount: 7 })
    expect(body).toMatchObject({
      accepted: true,
      assigned: false,
      reason: expect.stringContaining('no wallet'),
    })
    const { transfers } = (await world.cli('bank', 'transfers', '--unassigned')).json
    expect(transfers).toContainEqual(
      expect.objectContaining({ transfer_id: body.transfer_id, wallet_id: null }),
    )
    const assigned = await world.cli('bank', 'assign', body.transfer_id, '--wallet', String(wallet_id))
    expect(assigned).toMatchObject({ code: 0, json: { wallet_id } })
    expect(await money.balanceOf(email)).toBe(7)
    const again = await world.cli('bank', 'assign', body.transfer_id, '--wallet', String(wallet_id))
    expect(again).toMatchObject({ code: 1, json: { error: { kind: 'illegal_state' } } })
    expect(await money.balanceOf(email)).toBe(7)
  })

  it('for a merchant without the method BANK is kept', async () => {
    const plain = (await world.cli('balance', String(world.merchant('Plain Shop').wallet_id))).json
    const { body } = await transfer({ reference_text: plain.bank_reference, amount: 7 })
    expect(body).toMatchObject({ assigned: false, reason: expect.stringContaining('BANK') })
  })

  it.each([
    [{ amount: 1 }, 10001, 'reference_text'],
    [{ reference_text: 5, amount: 1 }, 10002, 'reference_text'],
    [{ reference_text: 'x' }, 10001, 'amount'],
    [{ reference_text: 'x', amount: 'ten' }, 10002, 'amount'],
    [{ reference_text: 'x', amount: 1.005 }, 10002, 'amount'],
    [{ reference_text: 'x', amount: 0 }, 40009, 'amount'],
    [{ reference_text: 'x', amount: -1 }, 40009, 'amount'],
    [{ reference_text: 'x', amount: 1e9 }, 40012, 'amount'],
    [{ reference_text: 'x', amount: 1, iban: 'PT1' }, 10002, 'iban'],
  ])('as %j is refused', async (body, code, field) => {
    const answer = await transfer(body)
    expect(answer.body).toMatchObject({ code, reason: expect.stringContaining(field) })
  })
})

describe('a payout', () => {
  const iban = 'PT50000201230000000004094'

  beforeAll(async () => {
    const { bank_reference } = await money.funds()
    await transfer({ reference_text: bank_reference, amount: 500 })
  })

  it('needs an IBAN, and a known merchant', async () => {
    expect(await payout('1')).toMatchObject({ code: 1, json: { error: { kind: 'illegal_state' } } })
    expect((await payout('1', '99')).code).toBe(2)
    expect((await payout('0')).code).toBe(2)
    expect((await payout('1.005')).code).toBe(2)
    await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', iban)
  })

  it('is PENDING, negative and reserved until the bank has paid it', async () => {
    const before = Number((await money.funds()).balance)
    const { json } = await payout('200.00')
    expect(json).toMatchObject({ status: 'PENDING', amount: '-200.00', iban, on_its_way: '200.00' })
    expect(await world.operation(json.operation_id)).toMatchObject({
      type: 'WALLETFUNDS',
      method: 'SEPA',
      status: 'PENDING',
      amount: -200,
      amount_net: -200,
      fee: 0,
      refundable: false,
    })
    const tooMuch = await payout((before - 199.99).toFixed(2))
    expect(tooMuch).toMatchObject({ code: 1, json: { error: { kind: 'amount_exceeds_remaining' } } })
    await world.advance('P6D')
    expect(await world.operation(json.operation_id)).toMatchObject({ status: 'COMPLETED' })
    expect(await money.funds()).toMatchObject({ balance: (before - 200).toFixed(2), on_its_way: '0.00' })
  })

  it('ordered again under its request id is the first one, also after a crash', async () => {
    const { on_its_way } = await money.funds()
    const id: string = randomUUID()
    const order = (amount: string, requestId = id) => payout(amount, undefined, '--request-id', requestId)
    const { json: first } = await order('12')
    expect(first).toMatchObject({ amount: '-12.00', request_id: id, repeated: false })
    await world.kill()
    await world.restart()
    expect((await order('12.00', id.toUpperCase())).json).toMatchObject({
      operation_id: first.operation_id,
      repeated: true,
    })
    expect(await order('12.01')).toMatchObject({ code: 1, json: { error: { kind: 'request_id_reused' } } })
    expect((await order('12', 'twice')).code).toBe(2)
    expect((await money.funds()).on_its_way).toBe((Number(on_its_way) + 12).toFixed(2))
    expect((await world.shop.get(`/api/v2/requests/${id}`)).body).toMatchObject({
      status: 'PENDING',
      href: `${world.baseUrl}/api/v2/operations/${first.operation_id}`,
    })
    await money.sandbox(`sepa/${first.operation_id}/settle`, { outcome: 'paid' })
  })

  it('that the bank returns failed, and its money is there again', async () => {
    const { balance } = await money.funds()
    const { json } = await payout('50')
    expect((await money.sandbox(`sepa/${json.operation_id}/settle`, { outcome: 'returned' })).status).toBe(
      200,
    )
    expect(await world.operation(json.operation_id)).toMatchObject({ status: 'FAIL' })
    expect(await money.funds()).toMatchObject({ balance, on_its_way: '0.00' })
  })

  it('paid by hand is completed, and cannot be returned any more', async () => {
    const { json } = await payout('50')
    await money.sandbox(`sepa/${json.operation_id}/settle`, { outcome: 'paid' })
    expect(await world.operation(json.operation_id)).toMatchObject({ status: 'COMPLETED' })
    const returned = await money.sandbox(`sepa/${json.operation_id}/settle`, { outcome: 'returned' })
    expect(returned.body).toMatchObject({ code: 10013 })
  })
})

describe('the files for the bank', () => {
  it('carry each debit and payout once, with sums that are right', async () => {
    const debits: string[] = []
    for (let count = 0; count < 3; count++) {
      const checkout = await world.createCheckout({ payment: { amount: 10 + count, currency: 'EUR' } })
      await money.payByDebit(checkout)
      debits.push(checkout.payment.id)
    }
    const first = (await world.cli('bank', 'files')).json.files
    expect(first.map(({ kind }: Json) => kind).sort()).toEqual(['collection', 'transfer'])
    expect((await world.cli('bank', 'files')).json.files).toEqual([])
    const collection = first.find(({ kind }: Json) => kind === 'collection')
    expect(collection).toMatchObject({ orders: 3, total: '33.00' })

    const folder = join(world.dataDir, 'bank')
    const names = await readdir(folder)
    expect(names.sort()).toEqual(first.map(({ name }: Json) => name).sort())
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    const { body } = await world.shop.get('/api/v2/operations?type=WALLETFUNDS&limit=30')
    const payouts = body.elements.map(({ id }: Json) => id)
    for (const id of [...debits, ...payouts]) {
      const mark = `<EndToEndId>${id.replaceAll('-', '')}</EndToEndId>`
      expect(texts.map((text) => text.split(mark).length - 1).reduce((sum, count) => sum + count, 0)).toBe(1)
    }
    expect(texts.join()).toContain('<NbOfTxs>3</NbOfTxs><CtrlSum>33.00</CtrlSum>')
  })
})

describe('consumers of the sandbox', () => {
  it.each([
    [{ pin: '0471' }, 10001, 'email'],
    [{ email: 'x', pin: '0471' }, 10002, 'email'],
    [{ email: 'a@b.pt' }, 10001, 'pin'],
    [{ email: 'a@b.pt', pin: 471 }, 10002, 'pin'],
    [{ email: 'a@b.pt', pin: '12' }, 10002, 'pin'],
    [{ email: 'a@b.pt', pin: '0471', phone: '12' }, 10002, 'phone'],
    [{ email: 'a@b.pt', pin: '0471', balance: -1 }, 10002, 'balance'],
    [{ email: 'ana@demo.example', pin: '0471' }, 10002, 'email'],
  ])('are not made of %j', async (body, code, field) => {
    expect((await money.sandbox('consumers', body)).body).toMatchObject({
      code,
      reason: expect.stringContaining(field),
    })
  })

  it('are unknown when they are', async () => {
    expect(await world.request('/sandbox/api/consumers/x@y.pt')).toMatchObject({
      status: 404,
      body: { code: 10004 },
    })
  })
})

describe('a refund', () => {
  const refund = (id: string, body: Json = {}) => world.shop.post(`/api/v2/operations/${id}/refund`, body)

  it('of a payment by WALLET is on the balance again at once', async () => {
    const { email, pin } = await money.consumer(30)
    const { payment } = await world.createCheckout().then(async (checkout) => {
      await payAs(checkout, email, pin)
      return checkout
    })
    const part = await refund(payment.id, { type: 'partial', amount: 4 })
    expect(part).toMatchObject({ status: 200, body: { status: 'COMPLETED', amount: -4, method: 'WALLET' } })
    expect(await money.balanceOf(email)).toBe(24)
    expect((await refund(payment.id)).body).toMatchObject({ status: 'COMPLETED', amount: -6 })
    expect(await money.balanceOf(email)).toBe(30)
    expect((await refund(payment.id)).body).toMatchObject({ code: 40010 })
  })

  it('of a payment by SEPA goes to the account it came from, and into the next file', async () => {
    const checkout = await world.createCheckout()
    await money.payByDebit(checkout)
    await money.sandbox(`sepa/${checkout.payment.id}/settle`, { outcome: 'paid' })
    const { body } = await refund(checkout.payment.id, { type: 'partial', amount: 3 })
    expect(body).toMatchObject({ status: 'COMPLETED', amount: -3, method: 'SEPA' })
    const { files } = (await world.cli('bank', 'files')).json
    const transfers = files.find(({ kind }: Json) => kind === 'transfer')
    expect(await readFile(transfers.path, 'utf8')).toContain(body.id.replaceAll('-', ''))
    await money.sandbox(`sepa/${checkout.payment.id}/settle`, { outcome: 'returned' })
    expect(await world.operation(checkout.payment.id)).toMatchObject({ refundable: false })
  })

  it('of a payment by PAYPAL goes back to the online wallet', async () => {
    const checkout = await world.createCheckout()
    await money.pay(checkout, 'paypal')
    await money.sandbox(`online-wallet/${checkout.payment.id}/approve`)
    expect((await refund(checkout.payment.id)).body).toMatchObject({
      status: 'COMPLETED',
      amount: -10,
      method: 'PAYPAL',
    })
    expect((await refund(checkout.payment.id)).body).toMatchObject({ code: 40010 })
  })
})

describe('a card number is not kept', () => {
  const written = '4176\u20136600\u20130000\u20130027'

  it('in requests to the sandbox', async () => {
    const paths: [string, Json, string][] = [
      ['bank/transfer', { reference_text: `Paid by ${written}`, amount: 7 }, 'reference_text'],
      ['consumers', { email: 'ana.4176_6600_0000_0027@mail.pt', pin: '0471' }, 'email'],
      [
        `merchants/${world.shop.wallet_id}/callback-url`,
        { callback_url: 'https://shop.example/?card=4176%206600%200000%200027' },
        'callback_url',
      ],
    ]
    for (const [path, body, field] of paths) {
      expect(await money.sandbox(path, body)).toMatchObject({
        status: 400,
        body: { code: 10002, reason: `${field} must not hold a card number` },
      })
    }
    const { transfers } = (await world.cli('bank', 'transfers')).json
    expect(JSON.stringify(transfers)).not.toContain(written)
  })

  it('in settings of an operator', async () => {
    const wallet = String(world.shop.wallet_id)
    for (const [option, text] of [
      ['--name', `Shop ${written}`],
      ['--callback-url', 'https://shop.example/4176/6600/0000/0027'],
      ['--store', '4 1 7 6 6 6 0 0 0 0 0 0 0 0 2 7'],
    ] as const) {
      const refused = await world.cli('merchant', 'set', wallet, option, text)
      expect(refused).toMatchObject({
        code: 2,
        json: { error: { reason: `${option} must not hold a card number` } },
      })
    }
    const { merchants } = (await world.cli('merchant', 'list')).json
    expect(merchants[0]).toMatchObject({ name: world.shop.name })
  })
})
