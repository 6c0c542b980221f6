// A settlement writes status, fee, postings and shares together, once.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cents } from '../../src/kernel/money.ts'
import { instant } from '../../src/kernel/time.ts'
import type { Ledger } from '../../src/ledger/index.ts'
import { completeByAttempt, hasPaid } from '../../src/operations/attempts/approvals.ts'
import type { NewOperation, Operation } from '../../src/operations/index.ts'
import type { ChildType } from '../../src/operations/model.ts'
import { settleReported } from '../../src/operations/refunds/clawback.ts'
import { createSettle } from '../../src/operations/settle/settle.ts'
import { bookDivision } from '../../src/operations/shares/book.ts'
import type { Wallet } from '../../src/wallets/index.ts'
import { halfFor, now, openSettleWorld, type SettleWorld } from './settle-world.ts'

let world: SettleWorld
let shop: Wallet
beforeAll(async () => {
  world = await openSettleWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  world.settleWith()
  shop = world.wallet()
  world.sent()
})

type Change = Partial<NewOperation>

const hold = async (change: Change = {}) =>
  world.complete(await world.opened(shop, { type: 'AUTH', ...change }))

describe('a payment that completes', () => {
  it.each<[string, Change, bigint, string[]]>([
    ['by card', {}, -25n, ['clearing:CC > merchant: 975', 'clearing:CC > fees: 25']],
    ['by MBWAY', { method: 'MBWAY' }, -15n, ['clearing:MBWAY > merchant: 985', 'clearing:MBWAY > fees: 15']],
    ['by reference', { method: 'MB' }, -50n, ['clearing:MB > merchant: 950', 'clearing:MB > fees: 50']],
    [
      'by an instant reference',
      { method: 'MB', instant: true },
      -70n,
      ['clearing:MB > merchant: 930', 'clearing:MB > fees: 70'],
    ],
    ['less than its fee', { amount: cents(9) }, -9n, ['clearing:CC > fees: 9']],
  ])('%s costs its price, and the merchant gets the rest', async (_how, change, fee, booked) => {
    const payment = await world.opened(shop, change)
    const settled = await world.complete(payment)
    expect(settled).toMatchObject({ status: 'COMPLETED', fee, underApproval: false })
    expect(await world.stored(payment)).toEqual({ ...settled, settledAt: now, modifiedAt: now })
    expect(await world.booked(payment)).toEqual(
      booked.map((line) => line.replace('merchant', `merchant ${shop.id}`)),
    )
  })

  it('costs nothing if its method has no price', async () => {
    shop = world.wallet({ feeSchedule: {} as never })
    const payment = await world.opened(shop)
    expect(await world.complete(payment)).toMatchObject({ fee: 0n })
    expect(await world.booked(payment)).toEqual([`clearing:CC > merchant ${shop.id}: 1000`])
  })

  it("keeps its first card, or gets the paying card, and the rail's reference", async () => {
    const card = (last4: string) => ({ last4, bin: '453998', type: 'visa', valdate: '12/2030' })
    const railPaymentId = randomUUID()
    const [stays, changes] = [
      await world.opened(shop, { card: card('1111'), railPaymentId, error: 'dispute' }),
      await world.opened(shop, { card: card('1111'), railPaymentId: randomUUID(), error: 'dispute' }),
    ]
    await world.complete(stays)
    await world.complete(changes, { card: card('2222'), railPaymentId, error: 'other' })
    expect(await world.stored(stays)).toMatchObject({ card: card('1111'), railPaymentId, error: 'dispute' })
    expect(await world.stored(changes)).toMatchObject({ card: card('2222'), railPaymentId, error: 'other' })
  })

  it('is paid from the named balance, or by its rail', async () => {
    const consumer = world.wallet({ kind: 'consumer' })
    world.settleWith({ payerOf: async () => consumer.id })
    const [ofBalance, ofRail] = [
      await world.opened(shop, { method: 'WALLET' }),
      await world.opened(shop, { method: 'WALLET' }),
    ]
    await world.complete(ofBalance, { payer: { walletId: consumer.id, kind: 'consumer' } })
    await world.complete(ofRail)
    const lines = (from: string) => [`${from} > merchant ${shop.id}: 995`, `${from} > fees: 5`]
    expect(await world.booked(ofBalance)).toEqual(lines(`consumer ${consumer.id}`))
    expect(await world.booked(ofRail)).toEqual(lines('clearing:WALLET'))
  })

  it('without a method, or of a type without postings, does not complete', async () => {
    const chosen = await world.opened(shop, { method: undefined })
    await expect(world.complete(chosen)).rejects.toThrow(`operation ${chosen.id} completed without a method`)
    expect(await world.stored(chosen)).toMatchObject({ status: 'PENDING', fee: 0n })
    const consumer = world.wallet({ kind: 'consumer' })
    const own = await world.opened(consumer, { method: 'BANK' })
    await world.complete(own)
    expect(await world.booked(own)).toEqual([`clearing:BANK > consumer ${consumer.id}: 1000`])
  })
})

