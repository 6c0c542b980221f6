// Settling from a balance, previews, and top-ups from the bank.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { clearingOf } from '../../src/ledger/index.ts'
import { beginApproval, chooseAttempt, endApproval } from '../../src/operations/attempts/approvals.ts'
import type { NewOperation, Operation } from '../../src/operations/index.ts'
import {
  createSettleFunded,
  type FundedOutcome,
  type FundedPayment,
  type SettleFunded,
} from '../../src/operations/settle/funded.ts'
import { createPreview, createShowPostings } from '../../src/operations/settle/preview.ts'
import { topUpConsumer } from '../../src/operations/settle/top-up.ts'
import { statement } from '../../src/storage/index.ts'
import type { Wallet } from '../../src/wallets/index.ts'
import { now, openSettleWorld, type SettleWorld } from './settle-world.ts'

let world: SettleWorld
let settleFunded: SettleFunded
let shop: Wallet
let consumer: Wallet
beforeAll(async () => {
  world = await openSettleWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  settleFunded = createSettleFunded(world.deps)
  shop = world.wallet()
  consumer = world.wallet({ kind: 'consumer' })
  world.sent()
})

const accountOf = ({ id }: Wallet) => ({ walletId: id, kind: 'consumer' }) as const
const balanceOf = (wallet: Wallet) => world.deps.ledger.balanceOf(accountOf(wallet))
const topUp = (amount: number, operationId: string = randomUUID()) =>
  topUpConsumer(world.deps, { walletId: consumer.id, amount: cents(amount), operationId, method: 'BANK' })

/** A payment of 10.00 that waits for its customer, except for `change`. */
const waiting = (change: Partial<NewOperation> = {}, owner = shop) =>
  world.opened(owner, {
    status: 'NEW',
    method: undefined,
    attemptId: undefined,
    underApproval: false,
    ...change,
  })

function pay(operation: Operation, more: Partial<FundedPayment> = {}): Promise<FundedOutcome> {
  const attemptId = operation.attemptId ?? randomUUID()
  const payer = accountOf(consumer)
  return settleFunded({ operation, method: 'WALLET', attemptId, payer, also: async () => {}, ...more })
}

describe('a payment from a balance', () => {
  it('that holds exactly the amount is made, and its event is sent after it', async () => {
    await topUp(1000)
    const payment = await waiting()
    const attemptId = randomUUID()
    const outcome = await pay(payment, { attemptId })
    expect(outcome).toMatchObject({
      kind: 'settled',
      operation: { id: payment.id, status: 'COMPLETED', fee: -5n },
    })
    const method = 'WALLET'
    expect(await world.stored(payment)).toMatchObject({
      status: 'COMPLETED',
      method,
      attemptId,
      settledAt: now,
    })
    expect(await world.booked(payment)).toEqual([
      `consumer ${consumer.id} > merchant ${shop.id}: 995`,
      `consumer ${consumer.id} > fees: 5`,
    ])
    expect(await balanceOf(consumer)).toBe(0n)
    expect(await world.events(payment.id)).toEqual(['operation COMPLETED wallet DUE'])
    expect(world.sent().at(-1)).toBe('wake')
    expect(await pay(payment, { attemptId: randomUUID() })).toEqual({ kind: 'too_late' })
  })

  it('that lacks a cent is not, and leaves no trace', async () => {
    await topUp(999)
    const payment = await waiting()
    const also = (tx: { run: SettleWorld['database']['run'] }) =>
      tx.run(statement(`update operations set notes = 'paid' where id = $1`), [payment.id]).then(() => {})
    expect(await pay(payment, { also })).toEqual({ kind: 'insufficient_funds' })
    expect(await world.stored(payment)).toEqual(payment)
    expect(await balanceOf(consumer)).toBe(999n)
    expect(world.sent()).not.toContain('wake')
    await topUp(1)
    expect(await pay(payment, { also })).toMatchObject({ kind: 'settled' })
    expect(await world.stored(payment)).toMatchObject({ notes: 'paid' })
  })

  it('is not made if its other rows fail, and reports the reason', async () => {
    await topUp(1000)
    const payment = await waiting()
    const also = () => Promise.reject(new Error('the charge has ended'))
    await expect(pay(payment, { also })).rejects.toThrow('the charge has ended')
    expect(await world.stored(payment)).toEqual(payment)
  })

  it('is one of many at the same time: those that fit are made', async () => {
    await topUp(2500)
    const payments = await Promise.all(Array.from({ length: 4 }, () => waiting()))
    const outcomes = await Promise.all(payments.map((payment) => pay(payment)))
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual([
      ...['insufficient_funds', 'insufficient_funds', 'settled', 'settled'],
    ])
    expect(await balanceOf(consumer)).toBe(500n)
  })

  it('is too late if a rail is deciding, or the operation is over', async () => {
    await topUp(1000)
    const decided = await world.opened(shop)
    const over = await waiting()
    await world.run(`update operations set status = 'FAIL', settled_at = now() where id = $1`, over.id)
    for (const payment of [decided, over]) {
      const before = await world.stored(payment)
      expect(await pay(payment, { attemptId: randomUUID() })).toEqual({ kind: 'too_late' })
      expect(await world.stored(payment)).toEqual(before)
    }
    expect(world.sent()).not.toContain('wake')
  })

  it('that was opened under its attempt is made once, and by no other attempt', async () => {
    await topUp(3000)
    const id = randomUUID()
    const payment = await world.opened(shop, { id, method: 'WALLET', attemptId: id })
    expect(await pay({ ...payment, attemptId: undefined }, { attemptId: randomUUID() })).toEqual({
      kind: 'too_late',
    })
    expect(await pay(payment, { attemptId: id })).toMatchObject({ kind: 'settled' })
    expect(await pay(payment, { attemptId: id })).toEqual({ kind: 'too_late' })
    expect(await balanceOf(consumer)).toBe(2000n)
  })

  it("counts towards the merchant's limit, unless its opening counted", async () => {
    await topUp(4000)
    const small = world.wallet({ paymentLimit: cents(500) })
    const payment = await waiting({}, small)
    await expect(pay(payment)).rejects.toMatchObject({
      refusal: { kind: 'limit_reached', reason: expect.stringMatching(/^amount /) },
    })
    expect(await world.stored(payment)).toEqual(payment)
    const id = randomUUID()
    const counted = await world.opened(small, { id, method: 'WALLET', attemptId: id })
    expect(await pay(counted, { attemptId: id })).toMatchObject({ kind: 'settled' })
    const chosen = await world.opened(small, {
      id: randomUUID(),
      method: 'WALLET',
      attemptId: id,
      underApproval: false,
    })
    await expect(pay(chosen, { attemptId: id })).rejects.toMatchObject({ refusal: { kind: 'limit_reached' } })
  })

  it('is made without a module of subscriptions', async () => {
    settleFunded = createSettleFunded({ ...world.deps, extension: undefined })
    await topUp(1000)
    expect(await pay(await waiting())).toMatchObject({ kind: 'settled' })
  })

  it('ends the charge that it pays', async () => {
    await topUp(1000)
    const id = randomUUID()
    const { subscriptionId, chargeId } = await world.charge(shop, id)
    const payment = await world.opened(shop, { id, subscriptionId, method: 'WALLET', attemptId: id })
    expect(await pay(payment)).toMatchObject({ kind: 'settled' })
    expect(await world.events(chargeId)).toEqual(['charge SUCCESS wallet DUE'])
    expect(await world.count(`charges where id = $1 and status = 'SUCCESS'`, chargeId)).toBe(1)
  })
})

