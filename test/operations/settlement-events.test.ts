// Events and answers of a settlement, and statements that settle several.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findRequest } from '../../src/idempotency/store.ts'
import { cents } from '../../src/kernel/money.ts'
import type { NewOperation, Operation } from '../../src/operations/index.ts'
import type { ChildType } from '../../src/operations/model.ts'
import type { Settlement } from '../../src/operations/settle/model.ts'
import {
  createSettle,
  settlementParameters,
  settlementRow,
  writeSettlements,
} from '../../src/operations/settle/settle.ts'
import { type SettlingKind, settleStatements } from '../../src/operations/settle/settle-sql.ts'
import type { Wallet } from '../../src/wallets/index.ts'
import { halfFor, openSettleWorld, type SettleWorld } from './settle-world.ts'

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

const hold = async () => world.complete(await world.opened(shop, { type: 'AUTH' }))

describe('an event', () => {
  it.each<[string, Partial<Wallet>, Change, boolean | undefined, string[]]>([
    ['of a payment goes to the merchant', {}, {}, undefined, ['wallet DUE']],
    ["of the merchant's own request does not", {}, {}, true, []],
    ['of that does, if the merchant wants it', { selfEvents: true }, {}, true, ['wallet DUE']],
    ['of another cause does', {}, {}, false, ['wallet DUE']],
    ['goes nowhere without an address', { callbackUrl: null }, {}, undefined, ['wallet NO_ENDPOINT']],
    [
      'goes to the address of the call',
      { callbackUrl: null },
      { callbackUrl: 'http://shop.example/one' },
      undefined,
      ['operation DUE'],
    ],
    ['of a consumer’s money goes to nobody', { kind: 'consumer' }, {}, undefined, []],
  ])('%s', async (_what, wallet, change, silent, goesTo) => {
    const payment = await world.opened(world.wallet(wallet), change)
    const settled = await world.complete(payment, { silent })
    expect(await world.events(payment.id)).toEqual(goesTo.map((where) => `operation COMPLETED ${where}`))
    const offered = goesTo.map(() => [
      `offered COMPLETED of ${payment.id}`,
      `committed COMPLETED of ${payment.id}`,
    ])
    expect(world.sent().filter((line) => !line.startsWith('made'))).toEqual(offered.flat())
    const [{ payload, url, id } = { payload: '{}', url: '', id: '' }] = await world.eventRows(payment.id)
    if (goesTo.length === 0) return
    expect(JSON.parse(payload)).toMatchObject({
      event: 'COMPLETED',
      operation_status: 'COMPLETED',
      operation_id: settled.id,
    })
    expect([url, id.length]).toEqual([change.callbackUrl ?? null, 36])
  })

  it('of an operation that was settled otherwise, or not written, is not sent', async () => {
    const payment = await world.opened(shop)
    const others = { ...payment, attemptId: randomUUID() }
    await world.settle(payment, { status: 'FAIL', guard: world.decidedBy(others) })
    const notSent = [`offered FAIL of ${payment.id}`, `abandoned FAIL of ${payment.id}`]
    const outcomes = () => world.sent().filter((line) => !line.startsWith('made'))
    expect(outcomes()).toEqual(notSent)
    await expect(world.fail(payment, { error: '\0' })).rejects.toThrow()
    expect(outcomes()).toEqual(notSent)
    expect(await world.events(payment.id)).toEqual([])
  })

  it('that was not reserved when its statement failed is not sent, with the reason', async () => {
    const postingRows = () => Promise.reject(new Error('the books are out of reach'))
    world.settleWith({ ledger: { ...world.deps.ledger, postingRows } })
    const payment = await world.opened(shop)
    await expect(world.complete(payment)).rejects.toThrow('the books are out of reach')
    expect(await world.events(payment.id)).toEqual([])
  })

  it('is sent without a list of created events', async () => {
    world.settleWith({ callbacks: { ...world.deps.callbacks, made: undefined } })
    const payment = await world.opened(shop)
    await world.complete(payment)
    const [offered, committed] = [
      `offered COMPLETED of ${payment.id}`,
      `committed COMPLETED of ${payment.id}`,
    ]
    expect(world.sent()).toEqual([offered, committed])
  })

  it('of others is recorded with it, and each is listed as created', async () => {
    const id = randomUUID()
    const { subscriptionId, chargeId } = await world.charge(shop, id)
    const payment = await world.opened(shop, { id, subscriptionId })
    await world.complete(payment)
    expect(await world.events(id)).toEqual(['operation COMPLETED wallet DUE'])
    expect(await world.events(chargeId)).toEqual(['charge SUCCESS wallet DUE'])
    expect(await world.count(`charges where id = $1 and status = 'SUCCESS'`, chargeId)).toBe(1)
    const ids = [...(await world.eventRows(id)), ...(await world.eventRows(chargeId))].map((row) => row.id)
    const sent = world.sent()
    expect(sent.filter((line) => line.startsWith('made'))).toEqual(ids.map((event) => `made ${event}`))
    expect(sent).toEqual(
      expect.arrayContaining([`committed COMPLETED of ${id}`, `committed SUCCESS of ${chargeId}`]),
    )
  })

  it.each([
    ['silent', { silent: true }, [], 'SUCCESS'],
    ['settled otherwise', { guard: { kind: 'no_rail_deciding' } }, [], 'PROCESSING'],
    ['given its events', { extraEvents: [] }, ['operation COMPLETED wallet DUE'], 'SUCCESS'],
  ] as const)('of a charge whose payment is %s is not recorded', async (_how, more, events, status) => {
    const id = randomUUID()
    const { subscriptionId, chargeId } = await world.charge(shop, id)
    const payment = await world.opened(shop, { id, subscriptionId })
    await world.settle(payment, { status: 'COMPLETED', guard: world.decidedBy(payment), ...more })
    expect(await world.events(chargeId)).toEqual([])
    expect(await world.events(id)).toEqual(events)
    expect(await world.count('charges where id = $1 and status = $2', chargeId, status)).toBe(1)
  })

  it('of a subscription has no receiver without subscriptions', async () => {
    world.settleWith({ extension: undefined })
    const id = randomUUID()
    const { subscriptionId, chargeId } = await world.charge(shop, id)
    await world.complete(await world.opened(shop, { id, subscriptionId }))
    expect(await world.events(id)).toEqual(['operation COMPLETED wallet DUE'])
    expect(await world.count(`charges where id = $1 and status = 'PROCESSING'`, chargeId)).toBe(1)
  })
})