it.each(['FAIL', 'VOIDED'] as const)('a %s costs and books nothing', async (status) => {
  const expires = instant(now + 1000)
  const sub = world.wallet()
  const payment = await world.opened(shop, { expires, split: halfFor(sub) })
  await world.settle(payment, { status, guard: world.decidedBy(payment), error: 'declined' })
  const ended = { status, fee: 0n, error: 'declined', expires, splitAt: undefined, settledAt: now }
  expect(await world.stored(payment)).toMatchObject(ended)
  expect(await world.booked(payment)).toEqual([])
  expect(await world.events(payment.id)).toEqual([`operation ${status} wallet DUE`])
})

describe('an authorization', () => {
  it('that is accepted books nothing, can be captured for a month, and has a timer for its end', async () => {
    const held = await hold({ expires: instant(now + 1000), split: halfFor(world.wallet()) })
    // The last day of February.
    const expires = instant(Date.UTC(2026, 1, 28, 12))
    expect(await world.stored(held)).toMatchObject({
      status: 'COMPLETED',
      fee: 0n,
      expires,
      splitAt: undefined,
    })
    expect(await world.booked(held)).toEqual([])
    const timer = 'authorization_timers where id = $1 and wallet_id = $2 and due_at = $3'
    expect(await world.count(timer, held.id, shop.id, new Date(expires))).toBe(1)
  })

  it('that is declined keeps its end and has no timer; nor has a payment', async () => {
    const expires = instant(now + 1000)
    const held = await world.opened(shop, { type: 'AUTH', expires })
    await world.fail(held)
    expect(await world.stored(held)).toMatchObject({ status: 'FAIL', expires })
    const payment = await world.opened(shop, { expires })
    await world.complete(payment)
    expect(await world.stored(payment)).toMatchObject({ expires })
    const timers = 'authorization_timers where id = any($1::uuid[])'
    expect(await world.count(timers, [held.id, payment.id])).toBe(0)
    // Nor if one statement settles both.
    const [accepted, paid] = [
      await world.opened(shop, { type: 'AUTH' }),
      await world.opened(shop, { expires }),
    ]
    await Promise.all([world.complete(accepted), world.complete(paid)])
    expect(await world.count(timers, [accepted.id, paid.id])).toBe(1)
  })

  it('books its capture with a fee, and no release', async () => {
    const held = await hold()
    const release = await world.child(held, 'RELEASE', 200)
    await world.complete(release)
    expect(await world.booked(release)).toEqual([])
    const capture = await world.child(held, 'CAPTURE', 800)
    expect(await world.complete(capture)).toMatchObject({ fee: -23n })
    expect(await world.booked(capture)).toEqual([
      `clearing:CC > merchant ${shop.id}: 777`,
      'clearing:CC > fees: 23',
    ])
    expect(await world.stored(held)).toMatchObject({ captured: 800n, captures: 1, released: 200n })
  })

  it.each<[ChildType]>([['CAPTURE'], ['RELEASE']])('gives a failed %s back', async (type) => {
    const held = await hold()
    await world.fail(await world.child(held, type, 300))
    expect(await world.stored(held)).toMatchObject({ captured: 0n, captures: 0, released: 0n })
  })
})

