// The model accepts a correct gateway, and names each false answer.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import type { Json, Merchant, World } from '../world.ts'
import { createChance } from './chance.ts'
import type { Books } from './model/books.ts'
import { createModel, type Model } from './model/model.ts'
import { createNotes } from './model/notes.ts'
import { checkRequests } from './model/requests.ts'
import { createHttpWire } from './soak/http-wire.ts'
import { type ReceiverServer, serveReceiver } from './soak/receiver-server.ts'
import { planOf } from './world/plan.ts'
import { createReceiver, receiverPath } from './world/receiver.ts'
import { actAll, drain } from './world/run.ts'
import type { Wire, WireAnswer } from './world/wire.ts'
import { createWorld, type World as RandomWorld, type Step } from './world/world.ts'

let world: World
let random: RandomWorld
let wire: ReturnType<typeof createHttpWire>
let server: ReceiverServer
const model: Model = createModel()
const triesMax = 30
const names = ['Demo Shop', 'Sub Shop A', 'Sub Shop B', 'Plain Shop']
let merchants: Merchant[]

const first: Step[] = [
  'storeCard',
  'payByCard',
  'payByCard',
  'refund',
  'createCheckout',
  'payOnPage',
  'makeReference',
  'payAtAtm',
].map((verb, seed) => ({ verb, seed, of: 0 }))

/** One of these reads the events of a merchant that has several. */
const readEvents: Step[] = [0, 1, 2, 3].map((seed) => ({ verb: 'verify', seed, of: 0 }))

