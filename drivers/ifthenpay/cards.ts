// Cards on ifthenpay's page. The gateway never receives the card number.
import { keyedMutex } from '../../src/kernel/concurrency.ts'
import { decimalText } from '../../src/kernel/money.ts'
import { after, hour } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'
import * as shared from '../shared/requests.ts'
import { textOf } from '../shared/texts.ts'
import { refusalIn } from './client.ts'
import * as orders from './orders.ts'
import { cancelRefund, inquireRefund, type RefundOutcome, refund, reverse } from './refunds.ts'

/** This is an assumption: ifthenpay does not document when a page ends. */
const pageMs = hour

type Answer = rails.AcquirerAnswer | rails.CustomerNeeded | rails.NotReceived

export function acquirerOf(deps: orders.Ifthenpay): rails.CardAcquirer {
  const { requests } = deps
  const one = keyedMutex<rails.AcquirerAnswer | rails.CustomerNeeded>()
  const isRefund = async (key: string) => {
    const known = await requests.find(key)
    return known !== undefined && shared.notedOf(known) === undefined
  }
  return {
    customers: {
      serves: () => true,
      hasCardForm: () => true,
      async authorize(asked, signal) {
        signal?.throwIfAborted()
        return one(asked.key, () => authorize(deps, asked, signal))
      },
      inquire: (key, signal) => inquire(deps, key, signal),
    },
    authorize: async () => shared.declined('not_permitted'),
    capture: async () => shared.declined('exceeds_hold'),
    release: async () => shared.declined('exceeds_hold'),
    async refund({ key, original, amount, merchant, currency }, signal) {
      const isTheirs = (await requests.find(original))?.walletId === merchant.id && currency === 'EUR'
      return ofRefund(await refund(deps, { key, original: isTheirs ? original : key, amount }, signal))
    },
    async inquire(key, signal) {
      if (await isRefund(key)) {
        const answer = await inquireRefund(deps, key)
        return answer.kind === 'not_found' ? answer : ofRefund(answer)
      }
      const answer = await inquire(deps, key, signal)
      return answer.kind === 'customer' ? { kind: 'unknown', why: 'the customer is at the page' } : answer
    },
    async cancel(key, signal) {
      if (await isRefund(key)) return ofRefund(await cancelRefund(deps, key))
      await requests.begin(key, 'withdraw')
      const answer = await inquire(deps, key, signal)
      return answer.kind === 'customer' || answer.kind === 'not_found' ? shared.declined('cancelled') : answer
    },
    reverse: async (reversal, signal) => ofRefund(await reverse(deps, reversal, signal)),
  }
}

async function authorize(
  deps: orders.Ifthenpay,
  asked: rails.CustomerAuthorization,
  signal: AbortSignal | undefined,
): Promise<rails.AcquirerAnswer | rails.CustomerNeeded> {
  const { key, intent, card, currency, amount } = asked
  const noted = { kind: 'card', amount: String(amount), until: after(deps.clock.now(), pageMs) } as const
  const known = await orders.note(deps, key, noted)
  if (known.steps.create0 === undefined && (intent !== 'sale' || card !== undefined || currency !== 'EUR'))
    await shared.decline(deps, key, 'order', 'not_permitted')
  const before = await inquire(deps, key, signal)
  if (before.kind !== 'not_found') return before
  await orders.make(deps, key, orderOf(deps, asked), signal)
  const answer = await inquire(deps, key, signal)
  return answer.kind === 'not_found' ? { kind: 'unknown', why: 'ifthenpay made no page' } : answer
}

function orderOf({ settings }: orders.Ifthenpay, asked: rails.CustomerAuthorization): orders.NewOrder {
  const { isTest, cardKey } = settings
  const { amount, returnUrl, browser } = asked
  return {
    path: `/creditcard/${isTest ? 'sandbox/' : ''}init/${cardKey}`,
    body: {
      ...{ successUrl: returnUrl, errorUrl: returnUrl, cancelUrl: returnUrl, amount: decimalText(amount) },
      language: /^(pt|es|fr)/.exec(browser.language ?? '')?.[0] ?? 'en',
    },
    read(answer) {
      const [code, url = '', request = ''] = [answer.Status, answer.PaymentUrl, answer.RequestId].map(textOf)
      if (code === '0') return URL.canParse(url) && request !== '' ? { request, url } : undefined
      return code === '' ? undefined : refusalIn(answer)
    },
    again: true,
  }
}

/** ifthenpay lists only paid orders. So after a refused card the payment stays open until its page ends. */
async function inquire(deps: orders.Ifthenpay, key: string, signal?: AbortSignal): Promise<Answer> {
  const { requests, clock } = deps
  const known = await requests.find(key)
  const kept = shared.declineIn(known)
  if (kept !== undefined) return shared.declined(kept === 'withdrawn' ? 'cancelled' : 'not_permitted')
  const noted = shared.notedOf(known)
  const isCancelled = known?.steps.withdraw !== undefined
  if (noted === undefined || known?.steps.create0 === undefined)
    return isCancelled ? shared.declined('cancelled') : { kind: 'not_found' }
  const [paid, ...more] = await orders.paymentsOf(deps, known, signal)
  if (paid !== undefined)
    return paid.amount === BigInt(noted.amount) && more.length === 0
      ? { kind: 'approved', reference: paid.requestId }
      : { kind: 'unknown', why: 'ifthenpay lists another payment than was asked for' }
  if (isCancelled) return shared.declined('cancelled')
  if (noted.until !== undefined && clock.now() >= noted.until)
    return { ...shared.declined('authentication_required'), mayArrive: true }
  const url = known.ids[`url${shared.numberWith(known, 'url')}`]
  // If the answer with the page was lost, no customer knows its address.
  return url === undefined ? { kind: 'not_found' } : { kind: 'customer', page: { url } }
}

function ofRefund(answer: RefundOutcome): rails.AcquirerAnswer {
  if (answer.kind !== 'declined') return answer
  if (answer.decline === 'withdrawn') return shared.declined('cancelled')
  return shared.declined(answer.decline === 'insufficient_funds' ? answer.decline : 'exceeds_payment')
}