describe('a refund', () => {
  it('goes back over the rail; a failed one returns to the payment', async () => {
    world.settleWith({ payerOf: async () => 1n })
    const payment = await world.complete(await world.opened(shop))
    const [refund, failed] = [
      await world.child(payment, 'REFUND', -300),
      await world.child(payment, 'REFUND', -200),
    ]
    await world.complete(refund)
    await world.fail(failed)
    expect(await world.booked(refund)).toEqual([`merchant ${shop.id} > clearing:CC: 300`])
    expect(await world.stored(payment)).toMatchObject({ refunded: 300n })
  })

  it('of a payment from a balance goes to that balance', async () => {
    const consumer = world.wallet({ kind: 'consumer' })
    const asked: unknown[] = []
    const payerOf = async (payment: object) => {
      asked.push({ ...payment })
      return consumer.id
    }
    world.settleWith({ payerOf })
    const payment = await world.complete(await world.opened(shop, { method: 'WALLET' }))
    const refund = await world.child(payment, 'REFUND', -300)
    await world.complete(refund)
    expect(asked).toEqual([{ walletId: shop.id, id: payment.id }])
    expect(await world.booked(refund)).toEqual([`merchant ${shop.id} > consumer ${consumer.id}: 300`])
  })

  it('of a payment from no balance is not booked, but may fail', async () => {
    const payment = await world.complete(await world.opened(shop, { method: 'WALLET' }))
    const refund = await world.child(payment, 'REFUND', -300)
    const nobody = `operation ${payment.id} was not paid from a balance`
    await expect(world.complete(refund)).rejects.toThrow(nobody)
    expect(await world.fail(refund)).toMatchObject({ operation: { status: 'FAIL' } })
    const ofNothing = await world.opened(shop, { type: 'REFUND', method: 'WALLET', amount: cents(-100) })
    await world.complete(ofNothing)
    expect(await world.booked(ofNothing)).toEqual([`merchant ${shop.id} > clearing:WALLET: 100`])
  })
})

