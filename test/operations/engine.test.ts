// The engine: the result of a movement after each answer of its rail.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findRequest } from '../../src/idempotency/store.ts'
import { cents } from '../../src/kernel/money.ts'
import { day, hour, minute, second } from '../../src/kernel/time.ts'
import {
  type AnsweredTo,
  answeredClaim,
  createdByEngine,
  rereadOperation,
} from '../../src/operations/attempts/engine.ts'
import { childOperation } from '../../src/operations/for-movements.ts'
import type { NewOperation } from '../../src/operations/index.ts'
import type { RailAnswer } from '../../src/rails/index.ts'
import { statement } from '../../src/storage/index.ts'
import {
  approved,
  declined,
  type EngineWorld,
  notFound,
  openEngineWorld,
  unknownAnswer,
} from './engine-world.ts'

let world: EngineWorld
let to: AnsweredTo
beforeAll(async () => {
  world = await openEngineWorld()
  to = { wallet: world.wallet, declined: 'the issuer declined' }
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.run(statement('delete from attempts'))
  await world.database.run(statement('delete from opened_movements'))
  world.scripted({})
})

/** A payment with the rail's first `answer`. */
async function paid(answer: RailAnswer, more: Partial<NewOperation> = {}): Promise<NewOperation> {
  const payment = world.payment(more)
  await world.engine.run(payment, undefined, world.rail(answer))
  return payment
}

function keyed() {
  const firstAnswer = (made: { ok: boolean; value?: string }) =>
    made.ok ? { status: 200, body: made.value ?? '' } : { status: 402, body: JSON.stringify(made) }
  return { requestId: randomUUID(), fingerprint: new Uint8Array([1]), firstAnswer } as never as Parameters<
    typeof answeredClaim
  >[0] & { requestId: string }
}

const show: Parameters<typeof createdByEngine>[0] = async (operations) =>
  operations.map(({ id }) => ({ shown: id })) as never
const statusOf = async (operation: NewOperation) => (await world.stored(operation)).status

