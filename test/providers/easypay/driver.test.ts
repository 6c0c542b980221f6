// The Easypay driver in cases that the documents do not decide: lost answers, contradictions, spellings.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { easypay } from '../../../drivers/easypay/index.ts'
import { centsOf, phoneOf, stateFor, timeOf } from '../../../drivers/easypay/rules.ts'
import { cents } from '../../../src/kernel/money.ts'
import { after, day, hour, minute } from '../../../src/kernel/time.ts'
import type { GatewayRails, ProviderReferences, WalletPaymentRequest } from '../../../src/rails/index.ts'
import { startEasypay } from './contract.ts'
import { phone } from './fake.ts'

let tested: Awaited<ReturnType<typeof startEasypay>>
let rails: GatewayRails
beforeAll(async () => {
  tested = await startEasypay()
  rails = await tested.open()
})
afterEach(() => {
  Object.assign(tested.fake, { spelling: 'new', endsUnanswered: true, decidesLater: false })
})
afterAll(() => tested?.close())

const merchant = { id: 1001n, name: 'Loja' }
const asked = (change: Partial<WalletPaymentRequest> = {}): WalletPaymentRequest => ({
  ...{ key: randomUUID(), merchant, phone, amount: cents(1234), currency: 'EUR', intent: 'sale' },
  ...{ expires: after(tested.now(), 4 * minute), ...change },
})
const posts = () => tested.fake.provider.calls.filter((call) => call === 'POST /single').length
const references = () => rails.referenceNetworks.serving(merchant.id) as ProviderReferences

async function paid(): Promise<string> {
  const request = asked()
  await rails.mobileWallet.requestPayment(request)
  expect(tested.fake.approve(request.key)).toBe(true)
  return request.key
}

it('looks for a payment after a 500, and does not repeat it', async () => {
  const { fake } = tested
  const [made, never] = [asked(), asked()]
  fake.failsNext = 'after'
  await expect(rails.mobileWallet.requestPayment(made)).rejects.toThrow('Easypay answered 500')
  expect(await (await tested.open()).mobileWallet.requestPayment(made)).toEqual({ kind: 'waiting' })
  expect(fake.made(made.key)).toBe(1)
  fake.failsNext = 'before'
  await expect(rails.mobileWallet.requestPayment(never)).rejects.toThrow('Easypay answered 500')
  const before = posts()
  expect(await rails.mobileWallet.inquirePayment(never.key)).toEqual({ kind: 'not_found' })
  expect(await rails.mobileWallet.requestPayment(never)).toMatchObject({ kind: 'unknown' })
  expect([posts(), fake.made(never.key)]).toEqual([before, 0])
})

it('repeats a lost request within a day only', async () => {
  const { fake } = tested
  const [soon, late] = [asked(), asked({ expires: after(tested.now(), 2 * day) })]
  fake.provider.interrupt(1, 'before')
  await expect(rails.mobileWallet.requestPayment(soon)).rejects.toThrow()
  expect(await rails.mobileWallet.requestPayment(soon)).toEqual({ kind: 'waiting' })
  fake.provider.interrupt(1, 'before')
  await expect(rails.mobileWallet.requestPayment(late)).rejects.toThrow()
  tested.pass(day)
  expect(await rails.mobileWallet.requestPayment(late)).toMatchObject({ kind: 'unknown' })
  expect(fake.made(late.key)).toBe(0)
})

it('asks once under one key from two processes', async () => {
  const other = await tested.open()
  const request = asked()
  tested.fake.provider.delay(20)
  await Promise.allSettled(
    [rails, other, rails, other].map((one) => one.mobileWallet.requestPayment(request)),
  )
  tested.fake.provider.delay(0)
  expect(await other.mobileWallet.requestPayment(request)).toEqual({ kind: 'waiting' })
  expect(tested.fake.made(request.key)).toBe(1)
})

it('is unknown while Easypay contradicts itself, or shows another amount', async () => {
  const { fake } = tested
  for (const lies of [fake.lies, fake.wrongAmounts]) {
    const key = await paid()
    lies.add(key)
    expect(await rails.mobileWallet.inquirePayment(key)).toMatchObject({ kind: 'unknown' })
    lies.delete(key)
    expect(await rails.mobileWallet.inquirePayment(key)).toMatchObject({ kind: 'approved' })
  }
})

it('reads amounts as text, moved statuses, local times and wrong content types', async () => {
  const { fake } = tested
  fake.spelling = 'old'
  const key = await paid()
  expect(await rails.mobileWallet.inquirePayment(key)).toMatchObject({ kind: 'approved' })
  const refund = { key: randomUUID(), payment: key, amount: cents(34) }
  expect(await rails.mobileWallet.refund(refund)).toMatchObject({ kind: 'approved' })
  const reference = {
    ...{ key: randomUUID(), merchant, amountMin: cents(500), amountMax: cents(900), payableOnce: false },
    expires: after(tested.now(), 3 * day),
  }
  const named = await references().create(reference)
  // The simulated Easypay sends the reference as a number, which has no leading zeros.
  if (named.kind !== 'named') throw new Error(`it answered ${named.kind}`)
  expect(named.ref).toMatch(/^0{5}\d{4}$/)
  const at = tested.now()
  expect(fake.payReference(named, 777n)).toBe(true)
  const [payment] = await references().paymentsOf([reference.key])
  expect(payment).toMatchObject({ amount: 777n, key: reference.key })
  expect(Math.abs(Number(payment?.paidAt) - at)).toBeLessThan(hour / 2)
})

