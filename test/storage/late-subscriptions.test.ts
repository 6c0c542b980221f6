// Late changes of subscriptions and charges.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/time.ts'
import { type Database, type Executor, openPostgres } from '../../src/storage/index.ts'
import { failUnopenedCharge, openChargePayments } from '../../src/subscriptions/charging/process.ts'
import { approveAcceptance, lockUndecided } from '../../src/subscriptions/transitions-store.ts'
import { createPostgresDatabase } from '../database.ts'
import { patienceSeconds } from '../patience.ts'
import { insertRow, isMovableDuring, pendingPayment } from './rows.ts'

const walletId = 1001n
const now = systemClock.now()

let database: Database
beforeAll(async () => {
  database = openPostgres({ url: await createPostgresDatabase(), answerMsMax: patienceSeconds * 1000 })
})
afterAll(() => database.close())

const always = {
  wallet_id: 1001,
  amount: 1000,
  currency: 'EUR',
  created_at: '2026-01-01',
  modified_at: '2026-01-01',
}

async function subscription(
  attemptId: string,
  change: Parameters<typeof insertRow>[2] = {},
): Promise<string> {
  const id = randomUUID()
  const terms = { frequency: 1, period: 'MONTH', start_date: '2026-01-01', checkout_id: randomUUID() }
  const state = {
    status: 'NEW',
    method: 'CC',
    card_token: randomUUID(),
    attempt_id: attemptId,
    under_approval: true,
  }
  await insertRow(database, 'subscriptions', { id, ...always, ...terms, ...state, ...change })
  return id
}

describe('a subscription', () => {
  const [own, other] = [randomUUID(), randomUUID()]

  it.each([
    ['by the attempt that is decided about', own, true, {}],
    ['by an earlier attempt', other, false, {}],
    ['that no rail decides about', own, false, { under_approval: false }],
    ['that was voided', own, false, { status: 'VOIDED', under_approval: false }],
  ])('is approved %s', async (_, attemptId, approves, change) => {
    const subscriptionId = await subscription(own, change)
    const approved = await approveAcceptance(database, { walletId, subscriptionId, attemptId }, now)
    expect(approved !== undefined).toBe(approves)
  })

  it('is kept while it is decided on, unless it was decided', async () => {
    const id = await subscription(own)
    const lock = (tx: Executor) => lockUndecided(tx, { walletId, id })
    expect(await lock(database)).toBe(true)
    expect(await isMovableDuring(database, lock, 'subscriptions', id)).toBe(false)
    const voided = await subscription(own, { status: 'VOIDED', under_approval: false })
    expect(await lockUndecided(database, { walletId, id: voided })).toBe(false)
  })
})

describe('a charge', () => {
  async function charge(status: 'PROCESSING' | 'FAIL', opened = false) {
    const [id, operationId] = [randomUUID(), randomUUID()]
    await insertRow(database, 'charges', {
      ...always,
      id,
      subscription_id: await subscription(randomUUID(), { cycle_charged: 1000 }),
      operation_id: operationId,
      status,
      cycle: 0,
      opened,
      error: status === 'FAIL' ? 'declined' : null,
      due_at: status === 'PROCESSING' && !opened ? '2026-01-01' : null,
    })
    const payment = pendingPayment({ id: operationId })
    const event = {
      id: randomUUID(),
      walletId,
      kind: 'charge',
      subject: id,
      event: 'FAIL',
      payload: { id },
      endpoint: 'wallet',
      hasEndpoint: true,
      createdAt: now,
    } as const
    return {
      open: () => openChargePayments(database, [payment as never]),
      fail: () => failUnopenedCharge(database, { walletId, id } as never, { error: 'late', event, at: now }),
    }
  }

  it('is opened once, and not failed after it', async () => {
    const { open, fail } = await charge('PROCESSING')
    expect([await open(), await open(), await fail()]).toEqual([[true], [false], false])
  })

  it('is failed once, and not opened after it', async () => {
    const { open, fail } = await charge('PROCESSING')
    expect([await fail(), await fail(), await open()]).toEqual([true, false, [false]])
  })
})
