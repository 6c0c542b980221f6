// MB WAY at Eupago: payments that the customer approves on the phone.
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { cents } from '../../src/kernel/money.ts'
import type * as rails from '../../src/rails/index.ts'
import { answerWithoutInquiry, type PhoneAnswer, phoneWallet, unpaidAnswer } from '../shared/mobile-wallet.ts'
import * as shared from '../shared/requests.ts'
import { textOf } from '../shared/texts.ts'
import { cancelRefund, inquireRefund, type RefundOutcome, refund } from './refunds.ts'
import * as requests from './requests.ts'
import { declineOf, eurosOf } from './rules.ts'

export function mobileWalletOf(deps: requests.Eupago): rails.MobileWallet {
  async function follow(key: string, payment: string, amount: bigint | 'all', signal?: AbortSignal) {
    const of = await deps.requests.find(payment)
    const noted = shared.notedOf(of)
    const [paid] = of === undefined || noted?.kind !== 'payment' ? [] : await requests.paymentsOf(deps, of)
    const part = cents(amount === 'all' ? BigInt(noted?.amount ?? 0) : amount)
    return ofRefund(await refund(deps, { key, transaction: paid?.id, amount: part }, signal))
  }
  return phoneWallet(deps, {
    send: (asked, signal) => send(deps, asked, signal),
    inquire: (key) => inquire(deps, key),
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
  })
}

function ofRefund(answer: RefundOutcome): rails.WalletFollowUpAnswer | rails.UnknownAnswer {
  return answer.kind === 'waiting' ? { kind: 'unknown', why: 'Eupago has not refunded it yet' } : answer
}

/**
 * Sends the request once, because a second one could ask the customer twice. Answers whether Eupago asked the
 * customer.
 */
async function send(
  deps: requests.Eupago,
  { key, amount, phone, merchant }: rails.WalletPaymentRequest,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { before, request: started } = await deps.requests.begin(key, 'create0')
  if (before !== 'new') return false
  if (started.steps.withdraw !== undefined) {
    await shared.decline(deps, key, 'create0', 'withdrawn')
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
  // Without a refusal or a request, the driver does not know whether Eupago asked the customer.
  if (refused === undefined) throw new Error('Eupago answered neither a request nor a refusal')
  deps.logger.info({ code }, 'Eupago did not ask the customer')
  await shared.decline(deps, key, 'create0', refused)
  return false
}

async function inquire(deps: requests.Eupago, key: string): Promise<PhoneAnswer> {
  const known = await deps.requests.find(key)
  const early = answerWithoutInquiry(known)
  if (early !== undefined || known === undefined) return early ?? { kind: 'not_found' }
  const { amount, until = deps.clock.now() } = shared.notedOf(known) ?? { amount: '' }
  const [paid, ...more] = await requests.paymentsOf(deps, known)
  const ended = known.ids.ended as 'refused' | 'expired' | undefined
  if (paid !== undefined)
    return paid.amount === BigInt(amount) && more.length === 0
      ? { kind: 'approved', reference: paid.id, byMandate: false }
      : { kind: 'unknown', why: 'Eupago lists another payment than was asked for' }
  // A signed notification reported the end. An inquiry would not show it, because Eupago shows ended requests as
  // unpaid.
  if (ended !== undefined) return shared.declined(ended)
  if (deps.clock.now() < until && known.ids.ref0 !== undefined) return { kind: 'waiting' }
  return unpaidAnswer('Eupago', deps.clock.now(), until)
}