it('an attempt decides alone until its rail declined; then another can be chosen', async () => {
  const payment = await waiting()
  const attempt = { walletId: shop.id, operationId: payment.id, attemptId: randomUUID() }
  const { database } = world
  const next = { ...attempt, attemptId: randomUUID() }
  expect(await chooseAttempt(database, attempt, 'MBWAY', now, '+351911000000')).toBe(true)
  expect(await world.stored(payment)).toMatchObject({ method: 'MBWAY', phone: '+351911000000' })
  expect(await endApproval(database, attempt, now)).toBe(false)
  expect(await beginApproval(database, attempt, now)).toBe(true)
  expect(await chooseAttempt(database, next, 'CC', now)).toBe(false)
  expect(await endApproval(database, next, now)).toBe(false)
  expect(await endApproval(database, attempt, now)).toBe(true)
  expect(await endApproval(database, attempt, now)).toBe(false)
  expect(await chooseAttempt(database, next, 'CC', now)).toBe(true)
  expect(await world.stored(payment)).toMatchObject({
    method: 'CC',
    attemptId: next.attemptId,
    phone: undefined,
  })
  expect(await beginApproval(database, attempt, now)).toBe(false)
})

describe('a preview', () => {
  it('is shown, and nothing is written or sent', async () => {
    const preview = createPreview(world.deps)
    const owner = world.wallet({ selfEvents: false })
    const payment: NewOperation = {
      id: randomUUID(),
      walletId: owner.id,
      type: 'PAYMENT',
      status: 'PENDING',
      method: 'CC',
      amount: cents(1000),
      currency: 'EUR',
      channel: 'API',
      createdAt: now,
    }
    const { settled, postings } = await preview(payment)
    expect(settled).toMatchObject({ id: payment.id, status: 'COMPLETED', fee: -25n, settledAt: now })
    const merchant = { walletId: owner.id, kind: 'merchant' }
    const fees = { walletId: 0n, kind: 'fees' }
    const debit = clearingOf('CC')
    expect(postings).toEqual([
      { debit, credit: merchant, amount: 975n },
      { debit, credit: fees, amount: 25n },
    ])
    expect(world.sent()).toEqual([])
    expect(await world.count('operations where id = $1', payment.id)).toBe(0)
  })

  it('names other merchants, but neither the own wallet nor consumers and the gateway', async () => {
    const show = createShowPostings(world.deps)
    const [other, own] = [world.wallet(), { walletId: shop.id, kind: 'merchant' } as const]
    const shown = await show(
      [
        { debit: clearingOf('CC'), credit: own, amount: cents(975) },
        { debit: own, credit: { walletId: other.id, kind: 'merchant' }, amount: cents(488) },
        { debit: accountOf(consumer), credit: own, amount: cents(1) },
      ],
      shop,
    )
    expect(JSON.parse(JSON.stringify(shown))).toEqual([
      { debit: { account: 'clearing:CC' }, credit: { account: 'merchant' }, amount: 9.75 },
      {
        debit: { account: 'merchant' },
        credit: { account: 'merchant', public_id: other.publicId },
        amount: 4.88,
      },
      { debit: { account: 'consumer' }, credit: { account: 'merchant' }, amount: 0.01 },
    ])
  })
})

it('a transfer to a consumer is credited once, under its id', async () => {
  const operationId = randomUUID()
  await topUp(1500, operationId)
  await topUp(1500, operationId)
  expect(await balanceOf(consumer)).toBe(1500n)
  const credited = { walletId: consumer.id, id: operationId }
  expect(await world.stored(credited)).toMatchObject({
    ...{ type: 'PAYMENT', status: 'COMPLETED', method: 'BANK', amount: 1500n, channel: 'BANK' },
    ...{ createdAt: now, settledAt: now },
  })
  expect(await world.booked(credited)).toEqual([`clearing:BANK > consumer ${consumer.id}: 1500`])
})