it('reverses nothing and loses nothing if a request cannot be withdrawn', async () => {
  const { fake } = tested
  fake.endsUnanswered = false
  const request = asked()
  await rails.mobileWallet.requestPayment(request)
  const late = { kind: 'declined', decline: 'withdrawn', mayArrive: true }
  expect(await rails.mobileWallet.withdrawPayment(request.key)).toEqual(late)
  expect(fake.approve(request.key)).toBe(true)
  expect(await rails.mobileWallet.inquirePayment(request.key)).toMatchObject({ kind: 'approved' })
  const reversal = { key: randomUUID(), original: request.key }
  expect(await rails.mobileWallet.reverse(reversal)).toMatchObject({ kind: 'approved' })
  expect(fake.movements(reversal.key)).toEqual([-1234n])
})

it.each([
  ['success', 'approved'],
  ['failed', 'declined'],
] as const)('waits for a refund that ends as %s', async (status, kind) => {
  const { fake } = tested
  const of = randomUUID()
  const amount = { amountMin: cents(1000), amountMax: cents(1000) }
  const named = await references().create({ key: of, merchant, ...amount, payableOnce: true })
  if (named.kind !== 'named') throw new Error(`it answered ${named.kind}`)
  fake.payReference(named, 1000n)
  const [{ id: paymentId } = { id: '' }] = await references().paymentsOf([of])
  fake.decidesLater = true
  const to = { iban: 'PT50000201231234567890154', holder: 'Ana Sousa' }
  const refund = { key: randomUUID(), of, paymentId, amount: cents(400), to }
  expect(await references().refundPayment?.(refund)).toEqual({ kind: 'waiting' })
  fake.endRefund(refund.key, status)
  expect(await references().refundPayment?.(refund)).toMatchObject({ kind })
})

it('refunds a capture only, and only of its own payment', async () => {
  const hold = asked({ intent: 'hold' })
  await rails.mobileWallet.requestPayment(hold)
  tested.fake.approve(hold.key)
  const move = (verb: 'capture' | 'refund', payment: string, amount: number) => {
    const key = randomUUID()
    return { key, answer: rails.mobileWallet[verb]({ key, payment, amount: cents(amount) }) }
  }
  const [first, second] = [move('capture', hold.key, 500), move('capture', hold.key, 700)]
  expect([await first.answer, await second.answer]).toMatchObject([
    { kind: 'approved' },
    { kind: 'approved' },
  ])
  expect((await move('refund', first.key, 501).answer).kind).toBe('declined')
  expect((await move('refund', second.key, 700).answer).kind).toBe('approved')
  expect(await rails.mobileWallet.inquireHold?.(hold.key)).toEqual({ kind: 'held' })
  expect((await move('capture', hold.key, 34).answer).kind).toBe('approved')
  expect(await rails.mobileWallet.inquireHold?.(hold.key)).toEqual({ kind: 'ended' })
})

it('uses Easypay’s test system with --test', () => {
  const test = { api_base: 'https://api.test.easypay.pt/2.0' }
  expect(easypay.connects?.test).toEqual(test)
  const [{ check } = { check: undefined }] = easypay.settings
  expect(check?.(test.api_base)).toBeUndefined()
  expect(check?.(`${test.api_base}/`)).toContain('final slash')
})

describe('the words of Easypay', () => {
  const body = { value: 10, currency: 'EUR' }
  it.each([
    [{ payment_status: 'paid' }, 'paid'],
    [{ method: { status: 'success' } }, 'paid'],
    [{ status: 'success', method: { status: 'pending' } }, 'open'],
    [{ payment_status: 'paid', method: { status: 'active' } }, 'paid'],
    [{ payment_status: 'authorised' }, 'held'],
    [{ payment_status: 'paid', method: { status: 'failed' } }, 'unclear'],
    [{ payment_status: 'paid', captures: [{ id: 'c', status: 'pending', value: 10 }] }, 'unclear'],
    [{ payment_status: 'pending', captures: [{ id: 'c', status: 'success', value: '10.00' }] }, 'paid'],
    [{ payment_status: 'paid', value: '10,00' }, 'paid'],
    [{ payment_status: 'paid', value: 10.01 }, 'unclear'],
    [{ payment_status: 'paid', currency: 'BRL' }, 'unclear'],
    [{ payment_status: 'failed', value: 1 }, 'failed'],
    [{ payment_status: 'deleted', method: { status: 'failed' } }, 'failed'],
    [{ payment_status: 'error' }, 'unclear'],
    [{}, 'unclear'],
  ])('%j means %s', (change, state) => {
    expect(stateFor({ ...body, ...change }, 1000n)).toBe(state)
  })

  it.each([
    [10.5, 1050n],
    ['10.5', 1050n],
    ['49,90', 4990n],
    ['49.90000', 4990n],
    [0.1 + 0.2, 30n],
    ['1.234,56', undefined],
    ['10.505', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j is an amount of %s', (value, amount) => {
    expect(centsOf(value)).toBe(amount)
  })

  it.each([
    ['2026-07-01 12:00:00', '2026-07-01T11:00:00Z'],
    ['2026-01-01 12:00', '2026-01-01T12:00:00Z'],
    ['2026-07-01T12:00:00Z', '2026-07-01T12:00:00Z'],
    ['2026-07-01T12:00:00+02:00', '2026-07-01T10:00:00Z'],
  ])('%s is %s', (text, time) => {
    expect(timeOf(text)).toBe(Date.parse(time))
  })

  it.each(['', '2026-13-01 10:00', '01/07/2026', 'soon'])('%j is no time', (text) => {
    expect(timeOf(text)).toBeUndefined()
  })

  it('splits phone numbers', () => {
    expect(phoneOf('+351911234567')).toEqual({ phone_indicative: '+351', phone: '911234567' })
    expect(phoneOf('+34612345678')).toEqual({ phone_indicative: '+34', phone: '612345678' })
  })
})
