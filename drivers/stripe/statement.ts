// Stripe's bookings of a day, with our keys.
import type Stripe from 'stripe'
import type { StatementLine } from '../../src/connections/index.ts'
import { addDays, type Day, startOfLisbonDay } from '../../src/kernel/lisbon.ts'
import { cents } from '../../src/kernel/money.ts'
import { instant, second } from '../../src/kernel/time.ts'
import { keyOfCapture } from './follow-ups.ts'
import { type IntentDeps, keptOf, keyIn, paymentAt } from './intents.ts'

/** Stripe keeps the account in another currency, so its lines cannot be compared with our amounts. */
class OtherCurrency extends Error {
  readonly code = 'OTHER_CURRENCY'

  constructor(currency: string) {
    super(`the account at Stripe is kept in ${currency}`)
    this.name = 'OtherCurrency'
  }
}

/** @throws if the account's currency is not EUR */
export async function statementOf(deps: IntentDeps, day: Day): Promise<readonly StatementLine[]> {
  const created = {
    gte: startOfLisbonDay(day) / second,
    lt: startOfLisbonDay(addDays(day, 1)) / second,
  }
  const lines: StatementLine[] = []
  await deps.call(async (stripe) => {
    const booked = stripe.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] })
    for await (const transaction of booked) lines.push(await lineOf(deps, transaction))
  })
  return lines
}

const kinds: Readonly<Record<string, StatementLine['kind']>> = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
}

async function lineOf(deps: IntentDeps, booked: Stripe.BalanceTransaction): Promise<StatementLine> {
  const { id, type, amount, fee, currency, created, source } = booked
  if (currency !== 'eur') throw new OtherCurrency(currency)
  const about = source === null || typeof source === 'string' ? undefined : source
  const kind = about?.object === 'dispute' ? 'dispute' : (kinds[type] ?? 'other')
  const line = { id, kind, amount: cents(amount), fee: cents(fee), bookedAt: instant(created * second) }
  switch (about?.object) {
    case 'refund':
      return {
        ...line,
        key: keyIn(about.metadata),
        providerId: about.id,
      }
    case 'charge':
    case 'dispute':
      return {
        ...line,
        ...(await paidBy(deps, about.payment_intent, kind === 'payment' ? amount : undefined)),
      }
    default:
      return line
  }
}

/** The key of a payment. For a hold it is the key of its only capture of `amount`. */
async function paidBy(
  deps: IntentDeps,
  payment: string | Stripe.PaymentIntent | null,
  amount: number | undefined,
): Promise<Pick<StatementLine, 'key' | 'providerId'>> {
  if (payment === null) return {}
  const providerId = typeof payment === 'string' ? payment : payment.id
  const request = await deps.requests.findByProviderId(providerId)
  if (request === undefined) return { providerId }
  if (keptOf(request).intent !== 'hold' || amount === undefined) return { key: request.key, providerId }
  const key = keyOfCapture(await paymentAt(deps, providerId), BigInt(amount))
  return key === undefined ? { providerId } : { key, providerId }
}