describe('the answer to the request', () => {
  async function asked(resourceId: string): Promise<string> {
    const requestId = randomUUID()
    await world.run(
      `insert into requests (wallet_id, request_id, fingerprint, resource_id, href, created_at)
       values ($1, $2, '\\x01', $3, '/', now())`,
      shop.id,
      requestId,
      resourceId,
    )
    return requestId
  }
  const answerOf = ({ status, fee }: Operation) => ({ status: 200, body: `${status} for ${fee}` })
  const kept = async (requestId: string) => (await findRequest(world.database, shop.id, requestId))?.answer

  it.each(['PAYMENT', 'AUTH'] as const)('of a %s is stored with it, and returned', async (type) => {
    const payment = await world.opened(shop, { type })
    const requestId = await asked(payment.id)
    const settlement = { status: 'COMPLETED', guard: world.decidedBy(payment) } as const
    const outcome = await world.settle(payment, { ...settlement, request: { requestId, answerOf } })
    const answer = { status: 200, body: `COMPLETED for ${type === 'AUTH' ? 0 : -25}` }
    expect(outcome).toMatchObject({ operation: { id: payment.id }, answer })
    expect(await kept(requestId)).toEqual(answer)
  })

  it('is not stored if it is not known yet, or the request made another operation', async () => {
    const [unknown, other] = [await world.opened(shop), await world.opened(shop)]
    const [first, second] = [await asked(unknown.id), await asked(randomUUID())]
    const settled = async (payment: Operation, request: NonNullable<Settlement['request']>) =>
      world.settle(payment, { status: 'COMPLETED', guard: world.decidedBy(payment), request })
    const outcomes = [
      await settled(unknown, { requestId: first, answerOf: () => undefined }),
      await settled(other, { requestId: second, answerOf }),
    ]
    expect(outcomes).toMatchObject([{ answer: undefined }, { answer: undefined }])
    expect(outcomes.map((outcome) => outcome?.operation.status)).toEqual(['COMPLETED', 'COMPLETED'])
    expect([await kept(first), await kept(second)]).toEqual([undefined, undefined])
  })
})

