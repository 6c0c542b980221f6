// MB WAY at ifthenpay: payments that the customer approves on the phone.
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { RailRequest } from '../../src/connections/index.ts'
import { keyedMutex } from '../../src/kernel/concurrency.ts'
import { decimalText } from '../../src/kernel/money.ts'
import { after, minute } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'
import { textOf } from './client.ts'
import * as orders from './orders.ts'
import { cancelRefund, inquireRefund, refund, reverse } from './refunds.ts'
import { declineAtCreate, stateOf } from './rules.ts'

/** Later than the end of a request, ifthenpay shows a final state (observed: within two minutes). */
const graceMs = 15 * minute

type Answer = rails.WalletPaymentAnswer | rails.UnknownAnswer | rails.NotReceived

export function mobileWalletOf(deps: orders.Ifthenpay): rails.MobileWallet {
  const { requests } = deps
  const one = keyedMutex<rails.WalletPaymentAnswer | rails.UnknownAnswer>()
  const unsupported = async ({ key }: { readonly key: string }) => {
    await orders.decline(deps, key, 'refund', 'not_permitted')
    return orders.declined('not_permitted')
  }
  return {
    lacks: () => ['mandates', 'holds', 'partial releases', 'withdrawal'],
    findCustomer: async () => ({ kind: 'unsupported' }),
    async requestPayment(asked, signal) {
      signal?.throwIfAborted()
      return one(asked.key, () => request(deps, asked, signal))
    },
    inquirePayment: (key) => inquire(deps, key),
    async withdrawPayment(key) {
      const { request: known } = await requests.begin(key, 'withdraw')
      return known.steps.create0 === undefined ? orders.declined('withdrawn') : inquire(deps, key)
    },
    requestMandate: async () => orders.declined('not_permitted'),
    withdrawMandate: async () => ({ kind: 'not_found' }),
    mandateHistory: async () => ({ kind: 'not_found' }),
    cancelMandate: async () => ({ kind: 'not_found' }),
    capture: unsupported,
    release: unsupported,
    refund: ({ key, payment: original, amount }, signal) => refund(deps, { key, original, amount }, signal),
    inquireFollowUp: (key) => inquireRefund(deps, key),
    cancelFollowUp: (key) => cancelRefund(deps, key),
    reverse: (reversal, signal) => reverse(deps, reversal, signal),
  }
}

async function request(
  deps: orders.Ifthenpay,
  asked: rails.WalletPaymentRequest,
  signal: AbortSignal | undefined,
): Promise<rails.WalletPaymentAnswer | rails.UnknownAnswer> {
  const { key, amount, expires } = asked
  const known = await orders.note(deps, key, { kind: 'payment', amount: String(amount), until: expires })
  const isNew = orders.declineIn(known) === undefined && known.steps.create0 === undefined
  const why = isNew ? whyNot(deps, asked, known.steps) : undefined
  if (why !== undefined) await orders.decline(deps, key, 'order', why)
  else if (isNew && (await orders.make(deps, key, orderOf(deps, asked), signal))?.ids.request0)
    return { kind: 'waiting' }
  const answer = await inquire(deps, key)
  return answer.kind === 'not_found' ? { kind: 'unknown', why: 'another process sends it' } : answer
}

function whyNot(
  { clock }: orders.Ifthenpay,
  { intent, opens, currency, expires }: rails.WalletPaymentRequest,
  { withdraw }: RailRequest['steps'],
): rails.WalletDecline | undefined {
  if (withdraw !== undefined) return 'withdrawn'
  if (intent === 'hold' || opens !== undefined || currency !== 'EUR') return 'not_permitted'
  return clock.now() >= expires ? 'expired' : undefined
}

function orderOf({ settings }: orders.Ifthenpay, asked: rails.WalletPaymentRequest): orders.NewOrder {
  const { amount, phone, merchant } = asked
  const { countryCallingCode, nationalNumber } = parsePhoneNumberFromString(phone) ?? {}
  return {
    path: '/spg/payment/mbway',
    body: {
      ...{ mbWayKey: settings.mbwayKey, amount: decimalText(amount), email: '' },
      mobileNumber: `${countryCallingCode}#${nationalNumber}`,
      description: merchant.name.slice(0, orders.textLengthMax),
    },
    read(answer) {
      const [code = '', request = ''] = [answer.Status, answer.RequestId].map(textOf)
      if (code === '000') return request === '' ? undefined : { request }
      return declineAtCreate(code)
    },
    // The customer may have been asked.
    again: false,
  }
}

async function inquire(deps: orders.Ifthenpay, key: string): Promise<Answer> {
  const { requests, clock, client } = deps
  const known = await requests.find(key)
  const kept = orders.declineIn(known)
  if (kept !== undefined) return orders.declined(kept as rails.WalletDecline)
  if (known?.steps.create0 === undefined)
    return known?.steps.withdraw === undefined ? { kind: 'not_found' } : orders.declined('withdrawn')
  const requestId = known.ids.request0
  const state = requestId === undefined ? undefined : stateOf(await client.statusOf(requestId))
  const until = orders.notedOf(known)?.until ?? clock.now()
  if (state === undefined && requestId !== undefined && clock.now() < until) return { kind: 'waiting' }
  const payments = await orders.paymentsOf(deps, known)
  if (payments.length > 0) return paidAnswer(known, state, payments)
  // The list can lag behind the status, which is documented as the proof of payment.
  if (state === 'paid') return { kind: 'approved', reference: requestId ?? '', byMandate: false }
  if (state !== undefined) return orders.declined(state)
  return clock.now() < after(until, graceMs)
    ? { kind: 'unknown', why: 'ifthenpay has not decided, or the request was lost' }
    : { ...orders.declined('expired'), mayArrive: true }
}

function paidAnswer(
  { ids, answer }: RailRequest,
  state: ReturnType<typeof stateOf>,
  [paid, ...more]: Awaited<ReturnType<typeof orders.paymentsOf>>,
): Answer {
  const { amount = 0n, requestId = '' } = paid ?? {}
  const isOurs =
    amount === BigInt((answer as orders.Noted).amount) && requestId === (ids.request0 ?? requestId)
  return isOurs && more.length === 0 && (state ?? 'paid') === 'paid'
    ? { kind: 'approved', reference: requestId, byMandate: false }
    : { kind: 'unknown', why: 'the list of payments and the status contradict each other' }
}