describe('a divided payment', () => {
  const sharesOf = async (operation: Operation) => (await world.shares(operation)).map(({ amount }) => amount)
  /** Transfers of `amount` that a sub-merchant has. */
  const transfers = (sub: Wallet, amount: number) =>
    world.count(`operations where type = 'USERTRANSFER' and wallet_id = $1 and amount = $2`, sub.id, amount)
  it("has its shares, the sub-merchants' operations, and their postings", async () => {
    const sub = world.wallet()
    const payment = await world.opened(shop, { split: halfFor(sub), extInvoiceId: 'INV-1' })
    const settled = await world.complete(payment)
    expect(settled.splitAt).toBe(now)
    expect(await world.stored(payment)).toMatchObject({ splitAt: now })
    expect(await sharesOf(payment)).toEqual([488n])
    expect(await transfers(sub, 488)).toBe(1)
    expect(await world.booked(payment)).toEqual([
      `clearing:CC > merchant ${shop.id}: 975`,
      'clearing:CC > fees: 25',
      `merchant ${shop.id} > merchant ${sub.id}: 488`,
    ])
  })

  it('has an empty share without a transfer', async () => {
    const sub = world.wallet()
    const payment = await world.opened(shop, { amount: cents(9), split: halfFor(sub) })
    await world.complete(payment)
    expect(await sharesOf(payment)).toEqual([0n])
    expect(await transfers(sub, 0)).toBe(0)
  })

  it("takes a refund's parts from its shares, and returns them if the refund comes back", async () => {
    const sub = world.wallet()
    const payment = await world.complete(await world.opened(shop, { split: halfFor(sub) }))
    const [{ transfer_id: transferId } = { transfer_id: '' }] = await world.shares(payment)
    const take = { position: 0, walletId: sub.id, transferId, amount: cents(100) }
    const refundSplit = { source: 'proportion', shareRefunds: [take] } as const
    const refund = await world.child(payment, 'REFUND', -200, { refundSplit, parentRevision: 0 })
    await world.complete(refund)
    expect(await world.booked(refund)).toEqual([
      `merchant ${shop.id} > clearing:CC: 200`,
      `merchant ${sub.id} > merchant ${shop.id}: 100`,
    ])
    expect(await transfers(sub, -100)).toBe(1)
    const failed = await world.child(payment, 'REFUND', -200, { refundSplit, parentRevision: 1 })
    await world.fail(failed)
    expect(await world.booked(failed)).toEqual([])
    expect(await transfers(sub, -100)).toBe(1)
    const back = await world.opened(shop, {
      type: 'REFUND',
      amount: cents(200),
      parentId: refund.id,
      refundSplit,
    })
    await world.complete(back)
    expect(await world.booked(back)).toEqual([
      `clearing:CC > merchant ${shop.id}: 200`,
      `merchant ${shop.id} > merchant ${sub.id}: 100`,
    ])
    expect(await transfers(sub, 100)).toBe(1)
  })

  it('is booked only if shares and rest equal the net amount', async () => {
    const payment = await world.opened(shop)
    const division = { net: cents(975), owner: cents(400), shares: [] } as never
    expect(() => bookDivision(payment, division, now, world.deps.random)).toThrow(
      `shares of 0 cents and the owner's 400 are not 975`,
    )
  })

  it('as captures of an authorization, each after the earlier ones', async () => {
    const sub = world.wallet()
    const held = await hold({ split: halfFor(sub) })
    const [first, second] = [await world.child(held, 'CAPTURE', 500), await world.child(held, 'CAPTURE', 500)]
    await world.complete(first)
    await world.complete(second)
    expect([await sharesOf(first), await sharesOf(second)]).toEqual([[240n], [240n]])
    expect(await world.booked(first)).toContain(`merchant ${shop.id} > merchant ${sub.id}: 240`)
    const lost = await world.opened(shop, { type: 'CAPTURE', split: halfFor(sub) })
    await expect(world.complete(lost)).rejects.toThrow(`capture ${lost.id} has no authorization`)
    const parentId = randomUUID()
    const nowhere = `authorization ${parentId} does not exist`
    await expect(world.complete({ ...lost, parentId })).rejects.toThrow(nowhere)
  })

  describe('with another capture of its authorization at the same moment', () => {
    let turns: number
    /** Settles like a process that reads the authorization, at each read, just before `meanwhile` is done. */
    function settling(meanwhile: () => Promise<unknown>): void {
      turns = 0
      const postingRows: Ledger['postingRows'] = async (...asked) => {
        turns += 1
        await meanwhile()
        return world.deps.ledger.postingRows(...asked)
      }
      world.settleWith({ ledger: { ...world.deps.ledger, postingRows } })
    }
    const capturedElsewhere = ({ id }: Operation) =>
      world.run('update operations set split_revision = split_revision + 1 where id = $1', id)

    it('a capture is divided again', async () => {
      const sub = world.wallet()
      const held = await hold({ split: halfFor(sub) })
      const [one, other] = [await world.child(held, 'CAPTURE', 301), await world.child(held, 'CAPTURE', 301)]
      const elsewhere = createSettle(world.deps)
      settling(() =>
        turns > 1
          ? Promise.resolve()
          : elsewhere(other, { status: 'COMPLETED', guard: world.decidedBy(other) }),
      )
      expect(await world.complete(one)).toMatchObject({ status: 'COMPLETED' })
      expect(turns).toBe(2)
      // Without earlier captures, half of 2.83 is 1.42. Half of both captures together is 2.83.
      const given = [...(await sharesOf(one)), ...(await sharesOf(other))]
      expect(given.reduce((sum, amount) => sum + amount, 0n)).toBe(283n)
      expect(await world.stored(one)).toMatchObject({ splitAt: now })
    })

    it('a capture gives up after fifty rounds, and is settled later', async () => {
      const held = await hold({ split: halfFor(world.wallet()) })
      const capture = await world.child(held, 'CAPTURE', 300)
      settling(() => capturedElsewhere(held))
      const changed = `capture ${capture.id} lost every race for its authorization: it is settled later`
      await expect(world.complete(capture)).rejects.toThrow(changed)
      expect(turns).toBe(50)
      expect(await world.stored(capture)).toMatchObject({ status: 'PENDING' })
      world.settleWith()
      expect(await world.complete(capture)).toMatchObject({ status: 'COMPLETED' })
    })

    it('a capture that was decided meanwhile is left as it is', async () => {
      const held = await hold({ split: halfFor(world.wallet()) })
      const capture = await world.child(held, 'CAPTURE', 300)
      settling(async () => {
        await capturedElsewhere(held)
        const decided = `status = 'FAIL', under_approval = false, settled_at = now()`
        await world.run(`update operations set ${decided} where id = $1`, capture.id)
      })
      const approved = { status: 'COMPLETED', guard: world.decidedBy(capture) } as const
      expect(await world.settle(capture, approved)).toBeUndefined()
      expect(turns).toBe(1)
    })
  })
})

