// The page to buy on: a basket, three ways to pay for it, and the orders that came of them.
import { type Comporta, DeclinedError, fromCents, type NewCardSecure } from '@comporta/sdk'
import { isRefusal } from './gateway.ts'
import { cardInWords, euros, type Html, html, notice, pictures, table } from './html.ts'
import { type Content, formFields, type Page } from './layout.ts'
import { type Basket, later, type Order, type OrderKind, type OrderState } from './sessions.ts'
import { type Fields, newReference, type Shop, type Visit } from './shop.ts'
import { words } from './words/index.ts'

/** Prices in cents. */
const goods = [
  { ref: 'tshirt', price: 19_90 },
  { ref: 'mug', price: 8_50 },
] as const
const quantityMax = 9
/** The customer, whom a shop knows from forms of its own. */
const client = { name: 'Ana Silva', email: 'ana@exemplo.pt' }

type Problem = keyof (typeof words.en)['problems']

export const basketPage: Page = {
  path: '/',
  content,
  places: (_, { session, language, fields }) => ({
    notice: isProblem(fields.problem)
      ? notice(words[language].problems[fields.problem], true)
      : orderNotice(session.orders.get(fields.order ?? ''), language),
    orders: ordersTable(session.orders, language),
  }),
  forms: {
    '/checkouts': payOnCheckout,
    '/payments': payWithFields,
    '/payments-by-token': payWithToken,
    '/cards': storeCard,
    '/cards/forget': forgetCard,
  },
  comeBack,
}

/** `POST /api/v2/checkout`: the customer pays on the gateway's page. */
async function payOnCheckout(shop: Shop, visit: Visit): Promise<string> {
  const order = newOrder(visit, 'checkout')
  if (totalOf(order.basket) === 0) return problem(shop, visit, 'empty_basket')
  await shop.wantCallbacks()
  const back = returnUrl(shop, visit, order)
  const checkout = await send(shop, visit, order, (comporta) =>
    comporta.checkouts.create({
      payment: { ...purchase(order, visit), client },
      url_confirm: back,
      url_cancel: back,
    }),
  )
  return checkout ? shop.sendTo(checkout.url_redirect, visit) : about(shop, visit, order)
}

/** `POST /prows/v2/payment` with the card that the secure form fields encrypted. */
async function payWithFields(shop: Shop, visit: Visit): Promise<string> {
  const order = newOrder(visit, 'fields')
  const newCardSecure = encryptedCard(visit.fields)
  if (newCardSecure === undefined) return problem(shop, visit, 'no_card_fields')
  if (totalOf(order.basket) === 0) return problem(shop, visit, 'empty_basket')
  const payment = await send(shop, visit, order, (comporta) =>
    comporta.cards.pay({ ...cardPayment(shop, visit, order), newCardSecure }),
  )
  return toTheBank(shop, visit, order, payment?.cardsecure_url_redirect)
}

/** `POST /prows/v2/payment` with the stored card's token: answered at once, the customer goes nowhere. */
async function payWithToken(shop: Shop, visit: Visit): Promise<string> {
  const { card } = visit.session
  const order = newOrder(visit, 'token')
  if (card === undefined) return problem(shop, visit, 'no_stored_card')
  if (totalOf(order.basket) === 0) return problem(shop, visit, 'empty_basket')
  const payment = await send(shop, visit, order, (comporta) =>
    comporta.cards.pay({ ...cardPayment(shop, visit, order), card: { token: card.token } }),
  )
  if (payment) settle(visit, order, stateOf(payment.status))
  return about(shop, visit, order)
}

/** `POST /prows/v2/creditcard`: the card is kept for the next time, nothing is paid. */
async function storeCard(shop: Shop, visit: Visit): Promise<string> {
  const order = newOrder(visit, 'card')
  const newCardSecure = encryptedCard(visit.fields)
  if (newCardSecure === undefined) return problem(shop, visit, 'no_card_fields')
  await shop.wantCallbacks()
  const storing = await send(shop, visit, order, (comporta) =>
    comporta.cards.store({ ...cardReturn(shop, visit, order), newCardSecure, request_id: order.reference }),
  )
  return toTheBank(shop, visit, order, storing?.cardsecure_url_redirect)
}

/** The customer's bank asks whether it is them; the page about the order, where there is nothing to ask. */
function toTheBank(shop: Shop, visit: Visit, order: Order, url: string | undefined): string {
  return url === undefined ? about(shop, visit, order) : shop.sendTo(url, visit)
}

/** `DELETE /prows/v2/creditcard/<token>`. */
async function forgetCard(shop: Shop, visit: Visit): Promise<string> {
  const { card } = visit.session
  if (card === undefined) return problem(shop, visit, 'no_stored_card')
  const { answer } = await shop.ask(visit, (comporta) => comporta.cards.delete(card.token))
  if (answer) visit.session.card = undefined
  return shop.path('/', visit)
}

function newOrder({ session, fields }: Visit, kind: OrderKind): Order {
  const quantity = (text = '') => (/^\d$/.test(text) ? Number(text) : 0)
  session.basket = { tshirt: quantity(fields.tshirt), mug: quantity(fields.mug) }
  const reference = kind === 'card' ? crypto.randomUUID() : newReference('SHOP')
  return { reference, kind, basket: session.basket, state: 'begun' }
}

