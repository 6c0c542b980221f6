// What the demo shop's server sends to the gateway.
import { amountOnWire } from '../../src/http/index.ts'
import { returnUrl, type Visit } from './addresses.ts'
import type { ShopContext } from './context.ts'
import { goods, totalOf } from './goods.ts'
import { callbacksPath, type Order } from './model.ts'
import { words } from './words.ts'

/** A posted form: the basket, and the card where its fields were encrypted. */
export type Form = Readonly<Record<string, string | undefined>>

/** The customer, whom a shop knows from its own forms. */
const client = { name: 'Ana Silva', email: 'ana@exemplo.pt' }

/** The body of `/api/v2/checkout`. */
export function checkoutPayment({ baseUrl }: ShopContext, visit: Visit, order: Order) {
  const back = returnUrl(baseUrl, visit, order.reference)
  return { payment: { ...purchase(order, visit), client }, url_confirm: back, url_cancel: back }
}

function purchase(order: Order, { language }: Visit) {
  return {
    amount: amountOnWire(totalOf(order.basket)),
    currency: 'EUR',
    ext_invoiceid: order.reference,
    items: goods
      .filter(({ ref }) => order.basket[ref] > 0)
      .map(({ ref, price }) => ({
        ref,
        name: words[language].goods[ref],
        qt: order.basket[ref],
        amount: amountOnWire(price),
      })),
  }
}

/** The body of `/prows/v2/payment`, all but the card. */
export function cardPayment(context: ShopContext, visit: Visit, order: Order) {
  return {
    method: 'CC',
    ...purchase(order, visit),
    callback: context.baseUrl + callbacksPath,
    ...returnAddresses(context, visit, order),
  }
}

/** Where the customer comes back to, authenticated or not. */
export function returnAddresses({ baseUrl }: ShopContext, visit: Visit, { reference }: Order) {
  const back = returnUrl(baseUrl, visit, reference)
  return { cardsecure_url_confirm: back, cardsecure_url_cancel: back }
}

/** What the browser's script put into the form beside the basket; the server cannot read it. */
export function encryptedCard(form: Form): Record<string, string> | undefined {
  const { number, name, vcode, valdate } = form
  return number && name && vcode && valdate
    ? { number, name, vcode, valdate, email: client.email }
    : undefined
}