describe('a movement whose rail', () => {
  it.each([
    ['approves', approved, 'COMPLETED', undefined, 1],
    ['declines', declined, 'FAIL', 'no_funds', 0],
  ] as const)(
    '%s is settled, posted, and reported to the merchant once',
    async (_, answer, status, error, posted) => {
      const payment = world.payment()
      const outcome = await world.engine.run(payment, undefined, world.rail(answer))
      expect(outcome).toMatchObject({ kind: 'settled', operation: { id: payment.id, status, error } })
      expect(outcome).toHaveProperty('answer', undefined)
      expect(await world.stored(payment)).toMatchObject({ status, error, settledAt: world.now() })
      expect(await world.counted('postings', payment)).toBe(posted)
      expect(await world.counted('events', payment)).toBe(1)
      expect(await world.resolveAfter(minute)).toEqual([])
      expect(await world.attempt(payment)).toBeUndefined()
    },
  )

  it.each([
    ['approves', approved, 200, 'COMPLETED'],
    ['declines', declined, 402, 'the issuer declined: no_funds'],
  ] as const)('%s is answered as stored under its key, and opened once', async (_, answer, status, text) => {
    const payment = world.payment()
    const key = keyed()
    const claim = answeredClaim(key, payment.id, to)
    expect(claim).toMatchObject({ resourceId: payment.id, href: `/api/v2/operations/${payment.id}` })
    const outcome = await world.engine.run(payment, claim, world.rail(answer))
    const made = await createdByEngine(show, outcome as never, to)
    expect(made).toMatchObject({ isKept: true, answer: { status } })
    expect(made?.answer.body).toContain(text)
    expect((await findRequest(world.database, payment.walletId, key.requestId))?.answer).toEqual(made?.answer)
    const again = world.payment()
    const repeated = await world.engine.run(again, answeredClaim(key, again.id, to), () => {
      throw new Error('asked again')
    })
    expect(repeated).toEqual({ kind: 'repeated' })
    expect(await createdByEngine(show, repeated, to)).toBeUndefined()
    const refused = rereadOperation(
      { database: world.database, show },
      { operationId: payment.id, mayMove: true },
      to,
    )
    if (status === 200) expect(await refused).toBe(made?.answer.body)
    else
      await expect(refused).rejects.toMatchObject({
        refusal: { kind: 'card_declined', operationId: payment.id },
      })
  })

  it('has no key has no claim, and a missing operation is not read', async () => {
    expect(answeredClaim(undefined, randomUUID(), to)).toBeUndefined()
    const reading = rereadOperation(
      { database: world.database, show },
      { operationId: randomUUID(), mayMove: true },
      to,
    )
    await expect(reading).rejects.toMatchObject({ refusal: { kind: 'not_found' } })
  })

  it('does not decide stays pending until it does', async () => {
    const payment = world.payment()
    const outcome = await world.engine.run(payment, undefined, world.rail(unknownAnswer))
    expect(outcome).toMatchObject({ kind: 'pending', operation: { id: payment.id, status: 'PENDING' } })
    const made = await createdByEngine(show, outcome as never, to)
    expect(made).toMatchObject({ isKept: false, answer: { status: 200 } })
    expect(made?.answer.body).toContain('PENDING')
    world.scripted({ inquire: [unknownAnswer, notFound, approved] })
    expect(await world.resolveAfter(10 * second - 1)).toEqual([])
    expect(await world.resolveAfter(1)).toEqual(['inquire'])
    expect(await world.attempt(payment)).toEqual(['ASKED', 1, 10])
    expect(await world.resolveAfter(10 * second)).toEqual(['inquire'])
    expect(await world.attempt(payment)).toEqual(['ASKED', 2, 20])
    expect(await world.resolveAfter(20 * second)).toEqual(['inquire'])
    expect(await statusOf(payment)).toBe('COMPLETED')
    expect(await world.attempt(payment)).toEqual(['ASKED', 3, 30])
    expect(await world.resolveAfter(30 * second)).toEqual([])
    expect(await world.attempt(payment)).toEqual(['APPROVED', 4, undefined])
    expect(await world.counted('postings', payment)).toBe(1)
  })

  it('declines at an inquiry fails', async () => {
    const payment = await paid(unknownAnswer)
    world.scripted({ inquire: [declined] })
    await world.resolveAfter(10 * second)
    expect(await world.stored(payment)).toMatchObject({ status: 'FAIL', error: 'no_funds' })
    await world.resolveAfter(30 * second)
    expect((await world.attempt(payment))?.[0]).toBe('DECLINED')
  })

  it('decided during the call is answered as it is', async () => {
    const payment = world.payment()
    world.scripted({ inquire: [approved] })
    const outcome = await world.engine.run(payment, undefined, async () => {
      await world.engine.inquire(await world.stored(payment))
      return declined
    })
    expect(outcome).toMatchObject({ kind: 'settled', operation: { status: 'COMPLETED' } })
    await world.engine.inquire(await world.stored(payment))
    expect(world.asked()).toEqual(['inquire'])
    const made = await createdByEngine(show, outcome as never, to)
    expect(made).toMatchObject({ isKept: false })
  })

  it('approves after it failed is reversed', async () => {
    const payment = world.payment()
    world.scripted({ inquire: [declined], reverse: [unknownAnswer, approved] })
    const outcome = await world.engine.run(payment, undefined, async () => {
      await world.engine.inquire(await world.stored(payment))
      return approved
    })
    expect(outcome).toMatchObject({ kind: 'settled', operation: { status: 'FAIL' } })
    expect(await world.resolveAfter(0)).toEqual(['inquire', 'reverse'])
    expect(await world.attempt(payment)).toEqual(['TO_REVERSE', 1, 10])
    expect(await world.resolveAfter(10 * second)).toEqual(['reverse'])
    expect(await world.attempt(payment)).toEqual(['REVERSED', 2, undefined])
    expect(world.errors).toEqual([])
  })
})