beforeAll(async () => {
  world = await openWorld('postgres')
  wire = createHttpWire(() => world.baseUrl, world.baseUrl)
  merchants = names.map((name) => world.merchant(name))
  const receiver = createReceiver(model.witness, createChance('receiver'))
  server = await serveReceiver(receiver)
  const callbackUrl = ({ wallet_id }: { wallet_id: number }) => server.origin + receiverPath(wallet_id)
  for (const merchant of merchants)
    await world.request(`/sandbox/api/merchants/${merchant.wallet_id}/callback-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ callback_url: callbackUrl(merchant) }),
    })
  // The model knows refunds of references, as the simulation allows them.
  for (const { wallet_id } of merchants)
    await world.cli('merchant', 'set', String(wallet_id), '--mb-refunds', 'on')
  random = createWorld({ wire, merchants, witness: model.witness, callbackUrl, isOver: () => false })
  await actAll(random, [...first, ...planOf('model', 90), ...readEvents], 6)
  // With some seeds every card is declined, or nothing is refunded, so the test tries the next seed.
  for (let seed = 0; (await refunds()) === 0; seed++) {
    if (seed === triesMax) throw new Error('nothing was refunded')
    await actAll(random, [{ verb: 'payByCard', seed, of: 0 }], 1)
    await actAll(random, [{ verb: 'refund', seed, of: 0 }], 1)
  }
  await drain(random, receiver)
})
afterAll(async () => {
  await wire.close()
  await server.close()
  await world.stop()
})

async function refunds(): Promise<number> {
  const { body } = await world.shop.get('/api/v2/operations?type=REFUND&limit=30')
  return body.elements.filter(({ status }: Json) => status === 'COMPLETED').length
}

it('finds nothing wrong with a correct gateway', async () => {
  expect(await model.verdict(wire, merchants)).toEqual([])
  expect((await world.cli('audit')).json).toMatchObject({ ok: true })
  expect(model.counts().callbacks).toBeGreaterThan(5)
})

function lying(path: string, change: (body: Json) => unknown): Wire {
  return {
    ...wire,
    async send(request) {
      const answer = await wire.send(request)
      if (answer === undefined || !request.path.startsWith(path)) return answer
      const body = JSON.parse(answer.text)
      change(body)
      return { ...answer, text: JSON.stringify(body) } satisfies WireAnswer
    },
  }
}

const operations = '/api/v2/operations?'
const events = '/api/v2/events'

const ofFirst = (type: string, change: Json, method?: string) => (body: Json) => {
  const found = body.elements.find(
    (element: Json) =>
      element.type === type &&
      element.status === 'COMPLETED' &&
      (method === undefined || element.method === method),
  )
  if (found !== undefined) for (const name of Object.keys(change)) found[name] = change[name](found[name])
}

function twice(body: Json): void {
  body.elements.push(...body.elements.map((element: Json) => ({ ...element, id: `${element.id}x` })))
}

function withOneMore(body: Json): void {
  if (body.events.length > 0) body.events.push({ ...body.events[0], id: 'x' })
}

const ofEach = (change: (event: Json) => void) => (body: Json) => {
  for (const event of body.events) change(event)
}

const more = (by: number) => (amount: number) => amount + by

it.each([
  ['a fee', operations, ofFirst('PAYMENT', { fee: more(-0.01) }), 'has the fee'],
  ['a net', operations, ofFirst('PAYMENT', { amount_net: more(0.01) }), 'leaves'],
  ['a status that moved on', operations, ofFirst('PAYMENT', { status: () => 'FAIL' }), 'which is FAIL'],
  ['something left open', operations, ofFirst('PAYMENT', { status: () => 'PENDING' }), 'is PENDING after'],
  ['too much refunded', operations, ofFirst('REFUND', { amount: more(-9999) }), 'has refunds of'],
  ['an amount that changed', operations, ofFirst('PAYMENT', { amount: more(1) }, 'MB'), 'the ATM took'],
  ['a payment made twice', operations, twice, 'made 2 operations'],
  ['payments that are gone', operations, (body: Json) => body.elements.splice(0), 'is not in the list'],
  [
    'a balance',
    '/api/v2/balance',
    (body: Json) => Object.assign(body, { balance: 0.07 }),
    'has a balance of',
  ],
  ['an event that is gone', events, (body: Json) => body.events.shift(), 'has no event that says so'],
  ['an event that never came', events, withOneMore, 'never answered 200'],
  ['events in another order', events, (body: Json) => body.events.reverse(), 'was another one before'],
  ['a callback that differs', events, ofEach(({ body }) => Object.assign(body, { user: 1 })), 'differs from'],
  [
    'a delivery that stayed',
    events,
    ofEach(({ delivery }) => Object.assign(delivery, { state: 'DUE' })),
    'is DUE',
  ],
])('names %s', async (_, path, change, sentence) => {
  const verdict = await model.verdict(lying(path, change), merchants)
  expect(verdict.join('\n')).toContain(sentence)
})

it('names data of another merchant, a second execution, and a changed answer', async () => {
  const other = createModel()
  const [shop, plain] = [world.merchant('Demo Shop'), world.merchant('Plain Shop')]
  const answer = (text: string): WireAnswer => ({ status: 200, headers: {}, text })
  const request = { method: 'POST', path: '/api/v2/mb/pay', body: '{}' } as const
  const paid = { merchant: shop, verb: 'pay by reference', request, key: 'k' }
  other.witness.answered(paid, other.witness.asked(paid), answer('{"id":"a"}'))
  other.witness.answered(paid, other.witness.asked(paid), answer('{"id":"b"}'))
  const probe = { merchant: plain, verb: 'probe operation', request, isProbe: true }
  other.witness.answered(probe, other.witness.asked(probe), answer('{}'))
  const verdict = (await other.verdict(wire, [])).join('\n')
  expect(verdict).toContain('is about another merchant, and was answered 200')
  expect(verdict).toContain('was answered in two ways')
  expect(verdict).toContain('was executed 2 times')
})

/**
 * A payment that is sent twice. Time moves by `days` while the first waits, and the second is sent after `before`
 * days.
 */
function sentTwice(days: number, before: number) {
  const { notes, witness } = createNotes()
  const merchant = { wallet_id: 1000 } as Merchant
  const request = { method: 'POST', path: '/prows/v2/payment', headers: {} } as const
  const call = { merchant, verb: 'card payment', request, key: 'k', marker: 'm' }
  const twice = [{ operations: ['a', 'b'].map((id) => ({ id, type: 'PAYMENT', ext_invoiceid: 'm' })) }]
  const slow = witness.asked(call)
  witness.moved(before * 86_400)
  witness.answered(call, witness.asked(call), { status: 200, headers: {}, text: '{"id":"b"}' })
  witness.moved((days - before) * 86_400)
  witness.answered(call, slow, undefined)
  return checkRequests(notes, twice as unknown as Books[])
}

it('expects nothing of an expired key, counted from its first sending', () => {
  expect(sentTwice(28, 3)).toEqual([expect.stringContaining('made 2 operations')])
  expect(sentTwice(41, 3)).toEqual([])
  expect(sentTwice(41, 41)).toEqual([])
})

function refusedAndDone(before: WireAnswer | undefined) {
  const { notes, witness } = createNotes()
  const merchant = { wallet_id: 1000 } as Merchant
  const request = { method: 'POST', path: '/api/v2/authorizations/a/capture', headers: {} } as const
  const call = { merchant, verb: 'capture', request, key: 'k', marker: 'm' }
  witness.answered(call, witness.asked(call), before)
  witness.answered(call, witness.asked(call), { status: 409, headers: {}, text: '{"code":40015}' })
  return checkRequests(notes, [
    { operations: [{ id: 'a', type: 'CAPTURE', ext_invoiceid: 'm' }] },
  ] as unknown as Books[])
}

it('takes a refusal as final, unless an unanswered copy may arrive later', () => {
  const busy = { status: 409, headers: {}, text: '{"code":10014}' }
  expect(refusedAndDone(busy)).toEqual([expect.stringContaining('was refused, but made operation a')])
  expect(refusedAndDone(undefined)).toEqual([])
})
