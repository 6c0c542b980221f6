// MB WAY at Eupago: payments that the customer approves on the phone.
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { RailRequest } from '../../src/connections/index.ts'
import { keyedMutex } from '../../src/kernel/concurrency.ts'
import { cents } from '../../src/kernel/money.ts'
import { after, minute } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'
import { textOf } from './client.ts'
import { cancelRefund, inquireRefund, type RefundOutcome, refund } from './refunds.ts'
import * as requests from './requests.ts'
import { declineOf, eurosOf } from './rules.ts'

/** A request ends after five minutes (documentation). */
const graceMs = 15 * minute

type Answer = rails.WalletPaymentAnswer | rails.UnknownAnswer | rails.NotReceived

export function mobileWalletOf(deps: requests.Eupago): rails.MobileWallet {
  const one = keyedMutex<rails.WalletPaymentAnswer | rails.UnknownAnswer>()
  const unsupported = async ({ key }: { readonly key: string }) => {
    await requests.decline(deps, key, 'refund', 'not_permitted')
    return requests.declined('not_permitted')
  }
  async function follow(key: string, payment: string, amount: bigint | 'all', signal?: AbortSignal) {
    const of = await deps.requests.find(payment)
    const noted = requests.notedOf(of)
    const [paid] = of === undefined || noted?.kind !== 'payment' ? [] : await requests.paymentsOf(deps, of)
    const part = cents(amount === 'all' ? BigInt(noted?.amount ?? 0) : amount)
    return ofRefund(await refund(deps, { key, transaction: paid?.id, amount: part }, signal))
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
      const { request: known } = await deps.requests.begin(key, 'withdraw')
      return known.steps.create0 === undefined ? requests.declined('withdrawn') : inquire(deps, key)
    },
    requestMandate: async () => requests.declined('not_permitted'),
    withdrawMandate: async () => ({ kind: 'not_found' }),
    mandateHistory: async () => ({ kind: 'not_found' }),
    cancelMandate: async () => ({ kind: 'not_found' }),
    capture: unsupported,
    release: unsupported,
    async refund({ key, payment, amount }, signal) {
      signal?.throwIfAborted()
      return follow(key, payment, amount, signal)
    },
    async inquireFollowUp(key) {
      const answer = await inquireRefund(deps, key)
      return answer.kind === 'not_found' ? answer : ofRefund(answer)
    },
    cancelFollowUp: async (key) => ofRefund(await cancelRefund(deps, key)),
    reverse: ({ key, original }, signal) => follow(key, original, 'all', signal),
  }
}

function ofRefund(answer: RefundOutcome): rails.WalletFollowUpAnswer | rails.UnknownAnswer {
  return answer.kind === 'waiting' ? { kind: 'unknown', why: 'Eupago has not refunded it yet' } : answer
}

async function request(
  deps: requests.Eupago,
  asked: rails.WalletPaymentRequest,
  signal: AbortSignal | undefined,
): Promise<rails.WalletPaymentAnswer | rails.UnknownAnswer> {
  const { key, amount, expires } = asked
  const known = await requests.note(deps, key, { kind: 'payment', amount: String(amount), until: expires })
  const isNew = requests.declineIn(known) === undefined && known.steps.create0 === undefined
  const why = isNew ? whyNot(deps, asked, known.steps) : undefined
  if (why !== undefined) await requests.decline(deps, key, 'order', why)
  else if (isNew && (await send(deps, asked, signal))) return { kind: 'waiting' }
  const answer = await inquire(deps, key)
  return answer.kind === 'not_found' ? { kind: 'unknown', why: 'another process sends it' } : answer
}

function whyNot(
  { clock }: requests.Eupago,
  { intent, opens, currency, expires }: rails.WalletPaymentRequest,
  { withdraw }: RailRequest['steps'],
): rails.WalletDecline | undefined {
  if (withdraw !== undefined) return 'withdrawn'
  if (intent === 'hold' || opens !== undefined || currency !== 'EUR') return 'not_permitted'
  return clock.now() >= expires ? 'expired' : undefined
}

/** Sends it once, because the customer may have been asked. Answers whether Eupago asked the customer. */
async function send(
  deps: requests.Eupago,
  { key, amount, phone, merchant }: rails.WalletPaymentRequest,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { before, request: started } = await deps.requests.begin(key, 'create0')
  if (before !== 'new') return false
  if (started.steps.withdraw !== undefined) {
    await requests.decline(deps, key, 'create0', 'withdrawn')
    return false
  }
  const { countryCallingCode: countryCode, nationalNumber } = parsePhoneNumberFromString(phone) ?? {}
  const payment = {
    ...{ identifier: key, amount: { value: eurosOf(amount), currency: 'EUR' } },
    ...{ customerPhone: nationalNumber, countryCode, description: merchant.name },
  }
  const { isOk, body } = await deps.client.newer('/mbway/create', { payment }, signal)
  const [ref0, transaction0] = [textOf(body.reference), textOf(body.transactionID)]
  if (isOk && textOf(body.transactionStatus) === 'Success' && ref0 !== '') {
    await deps.requests.record(key, 'create0', { ids: { ref0, transaction0 } })
    return true
  }
  const code = textOf(body.code)
  const refused = textOf(body.transactionStatus) === 'Rejected' ? declineOf(code, amount) : undefined
  // Any other answer does not say whether the customer was asked.
  if (refused === undefined) throw new Error('Eupago answered neither a request nor a refusal')
  deps.logger.info({ code }, 'Eupago did not ask the customer')
  await requests.decline(deps, key, 'create0', refused)
  return false
}

async function inquire(deps: requests.Eupago, key: string): Promise<Answer> {
  const known = await deps.requests.find(key)
  const kept = requests.declineIn(known)
  if (kept !== undefined) return requests.declined(kept as rails.WalletDecline)
  if (known?.steps.create0 === undefined)
    return known?.steps.withdraw === undefined ? { kind: 'not_found' } : requests.declined('withdrawn')
  const { amount, until = deps.clock.now() } = requests.notedOf(known) ?? { amount: '' }
  const [paid, ...more] = await requests.paymentsOf(deps, known)
  const ended = known.ids.ended as 'refused' | 'expired' | undefined
  if (paid !== undefined)
    return paid.amount === BigInt(amount) && more.length === 0
      ? { kind: 'approved', reference: paid.id, byMandate: false }
      : { kind: 'unknown', why: 'Eupago lists another payment than was asked for' }
  // From a signed notification: Eupago shows an ended request as unpaid.
  if (ended !== undefined) return requests.declined(ended)
  if (deps.clock.now() < until && known.ids.ref0 !== undefined) return { kind: 'waiting' }
  return deps.clock.now() < after(until, graceMs)
    ? { kind: 'unknown', why: 'Eupago has not decided, or the request was lost' }
    : { ...requests.declined('expired'), mayArrive: true }
}