describe('a movement that its rail has not received', () => {
  /** The resolver asks four times, and the rail has not received the request each time. */
  async function givenUp(
    more: Partial<NewOperation> = {},
  ): Promise<readonly [NewOperation, readonly string[]]> {
    const payment = await paid(unknownAnswer, more)
    const asked: string[] = []
    for (const seconds of [10, 10, 20, 40]) asked.push(...(await world.resolveAfter(seconds * second)))
    return [payment, asked]
  }

  it('is cancelled before it fails, and inquired about four times afterwards', async () => {
    world.scripted({ inquire: [notFound], cancel: [notFound] })
    const [payment, asked] = await givenUp()
    expect(asked).toEqual(['inquire', 'inquire', 'inquire', 'inquire', 'cancel'])
    expect(await world.stored(payment)).toMatchObject({ status: 'FAIL', error: 'rail_unavailable' })
    expect(await world.attempt(payment)).toEqual(['GIVEN_UP', 0, 60])
    expect(await world.resolveAfter(minute)).toEqual(['inquire'])
    expect(await world.attempt(payment)).toEqual(['GIVEN_UP', 1, 9 * 60])
    world.scripted({ inquire: [unknownAnswer, notFound] })
    await world.resolveAfter(9 * minute)
    expect(await world.attempt(payment)).toEqual(['GIVEN_UP', 1, 60])
    await world.resolveAfter(minute)
    expect((await world.attempt(payment))?.[1]).toBe(2)
    await world.resolveAfter(hour)
    expect((await world.attempt(payment))?.[1]).toBe(3)
    expect(await world.resolveAfter(day)).toEqual(['inquire'])
    expect(await world.attempt(payment)).toEqual(['CLOSED', 4, undefined])
  })

  it.each([
    ['approved', approved, 'COMPLETED'],
    ['declined', declined, 'FAIL'],
    ['unknown', unknownAnswer, 'PENDING'],
  ] as const)('and is %s at its cancellation, is that', async (_, answer, status) => {
    world.scripted({ inquire: [notFound], cancel: [answer] })
    const [payment] = await givenUp()
    expect(await statusOf(payment)).toBe(status)
    expect((await world.attempt(payment))?.slice(0, 2)).toEqual(['ASKED', 4])
  })

  it('and cannot be cancelled, fails and is not looked for', async () => {
    world.scripted({ inquire: [notFound] })
    const [payment, asked] = await givenUp({ method: 'SEPA' })
    expect(asked).toEqual(['inquire', 'inquire', 'inquire', 'inquire'])
    expect(await statusOf(payment)).toBe('FAIL')
    expect((await world.attempt(payment))?.[0]).toBe('ASKED')
    await world.resolveAfter(minute)
  })

  it('and arrives after all, is reversed', async () => {
    world.scripted({ inquire: [notFound], cancel: [notFound] })
    const [payment] = await givenUp()
    world.scripted({ inquire: [approved], reverse: [declined, approved] })
    expect(await world.resolveAfter(minute)).toEqual(['inquire', 'reverse'])
    expect(world.errors).toMatchObject([{ message: expect.stringContaining('declined: no_funds') }])
    expect(await world.attempt(payment)).toEqual(['TO_REVERSE', 1, 10])
    expect(await world.resolveAfter(10 * second)).toEqual(['reverse'])
    expect((await world.attempt(payment))?.[0]).toBe('REVERSED')
  })

  it('and is declined when it arrives, is not looked for any more', async () => {
    world.scripted({ inquire: [notFound], cancel: [notFound] })
    const [payment] = await givenUp()
    world.scripted({ inquire: [declined] })
    expect(await world.resolveAfter(minute)).toEqual(['inquire'])
    expect(await world.attempt(payment)).toEqual(['CLOSED', 1, undefined])
  })

  it('and whose process died before it failed, fails', async () => {
    const payment = await paid(unknownAnswer)
    const open = await paid(approved)
    const row = 'select wallet_id, id, id, type, method'
    for (const { id } of [payment, open])
      await world.database.run(
        statement(`
          insert into attempts (wallet_id, id, operation_id, type, method, state, given_up_at, due_at)
          ${row}, 'GIVEN_UP', created_at, created_at from operations where id = $1`),
        [id],
      )
    world.scripted({ inquire: [notFound] })
    expect(await world.resolveAfter(0)).toEqual(['inquire', 'inquire'])
    expect(await world.stored(payment)).toMatchObject({ status: 'FAIL', error: 'rail_unavailable' })
    expect(await statusOf(open)).toBe('COMPLETED')
    await world.resolveAfter(2 * day)
  })

  it('and by a method that reverses nothing, is left to people', async () => {
    const payment = world.payment({ method: 'SEPA' })
    world.scripted({ inquire: [declined] })
    await world.engine.run(payment, undefined, async () => {
      await world.engine.inquire(await world.stored(payment))
      return approved
    })
    await world.resolveAfter(0)
    expect(world.errors).toMatchObject([{ message: expect.stringContaining('cannot reverse') }])
    expect(await world.attempt(payment)).toEqual(['TO_REVERSE', 1, 10])
  })
})

