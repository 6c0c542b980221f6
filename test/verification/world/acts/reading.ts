// Reads of merchants, including tries to read objects of others.
import type { Chance } from '../../chance.ts'
import { ask } from '../ask.ts'
import { type Act, earlier, type Kind, kinds, someMerchant } from '../world.ts'

const day = (chance: Chance) => `2026-11-${String(1 + chance.below(28)).padStart(2, '0')}`

const read: Act = async (world, _step, chance) => {
  const merchant = someMerchant(world, chance)
  const path = chance.pick([
    '/api/v2/operations?limit=30',
    `/api/v2/operations?limit=30&offset=${chance.below(5)}`,
    `/api/v2/operations?type=${chance.pick(['PAYMENT', 'REFUND', 'CAPTURE', 'AUTH'])}&startdate=${day(chance)}`,
    '/api/v2/authorizations?limit=30',
    '/api/v2/balance',
    '/api/v2/payouts',
    '/api/v2/payouts/schedule',
    `/api/v2/statement?startdate=${day(chance)}`,
    `/api/v2/fees?startdate=${day(chance)}`,
    '/api/v2/payment_links',
    '/api/v2/mandate/mbway',
    '/api/v2/request_log',
    '/api/v2/wallets/methods',
    '/api/v2/anon/images/button?methods=CC,MB&style=REGULAR&culture=PT&type=BUY',
    '/api/v2/events?limit=100',
  ])
  await ask(world, merchant, { verb: 'read', method: 'GET', path }, chance)
}

const readOne: Act = async (world, step, chance) => {
  const kind = chance.happens(0.6) ? 'operation' : 'authorization'
  const thing = earlier(world, kind, step)
  if (thing === undefined) return
  const path = `/api/v2/${kind}s/${thing.id}`
  await ask(world, thing.merchant, { verb: `read ${kind}`, method: 'GET', path }, chance)
}

const readRequest: Act = async (world, step, chance) => {
  const request = earlier(world, 'request', step)
  if (request === undefined) return
  const path = `/api/v2/requests/${request.id}`
  await ask(world, request.merchant, { verb: 'read request', method: 'GET', path }, chance)
}

const verify: Act = async (world, _step, chance) => {
  const merchant = someMerchant(world, chance)
  const answer = await ask(
    world,
    merchant,
    { verb: 'read events', method: 'GET', path: '/api/v2/events?limit=100' },
    chance,
  )
  const events = answer?.body?.events ?? []
  if (events.length === 0) return
  const { body } = chance.pick(events) as { body: { amount?: number } }
  const isForged = chance.happens(0.3) && typeof body.amount === 'number'
  const sent = isForged ? { ...body, amount: (body.amount ?? 0) + 0.01 } : body
  const verb = isForged ? 'verify forgery' : 'verify'
  await ask(world, merchant, { verb, method: 'POST', path: '/api/v2/callback/verify', body: sent }, chance)
}

/** The addresses of each kind of object, to read it and to change it. */
const addresses: Readonly<
  Partial<Record<Kind, (id: string) => readonly (readonly ['GET' | 'POST' | 'DELETE', string])[]>>
> = {
  checkout: (id) => [
    ['GET', `/api/v2/checkout/${id}`],
    ['DELETE', `/api/v2/checkout/${id}`],
  ],
  customer: (id) => [
    ['GET', `/api/v2/customers/${id}`],
    ['GET', `/api/v2/customers/${id}/payment_methods`],
    ['DELETE', `/api/v2/customers/${id}`],
  ],
  operation: (id) => [
    ['GET', `/api/v2/operations/${id}`],
    ['POST', `/api/v2/operations/${id}/refund`],
  ],
  authorization: (id) => [
    ['GET', `/api/v2/authorizations/${id}`],
    ['POST', `/api/v2/authorizations/${id}/capture`],
    ['POST', `/api/v2/authorizations/${id}/release`],
  ],
  subscription: (id) => [
    ['GET', `/api/v2/subscriptions/${id}`],
    ['DELETE', `/api/v2/subscriptions/${id}`],
  ],
  mandate: (id) => [
    ['GET', `/api/v2/mandate/mbway/${id}`],
    ['DELETE', `/api/v2/mandate/mbway/${id}`],
  ],
  refundPage: (id) => [
    ['GET', `/api/v2/operations/${id}/refund_account`],
    ['DELETE', `/api/v2/operations/${id}/refund_account`],
  ],
  endpoint: (id) => [
    ['GET', `/api/v2/callback_endpoints/${id}`],
    ['GET', `/api/v2/callback_endpoints/${id}/deliveries`],
    ['POST', `/api/v2/callback_endpoints/${id}/resend`],
  ],
  request: (id) => [['GET', `/api/v2/requests/${id}`]],
  link: (id) => [
    ['GET', `/api/v2/payment_links/${id}`],
    ['DELETE', `/api/v2/payment_links/${id}`],
  ],
}

const probe: Act = async (world, step, chance) => {
  const kind = chance.pick(kinds.filter((one) => addresses[one] !== undefined))
  const thing = earlier(world, kind, step)
  const others = world.merchants.filter((merchant) => merchant !== thing?.merchant)
  if (thing === undefined || others.length === 0) return
  const [method, path] = chance.pick(addresses[kind]?.(thing.id) ?? [])
  const body = method === 'POST' ? { body: {} } : {}
  await ask(
    world,
    chance.pick(others),
    { verb: `probe ${kind}`, method, path, ...body, isProbe: true },
    chance,
  )
}

export const readingActs = { read, readOne, readRequest, verify, probe } as const satisfies Record<
  string,
  Act
>
