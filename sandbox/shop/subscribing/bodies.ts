// What the demo shop's server sends to the gateway about subscriptions.
import { amountOnWire } from '../../../src/http/index.ts'
import { cents } from '../../../src/kernel/money.ts'
import type { Language } from '../../issuer/words.ts'
import type { Visit } from '../addresses.ts'
import { decidedUrl } from './addresses.ts'
import type { ShopCharge, ShopSubscription } from './model.ts'
import { boxPrice, packPrice } from './offer.ts'
import { subscribingWords } from './words.ts'

/** The customer; MB WAY subscriptions need the phone. */
const client = { name: 'Ana Silva', email: 'ana@exemplo.pt', phone: '+351912345678' }

/** The body of `/api/v2/checkout`: the subscription, and a payment beside it where the plan has one. */
export function subscriptionCheckout(baseUrl: string, visit: Visit, subscription: ShopSubscription) {
  const { reference, plan, amount, startDate } = subscription
  const back = decidedUrl(baseUrl, visit, reference)
  const { offer } = subscribingWords[visit.language]
  const pack = {
    amount: amountOnWire(packPrice),
    currency: 'EUR',
    ext_invoiceid: reference,
    items: [{ ref: 'welcome-pack', name: offer.pack, qt: 1, amount: amountOnWire(packPrice) }],
    client,
  }
  return {
    ...(plan === 'with_pack' ? { payment: pack } : {}),
    subscription: {
      amount: amountOnWire(cents(amount)),
      currency: 'EUR',
      frequency: 1,
      period: 'MONTH',
      start_date: startDate,
      ext_subscriptionid: reference,
      description: offer.name,
      client,
    },
    url_confirm: back,
    url_cancel: back,
  }
}

/** The body of a charge. */
export function chargePayment({ reference, amount }: ShopCharge, language: Language) {
  const price = amountOnWire(cents(amount))
  const name = amount === Number(boxPrice) ? subscribingWords[language].offer.name : undefined
  return {
    payment: {
      amount: price,
      currency: 'EUR',
      ext_invoiceid: reference,
      ...(name === undefined ? {} : { items: [{ ref: 'coffee-box', name, qt: 1, amount: price }] }),
    },
  }
}