describe('an inquiry about a movement', () => {
  it.each([
    ['by reference', { method: 'MB' }],
    ['that its rail reported', { channel: 'BANK' }],
  ] as const)('%s only needs our last step', async (_, more) => {
    const payment = await paid(unknownAnswer, more)
    await world.engine.inquire(await world.stored(payment))
    expect([await statusOf(payment), world.asked()]).toEqual(['COMPLETED', []])
  })

  it('without a rail is refused', async () => {
    const payment = await paid(unknownAnswer, { method: 'PAYPAL' })
    await expect(world.engine.inquire(await world.stored(payment))).rejects.toThrow('has no rail')
    await world.resolveAfter(10 * second)
    expect(world.errors).toHaveLength(1)
  })
})

describe('a rail that is called late', () => {
  /** Moves the clock, and answers whether the rail may still be called. */
  async function beforeSend(
    milliseconds: number,
    before = async () => {},
  ): Promise<readonly [boolean, NewOperation]> {
    const payment = world.payment()
    let allowed = false
    await world.engine.run(payment, undefined, async (start) => {
      world.advance(milliseconds)
      await before()
      allowed = await start()
      return unknownAnswer
    })
    return [allowed, payment]
  }

  it('makes the resolver ask later, and is not called at all after a minute', async () => {
    const [inTime, first] = await beforeSend(2 * second)
    expect([inTime, await world.attempt(first)]).toEqual([true, undefined])
    const [renewed, second_] = await beforeSend(3 * second)
    expect([renewed, await world.attempt(second_)]).toEqual([true, ['ASKED', 0, 10]])
    expect((await beforeSend(minute + second))[0]).toBe(false)
  })

  it('is not called if the resolver decides', async () => {
    world.scripted({ inquire: [unknownAnswer] })
    const [allowed, payment] = await beforeSend(0, async () => {
      await world.resolveAfter(10 * second)
      await world.database.run(statement('update attempts set tries = 4'))
    })
    expect([allowed, (await world.attempt(payment))?.[1]]).toEqual([false, 4])
  })
})

describe('an attempt', () => {
  const insertAttempt = statement(`
    insert into attempts (wallet_id, id, operation_id, type, method, state, given_up_at, due_at)
    values (1001, $1, $1, 'PAYMENT', $2, $3, case when $3 = 'GIVEN_UP' then $4::timestamptz end, $4)`)
  const insert = (id: string, method: string, state: string) =>
    world.database.run(insertAttempt, [id, method, state, new Date(world.now())])

  it('without an operation is a fault', async () => {
    await insert(randomUUID(), 'CC', 'ASKED')
    expect(await world.resolveAfter(0)).toEqual([])
    expect(world.errors).toMatchObject([{ message: expect.stringContaining('has no operation') }])
  })

  it('by a method without a rail is due again, and reported', async () => {
    const [given, late] = [randomUUID(), randomUUID()]
    await insert(given, 'PAYPAL', 'GIVEN_UP')
    await insert(late, 'PAYPAL', 'TO_REVERSE')
    await world.resolveAfter(0)
    expect(await world.attempt({ id: given })).toEqual(['GIVEN_UP', 0, 60])
    expect(world.errors).toMatchObject([{ message: expect.stringContaining('cannot reverse') }])
  })

  it('that was given up, but completed, is left alone', async () => {
    const payment = await paid(approved)
    await insert(payment.id, 'CC', 'GIVEN_UP')
    world.scripted({ inquire: [approved] })
    expect(await world.resolveAfter(0)).toEqual(['inquire'])
    expect([await statusOf(payment), (await world.attempt(payment))?.[0], world.errors]).toEqual([
      'COMPLETED',
      'GIVEN_UP',
      [],
    ])
  })

  it('without an answer whether it was received is not cancelled', async () => {
    const payment = await paid(unknownAnswer)
    world.scripted({ inquire: [unknownAnswer] })
    for (const seconds of [10, 10, 20, 40, 80, 160])
      expect(await world.resolveAfter(seconds * second)).toEqual(['inquire'])
    expect(await statusOf(payment)).toBe('PENDING')
  })
})

