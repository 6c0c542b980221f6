// Bank orders that people settle manually.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bankFileChecks } from '../../src/bank-files/audit.ts'
import { openPostgres } from '../../src/storage/index.ts'
import { bankOf, endToEndId, type Line, statusReport } from '../bank-statements.ts'
import { findingsAfter } from '../broken-books.ts'
import { openWorld } from '../gateway-here.ts'
import { type Money, moneyOf } from '../money.ts'
import { type SignedIn, signIn } from '../people.ts'
import type { Json, World } from '../world.ts'

let world: World
let money: Money
let operator: SignedIn
let owner: SignedIn
let references = 0

beforeAll(async () => {
  world = await openWorld('postgres')
  money = moneyOf(world)
  operator = await signIn(world, 'operator@demo.example')
  owner = await signIn(world, 'owner@demo.example')
  const iban = 'PT50000201231234567890154'
  await world.cli('merchant', 'set', String(world.shop.wallet_id), '--iban', iban)
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const { importText, exported, ordered, close, ...bank } = bankOf(() => world)
const statement = async (...lines: Line[]): Promise<Json> => (await bank.statement(...lines)).json
const booked = (id: string, amount = '10.00', reason?: string): Line => ({
  ...{ amount, reference: `S-${references++}-${amount}` },
  details: [{ endToEndId: endToEndId(id), ...(reason !== undefined && { reason }) }],
})
const settle = (order: string, ...args: string[]) => world.cli('bank', 'settle', order, ...args)
const settled = async (order: string, ...args: string[]) => {
  const { code, json, text } = await settle(order, ...args, '--reason', 'letter of the bank')
  expect(code, text).toBe(0)
  return json
}
const cents = async () => Math.round(Number((await money.funds()).balance) * 100)
const unmatchedOf = async (id: string): Promise<Json[]> =>
  (await world.cli('bank', 'unmatched')).json.entries.filter(
    (one: Json) => one.end_to_end_id === endToEndId(id),
  )
const closed = (id: string) => close((one) => one.end_to_end_id === endToEndId(id))
const waiting = async (id: string): Promise<Json | undefined> =>
  (await world.cli('bank', 'orders')).json.orders.find((one: Json) => one.operation_id === id)

/** A debit at the bank, with its operation and file. */
async function debit(amount = 10): Promise<{ id: string; file: string }> {
  return { id: await ordered(amount), file: await exported() }
}

async function payout(): Promise<string> {
  await settled((await debit()).id, '--paid')
  const wallet = String(world.shop.wallet_id)
  const { json } = await world.cli('payout', '--wallet', wallet, '--amount', '5.00')
  await exported()
  return json.operation_id
}

describe('an order that is settled as paid', () => {
  it('is paid, with its callback, and the file that says so later is its confirmation, once', async () => {
    const { id } = await debit()
    const listed = (await waiting(id)) as Json
    expect(listed).toMatchObject({ kind: 'collection', amount: '10.00', waiting: null })
    expect(await settled(listed.order_id, '--paid')).toMatchObject({
      ...{ order_id: listed.order_id, operation_id: id, answer: 'paid', state: 'answered' },
    })
    expect(await world.operation(id)).toMatchObject({ status: 'COMPLETED', method: 'SEPA' })
    expect(await money.callbackOf(id, 'COMPLETED')).toMatchObject({ method: 'SEPA' })
    expect(await waiting(id)).toBeUndefined()
    const { balance } = await money.funds()
    expect(await statement(booked(id))).toMatchObject({ matched: 1, unmatched: 0, paid: 0, repeated: 0 })
    expect(await unmatchedOf(id)).toEqual([])
    expect(await statement(booked(id))).toMatchObject({ unmatched: 1 })
    expect(await unmatchedOf(id)).toMatchObject([{ problem: expect.stringContaining('was paid before') }])
    expect((await money.funds()).balance).toBe(balance)
    await closed(id)
  })

  it('is returned by a file as if a file had paid it', async () => {
    const { id } = await debit()
    await settled(id, '--paid')
    expect(await statement(booked(id, '-10.00', 'MD06'))).toMatchObject({ matched: 1, returned: 1 })
    const { body } = await world.shop.get('/api/v2/operations?type=REFUND&limit=30')
    const [refund] = body.elements.filter(({ parent }: Json) => parent === id)
    expect(refund).toMatchObject({ status: 'COMPLETED', amount: -10 })
    // The bank's answer comes last.
    expect(await statement(booked(id))).toMatchObject({ matched: 1, unmatched: 0, paid: 0 })
  })

  it('with others of its group is confirmed by one line, with those that the line pays', async () => {
    const checkouts = [await world.createCheckout(), await world.createCheckout()]
    for (const checkout of checkouts) await money.payByDebit(checkout)
    const group = /<PmtInfId>([^<]+)/.exec(await exported())?.[1] ?? ''
    const [first, second] = checkouts.map(({ payment }) => payment.id) as [string, string]
    await settled(first, '--paid')
    expect(await statement({ amount: '20.00', reference: 'GROUP', group })).toMatchObject({
      ...{ matched: 1, unmatched: 0, paid: 1 },
    })
    for (const id of [first, second]) expect(await world.operation(id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('and refused by a status report is shown to the operator', async () => {
    const { id, file } = await debit()
    await settled(id, '--paid')
    const refused = await importText(statusReport(file, { status: 'RJCT', reason: 'AC04' }))
    expect(refused.json).toMatchObject({ unmatched: 1, returned: 0 })
    expect((await world.cli('bank', 'unmatched')).json.orders).toMatchObject([
      { operation_id: id, hint: expect.stringMatching(/rejects it \(AC04\).*settled by hand as paid/) },
    ])
    await settled(id, '--returned')
    expect((await world.cli('bank', 'unmatched')).json.orders).toEqual([])
  })
})

describe('an order that is settled as returned', () => {
  it('fails; a file that says that it was paid is the operator’s, one that says that it came back is its confirmation', async () => {
    const { id } = await debit()
    await settled(id, '--returned')
    expect(await world.operation(id)).toMatchObject({ status: 'FAIL' })
    expect(await statement(booked(id))).toMatchObject({ matched: 0, unmatched: 1, paid: 0 })
    expect(await unmatchedOf(id)).toMatchObject([
      { problem: expect.stringMatching(/was settled by hand as returned \(command line, \d{4}/) },
    ])
    await closed(id)
    expect(await statement(booked(id, '-10.00'))).toMatchObject({ matched: 1, unmatched: 0, returned: 0 })
    expect(await statement(booked(id, '-10.00'))).toMatchObject({ unmatched: 1 })
    await closed(id)
  })

  it('and booked by the bank as paid and returned is confirmed by both', async () => {
    const { id } = await debit()
    await settled(id, '--returned')
    expect(await statement(booked(id), booked(id, '-10.00'))).toMatchObject({ matched: 2, unmatched: 0 })
    expect(await world.operation(id)).toMatchObject({ status: 'FAIL' })
  })

  it('after it was paid gives the money back, and is confirmed once', async () => {
    for (const how of ['by hand', 'by file']) {
      const { id } = await debit()
      if (how === 'by hand') await settled(id, '--paid')
      else await statement(booked(id))
      const before = await cents()
      expect(await settled(id, '--returned')).toMatchObject({ answer: 'returned', state: 'answered' })
      expect(await cents()).toBe(before - 1000)
      expect(await statement(booked(id, '-10.00'))).toMatchObject({ matched: 1, unmatched: 0, returned: 0 })
      expect(await cents()).toBe(before - 1000)
    }
  })

  it('after a part was refunded by transfer takes the rest, also when the file says so', async () => {
    const { id } = await debit()
    await settled(id, '--paid')
    await world.shop.post(`/api/v2/operations/${id}/refund`, { amount: 4 })
    await exported()
    expect(await settled(id, '--returned')).toMatchObject({ amount: '6.00' })
    expect(await statement(booked(id, '-10.00'))).toMatchObject({ matched: 1, returned: 0 })
    expect(await unmatchedOf(id)).toMatchObject([
      { amount: '4.00', problem: expect.stringContaining('had been refunded by transfer') },
    ])
    await closed(id)
  })

  it('is a payout that fails, and one that comes back', async () => {
    const id = await payout()
    const { balance } = await money.funds()
    await settled(id, '--returned')
    expect(await world.operation(id)).toMatchObject({ status: 'FAIL' })
    expect((await money.funds()).balance).toBe(balance)
    expect(await statement(booked(id, '5.00'))).toMatchObject({ matched: 1, transfers: 0, unmatched: 0 })
    const other = await payout()
    await settled(other, '--paid')
    expect(await world.operation(other)).toMatchObject({ status: 'COMPLETED' })
    const paid = await cents()
    await settled(other, '--returned')
    expect(await cents()).toBe(paid + 500)
  })
})

describe('who may', () => {
  it.each([
    ['without a reason', ['--paid']],
    ['with two answers', ['--paid', '--returned', '--reason', 'x']],
    ['without an answer', ['--reason', 'x']],
    ['with an invalid fee', ['--paid', '--reason', 'x', '--fee', 'much']],
    ['with a reason for an approval', ['--approve', '--reason', 'x']],
  ])('nobody settles %s', async (_, args) => {
    const { id } = await debit()
    expect((await settle(id, ...args)).code).toBe(2)
    expect(await world.operation(id)).toMatchObject({ status: 'PENDING' })
    await settled(id, '--returned')
  })

  it('refuses orders that no bank has, answered orders and unknown orders', async () => {
    const checkout = await world.createCheckout()
    await money.payByDebit(checkout)
    const { id } = checkout.payment
    const refusedWith = async (kind: string, text: string, order: string, ...args: string[]) => {
      const answer = await settle(order, ...args, '--reason', 'x')
      expect(answer).toMatchObject({ code: 1, json: { error: { kind } } })
      expect(answer.json.error.reason).toContain(text)
    }
    await refusedWith('illegal_state', 'is in no written file', id, '--paid')
    await exported()
    await settled(id, '--paid')
    await refusedWith('illegal_state', 'was paid before', id, '--paid')
    await settled(id, '--returned')
    await refusedWith('illegal_state', 'was returned before', id, '--paid')
    await refusedWith('illegal_state', 'was returned before', id, '--returned')
    await refusedWith('not_found', 'there is no order', '0198c2f4-5e77-7b20-93cd-2a6e8d0c4f19', '--paid')
  })

  it('above the limit a second person approves what the command line proposes, and not itself', async () => {
    const { id } = await debit(1500)
    const proposed = await settled(id, '--paid')
    expect(proposed).toMatchObject({ state: 'waiting', settled_by: 'command line' })
    expect(await world.operation(id)).toMatchObject({ status: 'PENDING' })
    expect(await waiting(id)).toMatchObject({
      waiting: { answer: 'paid', reason: 'letter of the bank', settled_by: 'command line' },
    })
    expect(await settle(id, '--returned', '--reason', 'x')).toMatchObject({ code: 1 })
    expect(await settle(id, '--approve')).toMatchObject({
      code: 1,
      json: { error: { kind: 'access_denied' } },
    })
    const { body: shown } = await operator.get('/operator/bank')
    const row = shown.open.find((one: Json) => one.id === proposed.order_id)
    expect(row).toMatchObject({ amount: '1500.00', waiting: { by: 'command line', answer: 'paid' } })
    const approved = await operator.send('POST', `/operator/bank/orders/${row.id}/approve`, {})
    expect(approved).toMatchObject({ status: 200, body: { state: 'answered' } })
    expect(await world.operation(id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('an operator proposes, withdraws, and cannot approve what they proposed; the command line can', async () => {
    const { id } = await debit(1200)
    const { order_id: order } = (await waiting(id)) as Json
    const send = (verb: string, body: Json = {}) =>
      operator.send('POST', `/operator/bank/orders/${order}/${verb}`, body)
    const proposal = { answer: 'returned', reason: 'by phone', fee: '2.50' }
    expect(await send('settle', { ...proposal, reason: ' ' })).toMatchObject({ status: 400 })
    expect(await send('settle', { ...proposal, fee: '1,505' })).toMatchObject({ status: 400 })
    expect(await send('approve')).toMatchObject({ status: 409 })
    expect(await send('settle', proposal)).toMatchObject({ body: { state: 'waiting' } })
    expect(await send('approve')).toMatchObject({ status: 403 })
    expect(await send('withdraw')).toMatchObject({ body: { state: 'withdrawn' } })
    expect(await waiting(id)).toMatchObject({ waiting: null })
    await send('settle', proposal)
    expect((await settle(order, '--approve')).json).toMatchObject({
      ...{ state: 'answered', settled_by: operator.email, approved_by: 'command line', fee: '2.50' },
    })
    expect(await world.operation(id)).toMatchObject({ status: 'FAIL' })
  })

  it('an answer that waits goes when a file gives it, and the other one stays', async () => {
    const { id } = await debit(1100)
    await settled(id, '--paid')
    await statement(booked(id, '1100.00'))
    expect(await waiting(id)).toBeUndefined()
    await settled(id, '--returned')
    expect(await waiting(id)).toMatchObject({ answer: 'paid', waiting: { answer: 'returned' } })
    expect((await settle(id, '--withdraw')).code).toBe(0)
    expect(await waiting(id)).toBeUndefined()
  })

  it('the merchant’s log has user, action, old and new values', async () => {
    const { id } = await debit()
    const { order_id: order } = (await waiting(id)) as Json
    const logged = (email: string): Promise<Json> =>
      world.eventually(async () => {
        const { actions } = (await owner.get(`/wallets/${world.shop.wallet_id}/actions`)).body
        return actions.find(
          (one: Json) =>
            one.email === email && one.changes?.some(({ field }: Json) => field === `order ${order}`),
        )
      })
    await settled(order, '--paid')
    expect(await logged('command line')).toMatchObject({
      action: 'Answer an order for the bank by hand',
      status: 200,
      changes: [{ field: `order ${order}`, old: 'not answered', new: 'paid by hand: letter of the bank' }],
    })
    await operator.send('POST', `/operator/bank/orders/${order}/settle`, {
      answer: 'returned',
      reason: 'e-mail',
    })
    expect(await logged(operator.email)).toMatchObject({
      changes: [{ old: 'paid', new: 'returned by hand: e-mail' }],
    })
  })
})

it.each([
  [
    'an order that was answered by nobody',
    `delete from bank_settlements where order_id in (select id from bank_orders where answer = 'paid')`,
    'bank_orders_are_answered_as_the_bank_booked_them',
  ],
  [
    'an order whose second person is missing',
    'update bank_settlements set approved_by = null, approved_at = null where needs_second',
    'bank_orders_are_answered_as_the_bank_booked_them',
  ],
  [
    'an answer that its order does not have',
    `update bank_orders set answer = null, answered_at = null, due_at = null
     where id in (select order_id from bank_settlements)`,
    'answers_by_hand_are_those_of_their_orders',
  ],
  [
    'an answer over another amount',
    'update bank_settlements set amount = amount - 1',
    'answers_by_hand_are_those_of_their_orders',
  ],
  [
    'an answer to an order that no bank has',
    'update bank_files set written_at = null',
    'answers_by_hand_are_those_of_their_orders',
  ],
  [
    'an answer without a second person of its own',
    `do $$ begin
       alter table bank_settlements drop constraint bank_settlements_check1;
       update bank_settlements set approved_by = settled_by where needs_second;
     end $$`,
    'answers_by_hand_say_who_and_why',
  ],
])('the audit sees %s', async (_, broken, check) => {
  const database = openPostgres({ url: world.databaseUrl as string })
  try {
    expect(await findingsAfter(database, bankFileChecks, 'select 1')).toEqual([])
    expect(await findingsAfter(database, bankFileChecks, broken)).toContain(check)
  } finally {
    await database.close()
  }
})