describe('an operation that another settlement has ended', () => {
  const toReverse = ({ id, attemptId }: Operation) =>
    world.count(
      `attempts where operation_id = $1 and id = $2 and state = 'TO_REVERSE' and method = 'CC'`,
      id,
      attemptId,
    )

  it('is reversed only if its rail approved it', async () => {
    const [approved, awaited, declined] = [
      await world.opened(shop),
      await world.opened(shop),
      await world.opened(shop),
    ]
    for (const payment of [approved, awaited, declined])
      await world.fail(payment, { guard: world.decidedBy(payment) })
    const late = await world.settle(approved, { status: 'COMPLETED', guard: world.decidedBy(approved) })
    expect(late).toBeUndefined()
    const guard = { kind: 'awaited_attempt', attemptId: awaited.attemptId ?? '' } as const
    expect(await world.settle(awaited, { status: 'COMPLETED', guard })).toBeUndefined()
    expect(await world.fail(declined)).toBeUndefined()
    expect([await toReverse(approved), await toReverse(awaited), await toReverse(declined)]).toEqual([
      1, 0, 0,
    ])
    expect(await world.booked(approved)).toEqual([])
    expect(await world.events(approved.id)).toEqual(['operation FAIL wallet DUE'])
  })

  it('and has a later attempt, is not settled by the earlier', async () => {
    const payment = await world.opened(shop)
    const earlier = { ...payment, attemptId: randomUUID() }
    const settlement = { status: 'COMPLETED', guard: world.decidedBy(earlier) } as const
    expect(await world.settle(payment, settlement)).toBeUndefined()
    expect(await toReverse(earlier)).toBe(1)
    expect(await world.stored(payment)).toMatchObject({ status: 'PENDING', underApproval: true })
  })

  it('is completed by an approved attempt once, however often it is reported', async () => {
    const payment = await world.opened(shop)
    const card = { last4: '2222', bin: '453998', type: 'visa', valdate: '12/2030' }
    const deps = { database: world.database, settle: world.settleAlone }
    const attempt = { id: payment.attemptId ?? '', method: 'CC', card } as const
    const of = { ...payment, method: undefined }
    expect(await hasPaid(world.database, payment, attempt.id)).toBe(false)
    expect(await completeByAttempt(deps, of, attempt)).toBe(true)
    expect(await completeByAttempt(deps, of, attempt)).toBe(true)
    expect(await completeByAttempt(deps, of, { ...attempt, id: randomUUID() })).toBe(false)
    expect(await world.stored(payment)).toMatchObject({ status: 'COMPLETED', card })
    expect(await hasPaid(world.database, payment, attempt.id)).toBe(true)
    expect(await hasPaid(world.database, payment, randomUUID())).toBe(false)
    expect(await hasPaid(world.database, { ...payment, id: randomUUID() }, attempt.id)).toBe(false)
    const failed = await world.opened(shop)
    await world.fail(failed)
    expect(await completeByAttempt(deps, failed, { ...attempt, id: failed.attemptId ?? '' })).toBe(false)
  })
})

it("a rail's report completes once, unless it is decided already", async () => {
  const [reported, failed] = [await world.opened(shop), await world.opened(shop)]
  const complete = (operation: Operation | undefined) =>
    settleReported({ settle: world.settleAlone }, operation)
  await world.fail(failed)
  await complete(undefined)
  await complete(await world.stored(failed))
  await complete(reported)
  expect(await world.stored(failed)).toMatchObject({ status: 'FAIL' })
  expect(await world.stored(reported)).toMatchObject({ status: 'COMPLETED' })
  expect(await world.booked(reported)).toHaveLength(2)
  world.sent()
  await complete(await world.stored(reported))
  expect(world.sent()).toEqual([])
})
