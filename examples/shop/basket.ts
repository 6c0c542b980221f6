// Page of the basket, the payment forms and the orders.
import { type Comporta, fromCents, type NewCardSecure } from '@comporta/sdk'
import { cardName, euros, type Html, html, notice, table } from './html.ts'
import { textFor } from './i18n/index.ts'
import { button, type Content, form, type Page } from './layout.ts'
import { advance, type Order } from './session.ts'
import { newReference, Problem, type Visit } from './shop.ts'

const goods = [
  { ref: 'tshirt', price: 19_90 },
  { ref: 'mug', price: 8_50 },
] as const
/** In a real shop the customer types these. */
const client = { name: 'Ana Silva', email: 'ana@exemplo.pt' }

export const basketPage: Page = {
  path: '/',
  content,
  forms: {
    /** `POST /api/v2/checkout`: the customer pays on the gateway's page. */
    '/checkouts': order('checkout', (visit, order) => {
      const back = visit.backTo('/return', { order: order.reference })
      return ({ checkouts }) => checkouts.create({ payment: { ...purchase(order, visit), client }, ...back })
    }),
    /** `POST /prows/v2/payment` with the card that the secure form fields encrypted. */
    '/payments': order('fields', (visit, order) => {
      const payment = { ...cardPayment(order, visit), newCardSecure: encryptedCard(visit) }
      return ({ cards }) => cards.pay(payment)
    }),
    /**
     * `POST /prows/v2/payment` with the token of a stored card. The answer is final, so the customer is not
     * redirected.
     */
    '/payments-by-token': order('token', (visit, order) => {
      const payment = { ...cardPayment(order, visit), card: { token: tokenOf(visit) } }
      return ({ cards }) => cards.pay(payment)
    }),
    /** `POST /prows/v2/creditcard` stores the card for the next time. Nothing is paid. */
    '/cards': order('card', (visit, order) => {
      const newCardSecure = encryptedCard(visit)
      const card = { ...cardReturn(order, visit), newCardSecure, request_id: order.reference }
      return ({ cards }) => cards.store(card)
    }),
    /** `DELETE /prows/v2/creditcard/<token>`. */
    async '/cards/forget'(visit) {
      const token = tokenOf(visit)
      const { answer } = await visit.ask(({ cards }) => cards.delete(token))
      if (answer) visit.session.card = undefined
      return visit.path('/')
    },
  },
  comeBack,
}

type OrderAnswer = { [name in 'id' | 'status' | 'url_redirect' | 'cardsecure_url_redirect']?: string }

/** Sends an order or stores a card. Then it redirects the browser, if the answer has an address. */
function order(
  kind: Order['kind'],
  prepare: (visit: Visit, order: Order) => (comporta: Comporta) => PromiseLike<OrderAnswer>,
) {
  return async (visit: Visit): Promise<string> => {
    const { session, fields, shop, today: day } = visit
    const quantity = (text = '') => (/^\d$/.test(text) ? Number(text) : 0)
    session.basket = { tshirt: quantity(fields.tshirt), mug: quantity(fields.mug) }
    const reference = kind === 'card' ? crypto.randomUUID() : newReference('SHOP')
    const order: Order = { reference, kind, amount: totalOf(session), day, state: 'asked' }
    const call = prepare(visit, order)
    if (order.amount === 0 && kind !== 'card') throw new Problem('empty_basket')
    await shop.wantCallbacks()
    const { id, status, url_redirect, cardsecure_url_redirect } = (await visit.place(order, call)) ?? {}
    order.gatewayId = id
    const url = url_redirect ?? cardsecure_url_redirect
    if (url !== undefined) return visit.sendTo(url)
    advance(order, status)
    return visit.path('/', { order: reference })
  }
}

function purchase({ reference, amount }: Order, { session: { basket }, say }: Visit) {
  const items = goods
    .filter(({ ref }) => basket[ref] > 0)
    .map(({ ref, price }) => ({
      ref,
      name: say.buying.goods[ref],
      qt: basket[ref],
      amount: fromCents(price),
    }))
  return { amount: fromCents(amount), currency: 'EUR' as const, ext_invoiceid: reference, items }
}

function cardReturn({ reference }: Order, visit: Visit) {
  const { url_confirm: back } = visit.backTo('/return', { order: reference })
  return { cardsecure_url_confirm: back, cardsecure_url_cancel: back }
}

function cardPayment(order: Order, visit: Visit) {
  const { callbackUrl: callback } = visit.shop
  return { method: 'CC' as const, callback, ...purchase(order, visit), ...cardReturn(order, visit) }
}

/** The encrypted card that the form sent. Only the gateway can decrypt it. */
function encryptedCard({ fields: { number, name, vcode, valdate } }: Visit): NewCardSecure {
  if (!(number && name && vcode && valdate)) throw new Problem('no_card_fields')
  return { number, name, vcode, valdate, email: client.email }
}

function tokenOf({ session: { card } }: Visit): string {
  if (card === undefined) throw new Problem('no_stored_card')
  return card.token
}

async function comeBack(visit: Visit): Promise<string> {
  const order = visit.session.orders.get(visit.fields.order ?? '')
  if (order === undefined) return visit.path('/')
  advance(order, await (order.kind === 'card' ? statusOfCard : statusOfPayment)(visit, order))
  visit.session.changed()
  return visit.path('/', { order: order.reference })
}

async function statusOfPayment({ ask }: Visit, { kind, gatewayId: id = '' }: Order): Promise<unknown> {
  if (kind !== 'checkout') return (await ask(({ operations }) => operations.get(id))).answer?.status
  return (await ask(({ checkouts }) => checkouts.get(id))).answer?.payment?.status
}