it('the answer about a divided payment has its shares', async () => {
  const payment = await paid(approved)
  const divided = { ...(await world.stored(payment)), splitAt: world.now() }
  const made = await createdByEngine(show, { kind: 'settled', operation: divided }, to)
  expect(made).toMatchObject({ isKept: false, answer: { body: JSON.stringify({ shown: payment.id }) } })
  const claim = answeredClaim(keyed(), payment.id, to)
  expect([claim?.answerOf(divided), claim?.answerOf({ ...divided, splitAt: undefined })]).toMatchObject([
    undefined,
    { status: 200 },
  ])
})

describe('a child', () => {
  const childOf = async (parent: NewOperation, amount: number) => {
    const asked = {
      id: randomUUID(),
      type: 'REFUND',
      merchantReferences: {},
      createdAt: world.now(),
    } as const
    return childOperation(await world.stored(parent), { ...asked, amount: cents(amount) })
  }

  it('is answered as stored under its key', async () => {
    const refund = await childOf(await paid(approved), -300)
    const key = keyed()
    const claim = answeredClaim(key, refund.id, to)
    const outcome = await world.engine.runChild(refund, claim, world.rail(approved))
    expect(outcome).toMatchObject({ kind: 'settled', answer: { status: 200 } })
    expect((await findRequest(world.database, refund.walletId, key.requestId))?.answer?.body).toContain(
      refund.id,
    )
  })

  it('that completes sends no callback, and one that fails releases its reservation', async () => {
    const payment = await paid(approved)
    const events = statement<{ count: bigint }>('select count(*) as count from events')
    const [before] = await world.database.run(events)
    const [refund, failing] = [await childOf(payment, -300), await childOf(payment, -400)]
    expect(await world.engine.runChild(refund, undefined, world.rail(approved))).toMatchObject({
      kind: 'settled',
    })
    expect(await world.engine.runChild(failing, undefined, world.rail(declined))).toMatchObject({
      operation: { status: 'FAIL' },
    })
    expect((await world.stored(payment)).refunded).toBe(300n)
    expect(await world.database.run(events)).toEqual([before])
    const tooMuch = await childOf(payment, -701)
    const never = () => Promise.reject(new Error('asked'))
    expect(await world.engine.runChild(tooMuch, undefined, never)).toEqual({ kind: 'refused' })
  })
})

describe('a limit of the day', () => {
  it('refuses before the rail is asked, and counts nothing for a used key', async () => {
    // The wallets of this test are in no table, so the foreign key must go.
    await world.database.run(statement('alter table limit_days drop constraint limit_days_wallet_id_fkey'))
    const key = keyed()
    const run = (amount: number, of = key) => {
      const payment = world.payment({ walletId: 1002n, amount: cents(amount) })
      return world.engine.run(payment, answeredClaim(of, payment.id, to), world.rail(approved))
    }
    expect(await run(1000)).toMatchObject({ kind: 'settled' })
    expect(await run(500)).toEqual({ kind: 'repeated' })
    expect(await run(501)).toEqual({ kind: 'repeated' })
    // A refused request has not used its request id.
    const other = keyed()
    await expect(run(501, other)).rejects.toMatchObject({ refusal: { kind: 'limit_reached' } })
    expect(await run(500, other)).toMatchObject({ kind: 'settled' })
  })
})