/** Remembers the order before the call, because its callback may be faster than its answer. */
async function send<Answer extends object>(
  shop: Shop,
  visit: Visit,
  order: Order,
  call: (comporta: Comporta) => PromiseLike<Answer>,
): Promise<Answer | undefined> {
  visit.session.orders.set(order.reference, order)
  const { answer, error } = await shop.ask(visit, call)
  if (answer && 'id' in answer) order.gatewayId = String(answer.id)
  if (error && isRefusal(error)) {
    order.state = error instanceof DeclinedError ? 'failed' : 'refused'
    order.reason = error.reason
  }
  visit.session.changed()
  return answer
}

/** What is bought, as both payment APIs want it. */
function purchase({ reference, basket }: Order, { language }: Visit) {
  return {
    amount: fromCents(totalOf(basket)),
    currency: 'EUR' as const,
    ext_invoiceid: reference,
    items: goods
      .filter(({ ref }) => basket[ref] > 0)
      .map(({ ref, price }) => ({
        ref,
        name: words[language].goods[ref],
        qt: basket[ref],
        amount: fromCents(price),
      })),
  }
}

/** A payment by the card API, all but the card. */
function cardPayment(shop: Shop, visit: Visit, order: Order) {
  return {
    method: 'CC' as const,
    ...purchase(order, visit),
    callback: shop.callbackUrl,
    ...cardReturn(shop, visit, order),
  }
}

function cardReturn(shop: Shop, visit: Visit, order: Order) {
  const back = returnUrl(shop, visit, order)
  return { cardsecure_url_confirm: back, cardsecure_url_cancel: back }
}

/** Where the gateway sends the browser when a payment has ended, well or not. */
function returnUrl(shop: Shop, visit: Visit, { reference }: Order): string {
  return shop.url('/return', visit, { order: reference })
}

/** What the browser put into the form beside the basket; only the gateway can read it. */
function encryptedCard({ number, name, vcode, valdate }: Fields): NewCardSecure | undefined {
  const isWhole = number && name && vcode && valdate
  return isWhole ? { number, name, vcode, valdate, email: client.email } : undefined
}

/** The browser is back. That it came to this address proves nothing: the shop asks the gateway. */
async function comeBack(shop: Shop, visit: Visit): Promise<string> {
  const order = visit.session.orders.get(visit.fields.order ?? '')
  if (order === undefined) return shop.path('/', visit)
  visit.session.note({ kind: 'browser', direction: 'back', path: `${shop.base}/return` })
  const status = await (order.kind === 'card' ? statusOfCard : statusOfPayment)(shop, visit, order)
  settle(visit, order, stateOf(status))
  return about(shop, visit, order)
}

async function statusOfPayment(shop: Shop, visit: Visit, { kind, gatewayId }: Order): Promise<unknown> {
  const id = gatewayId ?? ''
  if (kind !== 'checkout')
    return (await shop.ask(visit, ({ operations }) => operations.get(id))).answer?.status
  return (await shop.ask(visit, ({ checkouts }) => checkouts.get(id))).answer?.payment?.status
}

/** Asks for the token of a card that was stored, and for what may be shown of the card. */
async function statusOfCard(shop: Shop, visit: Visit, { reference }: Order): Promise<unknown> {
  const { answer: outcome } = await shop.ask(visit, ({ requests }) => requests.get(reference))
  const token = outcome?.token
  if (token !== undefined) {
    const { answer: card } = await shop.ask(visit, ({ cards }) => cards.get(token))
    if (card) visit.session.card = { token, brand: String(card.type), last4: String(card.last4) }
  }
  return outcome?.status
}

/** The shop's word for a status of the gateway's. */
export function stateOf(status: unknown): OrderState {
  if (status === 'COMPLETED') return 'done'
  return status === 'FAIL' || status === 'VOIDED' ? 'failed' : 'pending'
}

function settle({ session }: Visit, order: Order, state: OrderState): void {
  order.state = later(order.state, state)
  session.changed()
}

/** The page about an order. */
function about(shop: Shop, visit: Visit, { reference }: Order): string {
  return shop.path('/', visit, { order: reference })
}

function problem(shop: Shop, visit: Visit, problem: Problem): string {
  return shop.path('/', visit, { problem })
}

function isProblem(text: string | undefined): text is Problem {
  return text !== undefined && Object.hasOwn(words.en.problems, text)
}

/** In cents. */
function totalOf(basket: Basket): number {
  return goods.reduce((sum, { ref, price }) => sum + price * basket[ref], 0)
}

let libraryIntegrity: string | undefined

async function readIntegrity(gatewayUrl: string): Promise<string> {
  const response = await fetch(`${gatewayUrl}/secure-fields/v1/integrity.json`)
  return ((await response.json()) as { integrity: string }).integrity
}

