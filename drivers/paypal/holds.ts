// Holds at PayPal: captures in parts, and the release of the whole rest.
import type { RailRequest } from '../../src/connections/index.ts'
import { cents } from '../../src/kernel/money.ts'
import type {
  HoldAnswer,
  NotReceived,
  UnknownAnswer,
  WalletFollowUp,
  WalletFollowUpAnswer,
  WalletHolds,
} from '../../src/rails/index.ts'
import { PaypalRefusal } from './client.ts'
import {
  type Authorization,
  answerOfCapture,
  authorizationOf,
  type Capture,
  createOnce,
  hundredthsOf,
  keptOf,
  moneyOf,
  type Order,
  type PaypalDeps,
} from './model.ts'
import { findOrder } from './orders.ts'

type Verb = 'capture' | 'release'
type Answer = WalletFollowUpAnswer | UnknownAnswer

const notPermitted = { kind: 'declined', decline: 'not_permitted' } as const

/**
 * PayPal keeps the request id of a capture for 45 days, and a second void has no effect. So if the answer to a step
 * was not recorded, the driver sends the step again, and gets the result of the first request.
 */
export function createHolds(deps: PaypalDeps): WalletHolds {
  const { paypal, requests } = deps
  const once = createOnce<Answer>()
  const follow = (verb: Verb, asked: WalletFollowUp, signal?: AbortSignal) =>
    once(asked.key, () => begin(deps, verb, asked, signal))
  return {
    capture: (asked, signal) => follow('capture', asked, signal),
    release: (asked, signal) => follow('release', asked, signal),
    async inquireFollowUp(key): Promise<Answer | NotReceived> {
      const request = await requests.find(key)
      const verb = (['capture', 'release'] as const).find((one) => request?.steps[one] !== undefined)
      if (request === undefined || verb === undefined) return { kind: 'not_found' }
      return once(key, () => send(deps, verb, request, undefined))
    },
    async inquireHold(key): Promise<HoldAnswer> {
      const authorization = (await requests.find(key))?.ids.authorization
      if (authorization === undefined) return { kind: 'not_found' }
      try {
        const { status } = await paypal.call<Authorization>('GET', pathOf(authorization))
        return { kind: /^(CREATED|PARTIALLY_CAPTURED|PENDING)$/.test(status) ? 'held' : 'ended' }
      } catch (error) {
        if (error instanceof PaypalRefusal && error.status === 404) return { kind: 'ended' }
        throw error
      }
    },
  }
}

const pathOf = (authorization = '') => `/v2/payments/authorizations/${authorization}`

async function begin(
  deps: PaypalDeps,
  verb: Verb,
  { key, payment, amount }: WalletFollowUp,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { requests, paypal } = deps
  const hold = await requests.find(payment)
  const authorization = hold?.ids.authorization
  if (hold?.providerId === undefined || authorization === undefined) return notPermitted
  const known = await requests.find(key)
  if (known?.steps[verb] === undefined) {
    const answer = { amount: String(amount), currency: keptOf(hold).currency, intent: 'capture' }
    await requests.record(key, 'follow', { ids: { order: hold.providerId, authorization }, answer })
  }
  const { before, request } = await requests.begin(key, verb)
  const order = before === 'new' ? await findOrder(paypal, hold, signal) : undefined
  // PayPal would capture up to 115 % of the hold, and a void always releases all that is left.
  const left = order && leftOf(order)
  if (left !== undefined && (verb === 'capture' ? amount > left : amount !== left))
    return decline(deps, key, verb)
  return send(deps, verb, request, signal)
}

function leftOf(order: Order): bigint | undefined {
  const held = hundredthsOf(authorizationOf(order)?.amount)
  const captures = order.purchase_units?.[0]?.payments?.captures ?? []
  const taken = captures
    .filter(({ status }) => !/^(DECLINED|FAILED)$/.test(status))
    .reduce((sum, { amount }) => sum + (hundredthsOf(amount) ?? 0n), 0n)
  return held === undefined ? undefined : held - taken
}

async function send(
  deps: PaypalDeps,
  verb: Verb,
  request: RailRequest,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { key, status, ids } = request
  if (status === 'declined') return notPermitted
  if (ids.capture !== undefined)
    return answerOf(await deps.paypal.call<Capture>('GET', `/v2/payments/captures/${ids.capture}`), request)
  try {
    return await (verb === 'capture' ? capture(deps, request, signal) : release(deps, request, signal))
  } catch (error) {
    // The hold has ended, or cannot be changed. After any other status, such as 409 or 429, the gateway asks again.
    if (!(error instanceof PaypalRefusal) || !/^(400|404|422)$/.test(String(error.status))) throw error
    return decline(deps, key, verb)
  }
}

async function decline({ requests }: PaypalDeps, key: string, verb: Verb): Promise<Answer> {
  await requests.record(key, verb, { status: 'declined' })
  return notPermitted
}

async function capture(
  { paypal, requests }: PaypalDeps,
  request: RailRequest,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const { key, ids } = request
  const { amount, currency } = keptOf(request)
  const made = await paypal.call<Capture>('POST', `${pathOf(ids.authorization)}/capture`, {
    body: { amount: moneyOf(cents(BigInt(amount)), currency), final_capture: false },
    requestId: `${key}-capture`,
    signal,
  })
  await requests.record(key, 'capture', {
    providerId: made.id,
    ids: { capture: made.id },
    status: made.status,
  })
  return answerOf(made, request)
}

function answerOf(made: Capture, request: RailRequest): Answer {
  const answer = answerOfCapture(made, keptOf(request))
  if (answer.kind === 'paid') return { kind: 'approved', reference: answer.reference }
  if (answer.kind === 'declined') return { kind: 'declined', decline: 'refused' }
  return { kind: 'unknown', why: `PayPal reports the capture as ${made.status}` }
}

/** Reads the state first, because a void has no request id. */
async function release(
  { paypal }: PaypalDeps,
  { ids }: RailRequest,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const path = pathOf(ids.authorization)
  const held = await paypal.call<Authorization>('GET', path, { signal })
  if (held.status !== 'VOIDED')
    await paypal.call('POST', `${path}/void`, { body: {}, signal }).catch(voidedBefore)
  return { kind: 'approved', reference: held.id }
}

function voidedBefore(error: unknown): void {
  if (!(error instanceof PaypalRefusal) || error.issue !== 'PREVIOUSLY_VOIDED') throw error
}