describe('settlements at the same time', () => {
  const outcomes = () => world.sent().flatMap((line) => /^(offered|committed)/.exec(line)?.[0] ?? [])

  it.each<[ChildType]>([['CAPTURE'], ['RELEASE']])(
    'of two %sS of one authorization are written one after the other',
    async (type) => {
      const held = await hold()
      const children = [await world.child(held, type, 100), await world.child(held, type, 200)]
      world.sent()
      await Promise.all(children.map((one) => world.fail(one)))
      expect(outcomes()).toEqual(['offered', 'committed', 'offered', 'committed'])
      expect(await world.stored(held)).toMatchObject({ captured: 0n, captures: 0, released: 0n })
    },
  )

  it('of two refunds of one payment are written together', async () => {
    const payment = await world.complete(await world.opened(shop))
    const refunds = [await world.child(payment, 'REFUND', -300), await world.child(payment, 'REFUND', -200)]
    world.sent()
    await Promise.all(refunds.map((refund) => world.complete(refund)))
    expect(outcomes()).toEqual(['offered', 'offered', 'committed', 'committed'])
  })

  it('of two payments are written together, and alone after a failure', async () => {
    const payments = [await world.opened(shop), await world.opened(shop)]
    await Promise.all(payments.map((payment) => world.complete(payment)))
    expect(outcomes()).toEqual(['offered', 'offered', 'committed', 'committed'])
    const [good, bad] = [await world.opened(shop), await world.opened(shop)]
    const both = await Promise.allSettled([world.complete(good), world.fail(bad, { error: '\0' })])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await world.stored(good)).toMatchObject({ status: 'COMPLETED' })
    expect(await world.stored(bad)).toMatchObject({ status: 'PENDING' })
  })

  it('of one payment by two approvals are one', async () => {
    const payment = await world.opened(shop)
    const settlement = { status: 'COMPLETED', guard: world.decidedBy(payment) } as const
    const both = await Promise.all([
      world.settle(payment, settlement),
      createSettle(world.deps)(payment, settlement),
    ])
    expect(both.filter((outcome) => outcome !== undefined)).toHaveLength(1)
    expect(await world.booked(payment)).toHaveLength(2)
  })
})

describe('a statement', () => {
  type Asked = readonly [Operation, Partial<Settlement>]
  async function parametersOf(...settlements: readonly Asked[]) {
    const rows = await Promise.all(
      settlements.map(([operation, more]) =>
        settlementRow(world.deps, operation, {
          ...{ status: 'COMPLETED', guard: world.decidedBy(operation) },
          ...more,
        } as Settlement),
      ),
    )
    return settlementParameters(world.deps.ledger, rows)
  }

  it('has only the parts that it needs', async () => {
    const payment = await world.opened(shop)
    const [held, subscribed] = [
      await world.opened(shop, { type: 'AUTH' }),
      await world.opened(shop, { subscriptionId: randomUUID() }),
    ]
    const refund = await world.opened(shop, { type: 'REFUND', amount: cents(-100) })
    const divided = await world.opened(shop, { split: halfFor(world.wallet()) })
    const answered = { request: { requestId: randomUUID(), answerOf: () => ({ status: 200, body: '' }) } }
    const failed = { status: 'FAIL' } as const
    const kindOf = async (...settlements: readonly Asked[]) => (await parametersOf(...settlements)).kind
    expect(await kindOf([payment, {}])).toBe('simple')
    expect(await kindOf([payment, failed])).toBe('simple')
    expect(await kindOf([refund, {}])).toBe('simple')
    expect(await kindOf([payment, answered])).toBe('answered')
    expect(await kindOf([payment, {}], [payment, answered])).toBe('answered')
    expect(await kindOf([payment, answered], [held, {}])).toBe('related')
    expect(await kindOf([refund, failed], [payment, {}])).toBe('related')
    expect(await kindOf([payment, {}], [subscribed, {}])).toBe('extended')
    expect(await kindOf([divided, failed])).toBe('simple')
    expect(await kindOf([divided, {}], [subscribed, {}])).toBe('split')
    const takes = [{ position: 0, walletId: shop.id, transferId: randomUUID(), amount: cents(1) }]
    const refundSplit = { source: 'proportion', shareRefunds: takes } as const
    expect(await kindOf([{ ...refund, refundSplit }, {}])).toBe('split')
  })

  it('costs nothing for parts that its kind does not need', () => {
    const statements = settleStatements(world.deps.extension?.sql)
    const parts = [
      'update requests',
      'authorization_timers',
      'extra_event',
      'update charges',
      'insert into shares',
    ]
    const partsOf = (kind: SettlingKind) => parts.filter((part) => statements[kind].text.includes(part))
    expect(partsOf('simple')).toEqual([])
    expect(partsOf('answered')).toEqual(parts.slice(0, 1))
    expect(partsOf('related')).toEqual(parts.slice(0, 2))
    expect(partsOf('extended')).toEqual(parts.slice(0, 4))
    expect(partsOf('split')).toEqual(parts)
  })

  it('answers for each row whether it was settled', async () => {
    const payment = await world.opened(shop)
    const guard = world.decidedBy(payment)
    const write = async () => {
      const row = await settlementRow(world.deps, payment, { status: 'COMPLETED', guard })
      return writeSettlements(world.deps, settleStatements(undefined), [row])
    }
    expect([await write(), await write()]).toEqual([['settled'], ['lost']])
  })

  it('settles in the order of the ids', async () => {
    const ids = Array.from({ length: 3 }, () => randomUUID()).sort()
    const [first, second, third] = await Promise.all(ids.map((id) => world.opened(shop, { id })))
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('three were opened')
    const { values } = await parametersOf([second, {}], [third, {}], [first, {}])
    expect(values[0]).toBe(`{${ids.map((id) => `"${id}"`).join(',')}}`)
  })
})