async function content(shop: Shop, visit: Visit): Promise<Content> {
  const { gatewayUrl, credentials } = shop.options
  const { session, language, fields } = visit
  const say = words[language]
  // Pinned, as docs/secure-fields.md advises: the file at this address never changes.
  libraryIntegrity ??= await readIntegrity(gatewayUrl)
  const sum = html`<span data-total>${euros(totalOf(session.basket), language)}</span>`
  const { publicId } = await credentials()
  return {
    title: say.title,
    lead: say.lead,
    nothingYet: say.timeline.empty,
    about: { order: session.orders.get(fields.order ?? '')?.reference },
    head: html`<script src="${gatewayUrl}/secure-fields/v1/secure-fields.js" integrity="${libraryIntegrity}" crossorigin="anonymous" defer></script>`,
    main: html`
      <form method="post" action="${shop.base}/checkouts" data-shop data-paying="${say.paying}">
        ${formFields(visit)}
        <section class="box" aria-labelledby="basket">
          <h2 id="basket">${say.basket}</h2>
          <ul class="goods">${goods.map((piece) => goodsItem(piece, visit))}</ul>
          <p class="sum"><span>${say.total}</span> <output>${sum}</output></p>
        </section>
        ${storedSection(shop, visit, sum)}
        <section class="box" aria-labelledby="hosted">
          <h2 id="hosted">${say.hosted.title}</h2>
          <p class="muted">${say.hosted.says}</p>
          <button type="submit">${say.pay} ${sum}</button>
        </section>
        ${fieldsSection(shop, visit, sum, publicId)}
      </form>`,
    aside: html`<div data-orders>${ordersTable(session.orders, language)}</div>`,
  }
}

function goodsItem({ ref, price }: (typeof goods)[number], { session, language }: Visit): Html {
  const say = words[language]
  const name = say.goods[ref]
  return html`
    <li>
      ${pictures[ref]}
      <span class="name">${name} <small class="muted">${euros(price, language)} ${say.each}</small></span>
      <input type="number" name="${ref}" value="${session.basket[ref]}" min="0" max="${quantityMax}" step="1" required
        inputmode="numeric" autocomplete="off" aria-label="${say.quantityOf(name)}" data-price="${price}">
    </li>`
}

function storedSection({ base }: Shop, { session: { card }, language }: Visit, sum: Html): Html | undefined {
  if (card === undefined) return undefined
  const { stored, pay } = words[language]
  return html`
    <section class="box" aria-labelledby="stored">
      <h2 id="stored">${stored.title}</h2>
      <p class="number kept">${cardInWords(card)}</p>
      <p class="muted">${stored.says}</p>
      <div class="row">
        <button type="submit" formaction="${base}/payments-by-token">${pay} ${sum}</button>
        <button class="quiet" type="submit" formaction="${base}/cards/forget">${stored.forget}</button>
      </div>
    </section>`
}

/** Shown by the script, without which nothing could be encrypted. */
function fieldsSection({ base, gatewayLink }: Shop, { language }: Visit, sum: Html, publicId: string): Html {
  const { fields, pay } = words[language]
  return html`
    <section class="box" aria-labelledby="fields">
      <h2 id="fields">${fields.title}</h2>
      <p class="muted">${fields.says}</p>
      <noscript><p class="note">${fields.withoutScript}</p></noscript>
      <div data-with-script hidden>
        <p class="help" id="card-help">${fields.cardHelp} <a href="${gatewayLink}/sandbox" hreflang="en">${fields.allCards}</a></p>
        <div data-fields data-merchant="${publicId}" data-locale="${language}"></div>
        <p class="problem" role="alert" data-broken hidden>${fields.broken} <span></span></p>
        ${['number', 'name', 'vcode', 'valdate'].map((name) => html`<input type="hidden" name="${name}" value="">`)}
        <div class="row">
          <button type="submit" formaction="${base}/payments" data-encrypts data-pays>${pay} ${sum}</button>
          <button class="quiet" type="submit" formaction="${base}/cards" data-encrypts>${fields.store}</button>
        </div>
      </div>
    </section>`
}

function orderNotice(order: Order | undefined, language: Visit['language']): Html {
  if (order === undefined) return html``
  const { kind, state, reason } = order
  const text = words[language].notices[kind === 'card' ? 'card' : 'payment'][state]
  return notice(reason === undefined ? text : `${text} ${reason}`, state === 'failed' || state === 'refused')
}

/** Newest first; empty before the first order. */
function ordersTable(orders: ReadonlyMap<string, Order>, language: Visit['language']): Html {
  const say = words[language]
  const bought = [...orders.values()].filter(({ kind }) => kind !== 'reservation')
  if (bought.length === 0) return html``
  const rows = bought.reverse().map(
    ({ reference, kind, basket, state }) => html`
      <tr>
        <td><span class="number">${kind === 'card' ? `…${reference.slice(-8)}` : reference}</span><br><small class="muted">${say.kinds[kind]}</small></td>
        <td class="right number">${kind === 'card' ? '' : euros(totalOf(basket), language)}</td>
        <td>${say.states[state]}</td>
      </tr>`,
  )
  return html`<h2>${say.orders}</h2>${table(say.orders, [say.order, say.amount, say.state], rows)}`
}
