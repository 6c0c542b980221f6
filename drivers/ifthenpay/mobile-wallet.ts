// MB WAY at ifthenpay: payments that the customer approves on the phone.
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { RailRequest } from '../../src/connections/index.ts'
import { decimalText } from '../../src/kernel/money.ts'
import type * as rails from '../../src/rails/index.ts'
import { answerWithoutInquiry, type PhoneAnswer, phoneWallet, unpaidAnswer } from '../shared/mobile-wallet.ts'
import * as shared from '../shared/requests.ts'
import { textOf } from '../shared/texts.ts'
import * as orders from './orders.ts'
import { cancelRefund, inquireRefund, refund, reverse } from './refunds.ts'
import { declineAtCreate, stateOf } from './rules.ts'

export function mobileWalletOf(deps: orders.Ifthenpay): rails.MobileWallet {
  return phoneWallet(deps, {
    note: orders.note,
    async send(asked, signal) {
      const made = await orders.make(deps, asked.key, orderOf(deps, asked), signal)
      return made?.ids.request0 !== undefined
    },
    inquire: (key) => inquire(deps, key),
    refund: ({ key, payment: original, amount }, signal) => refund(deps, { key, original, amount }, signal),
    inquireFollowUp: (key) => inquireRefund(deps, key),
    cancelFollowUp: (key) => cancelRefund(deps, key),
    reverse: (reversal, signal) => reverse(deps, reversal, signal),
  })
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
    // No second order after a lost answer: ifthenpay may already have asked the customer.
    again: false,
  }
}

async function inquire(deps: orders.Ifthenpay, key: string): Promise<PhoneAnswer> {
  const { requests, clock, client } = deps
  const known = await requests.find(key)
  const early = answerWithoutInquiry(known)
  if (early !== undefined || known === undefined) return early ?? { kind: 'not_found' }
  const requestId = known.ids.request0
  const state = requestId === undefined ? undefined : stateOf(await client.statusOf(requestId))
  const until = shared.notedOf(known)?.until ?? clock.now()
  if (state === undefined && requestId !== undefined && clock.now() < until) return { kind: 'waiting' }
  const payments = await orders.paymentsOf(deps, known)
  if (payments.length > 0) return paidAnswer(known, state, payments)
  // ifthenpay documents the status as proof of payment. The list of payments can be older than the status.
  if (state === 'paid') return { kind: 'approved', reference: requestId ?? '', byMandate: false }
  if (state !== undefined) return shared.declined(state)
  return unpaidAnswer('ifthenpay', clock.now(), until)
}

function paidAnswer(
  { ids, answer }: RailRequest,
  state: ReturnType<typeof stateOf>,
  [paid, ...more]: Awaited<ReturnType<typeof orders.paymentsOf>>,
): PhoneAnswer {
  const { amount = 0n, requestId = '' } = paid ?? {}
  const isOurs =
    amount === BigInt((answer as shared.Noted).amount) && requestId === (ids.request0 ?? requestId)
  return isOurs && more.length === 0 && (state ?? 'paid') === 'paid'
    ? { kind: 'approved', reference: requestId, byMandate: false }
    : { kind: 'unknown', why: 'the list of payments and the status contradict each other' }
}