async function statusOfCard({ ask, session }: Visit, { reference }: Order): Promise<unknown> {
  const { answer: outcome } = await ask(({ requests }) => requests.get(reference))
  const token = outcome?.token
  const { answer: card } = token === undefined ? {} : await ask(({ cards }) => cards.get(token))
  if (token && card) session.card = { token, brand: String(card.type), last4: String(card.last4) }
  return outcome?.status
}

function totalOf({ basket }: Visit['session']): number {
  return goods.reduce((sum, { ref, price }) => sum + price * basket[ref], 0)
}

let integrity: string | undefined

async function content(visit: Visit): Promise<Content> {
  const { shop, session, language, say } = visit
  const { gatewayUrl, credentials } = shop.options
  const { buying } = say
  // The page loads one fixed version of the script, as docs/secure-fields.md advises.
  const library = `${gatewayUrl}/secure-fields/v1`
  integrity ??= String(Object(await (await fetch(`${library}/integrity.json`)).json()).integrity)
  const sum = html`<span data-total>${euros(totalOf(session), language)}</span>`
  const { public_id } = await credentials()
  const inside = html`
    <section class="box" aria-labelledby="basket">
      <h2 id="basket">${buying.basket}</h2>
      <ul class="goods">${goods.map((piece) => goodsItem(piece, visit))}</ul>
      <p class="sum"><span>${buying.total}</span> <output>${sum}</output></p>
    </section>
    ${storedSection(visit, sum)}
    <section class="box" aria-labelledby="hosted">
      <h2 id="hosted">${buying.hosted.title}</h2>
      <p class="muted">${buying.hosted.says}</p>
      <button type="submit">${say.pay} ${sum}</button>
    </section>
    ${fieldsSection(visit, sum, public_id)}`
  return {
    say: buying,
    notice: orderNotice(visit),
    head: html`<script src="${library}/secure-fields.js" integrity="${integrity}" crossorigin="anonymous" defer></script>`,
    main: form(visit, '/checkouts', inside, html`data-shop`),
    aside: html`<div data-orders>${ordersTable(visit)}</div>`,
  }
}

function orderNotice({ session, fields, say: { buying } }: Visit): Html | undefined {
  const order = session.orders.get(fields.order ?? '')
  if (order === undefined) return undefined
  const { kind, state, error } = order
  const text = textFor(buying.notices[kind === 'card' ? 'card' : 'payment'], state) ?? state
  return notice(`${text} ${error?.reason ?? ''}`, ['FAIL', 'VOIDED', 'refused'].includes(state))
}

function goodsItem({ ref, price }: (typeof goods)[number], { session, language, say }: Visit): Html {
  const { goods, each, quantity } = say.buying
  return html`
    <li>
      <span class="name">${goods[ref]} <small class="muted">${euros(price, language)} ${each}</small></span>
      <input type="number" name="${ref}" value="${session.basket[ref]}" min="0" max="9" step="1" required
        inputmode="numeric" autocomplete="off" aria-label="${goods[ref]}, ${quantity}" data-price="${price}">
    </li>`
}

function storedSection(visit: Visit, sum: Html): Html | undefined {
  const { session, say } = visit
  const { stored } = say.buying
  if (session.card === undefined) return undefined
  return html`
    <section class="box" aria-labelledby="stored">
      <h2 id="stored">${stored.title}</h2>
      <p class="number">${cardName(session.card)}</p>
      <p class="muted">${stored.says}</p>
      <div class="row">
        <button type="submit" formaction="${visit.shop.base}/payments-by-token">${say.pay} ${sum}</button>
        ${button(visit, '/cards/forget', stored.forget)}
      </div>
    </section>`
}

/** The part with the card fields, which is hidden without JavaScript: only a script can encrypt the card. */
function fieldsSection(visit: Visit, sum: Html, publicId: string): Html {
  const { shop, language, say } = visit
  const { fields } = say.buying
  return html`
    <section class="box" aria-labelledby="fields">
      <h2 id="fields">${fields.title}</h2>
      <p class="muted">${fields.says}</p>
      <noscript><p class="note">${fields.withoutScript}</p></noscript>
      <div data-with-script hidden>
        <p class="help">${fields.cardHelp} <a href="${shop.gatewayLink}/sandbox" hreflang="en">${fields.allCards}</a></p>
        <div data-fields data-merchant="${publicId}" data-locale="${language}"></div>
        <p class="problem" role="alert" data-broken hidden>${fields.broken} <span></span></p>
        ${['number', 'name', 'vcode', 'valdate'].map((name) => html`<input type="hidden" name="${name}" value="">`)}
        <div class="row">
          <button type="submit" formaction="${shop.base}/payments" data-encrypts data-pays>${say.pay} ${sum}</button>
          ${button(visit, '/cards', fields.store, html`class="quiet" data-encrypts`)}
        </div>
      </div>
    </section>`
}

function ordersTable({ session, language, say }: Visit): Html | undefined {
  const { orders, order, kinds, states } = say.buying
  const rows = [...session.orders.values()]
    .filter(({ kind }) => Object.hasOwn(kinds, kind))
    .map(({ reference, kind, amount, state }) => [
      html`<span class="number">${kind === 'card' ? `…${reference.slice(-8)}` : reference}</span><br><small class="muted">${textFor(kinds, kind)}</small>`,
      kind === 'card' ? '' : euros(amount, language),
      textFor(states, state) ?? state,
    ])
  if (rows.length === 0) return undefined
  return html`<h2>${orders}</h2>${table(orders, [order, say.amount, say.state], rows.reverse())}`
}
