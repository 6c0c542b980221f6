// The demo shop's page to buy from: basket, three ways to pay, and orders.
import { html } from 'ghtml'
import { amountInWords } from '../issuer/amounts.ts'
import { tableOf } from '../pages/table.ts'
import { eventsPath, type Problem, pagePath, type Visit } from './addresses.ts'
import { brandName } from './brands.ts'
import { framed, type PageGround } from './frame.ts'
import { type Basket, goods, quantityMax, totalOf } from './goods.ts'
import { type Order, type Session, shopPath } from './model.ts'
import { pictures } from './pictures.ts'
import { type ShopWords, words } from './words.ts'

export interface ShopPage extends PageGround {
  /** Told of above the basket. */
  readonly order: Order | undefined
  readonly problem: Problem | undefined
}

export function shopPage(page: ShopPage): string {
  const { visit, session, order, assets } = page
  const say = words[visit.language]
  return framed(page, {
    tab: 'basket',
    title: say.title,
    lead: say.lead,
    translated: (translated) => pagePath(translated, { ...(order && { order }) }),
    events: eventsPath(visit, order),
    nothingYet: say.timeline.empty,
    head: html`<script src="${page.baseUrl}${assets.library.url}" integrity="${assets.library.integrity}" crossorigin="anonymous" defer></script>`,
    notice: page.problem === undefined ? orderNotice(order, visit) : problemNotice(page.problem, say),
    doing: basketForm(page, say),
    beside: html`<div data-orders>!${ordersTable(session, visit)}</div>`,
  })
}

function problemNotice(problem: Problem, say: ShopWords): string {
  return html`<p class="problem" role="alert">${say.problems[problem]}</p>`
}

/** What became of the order, for the top of the page; empty without one. */
export function orderNotice(order: Order | undefined, { language }: Visit): string {
  if (order === undefined) return ''
  const { way, state, reason } = order
  const told = words[language].notices[way === 'card' ? 'card' : 'payment'][state]
  const bad = state === 'failed' || state === 'refused'
  const text = reason === undefined ? told : `${told} ${reason}`
  return bad
    ? html`<p class="problem" role="alert">${text}</p>`
    : html`<p class="note" role="status">${text}</p>`
}

function basketForm(page: ShopPage, say: ShopWords): string {
  const { visit, session } = page
  const sum = html`<span data-total>${total(session.basket, visit)}</span>`
  return html`
    <form method="post" action="${shopPath}/checkouts" data-shop data-paying="${say.paying}">
      <input type="hidden" name="session" value="${visit.session}">
      <input type="hidden" name="lang" value="${visit.language}">
      <input type="hidden" name="attempt" value="${page.attempt}">
      <section class="box" aria-labelledby="basket">
        <h2 id="basket">${say.basket}</h2>
        <ul class="goods">!${goods.map((piece) => goodsItem(piece, session.basket, visit, say))}</ul>
        <p class="sum"><span>${say.total}</span> <output>!${sum}</output></p>
      </section>
      !${session.card === undefined ? '' : storedSection(page, say, sum)}
      <section class="box" aria-labelledby="hosted">
        <h2 id="hosted">${say.hosted.title}</h2>
        <p class="muted">${say.hosted.says}</p>
        <button type="submit">${say.pay} !${sum}</button>
      </section>
      !${fieldsSection(page, say, sum)}
    </form>`
}

function goodsItem(
  { ref, price }: (typeof goods)[number],
  basket: Basket,
  { language }: Visit,
  say: ShopWords,
): string {
  const name = say.goods[ref]
  return html`
    <li>
      !${pictures[ref]}
      <span class="name">${name} <small class="muted">${amountInWords({ amount: price, currency: 'EUR' }, language)} ${say.each}</small></span>
      <input type="number" name="${ref}" value="${basket[ref]}" min="0" max="${quantityMax}" step="1" required
        inputmode="numeric" autocomplete="off" aria-label="${say.quantityOf(name)}" data-price="${price}">
    </li>`
}

function storedSection({ session }: ShopPage, { stored, pay }: ShopWords, sum: string): string {
  const { brand = '', last4 = '' } = session.card ?? {}
  return html`
    <section class="box" aria-labelledby="stored">
      <h2 id="stored">${stored.title}</h2>
      <p class="number kept">${brandName(brand)} •••• ${last4}</p>
      <p class="muted">${stored.says}</p>
      <div class="row">
        <button type="submit" formaction="${shopPath}/payments-by-token">${pay} !${sum}</button>
        <button class="quiet" type="submit" formaction="${shopPath}/cards/forget">${stored.forget}</button>
      </div>
    </section>`
}

/** Shown by the script, without which nothing could be encrypted. */
function fieldsSection({ merchant, visit }: ShopPage, { fields, pay }: ShopWords, sum: string): string {
  return html`
    <section class="box" aria-labelledby="fields">
      <h2 id="fields">${fields.title}</h2>
      <p class="muted">${fields.says}</p>
      <noscript><p class="note">${fields.withoutScript}</p></noscript>
      <div data-with-script hidden>
        <p class="help" id="card-help">${fields.cardHelp} <a href="/sandbox" hreflang="en">${fields.allCards}</a></p>
        <div data-fields data-merchant="${merchant.publicId}" data-locale="${visit.language}"></div>
        <p class="problem" role="alert" data-broken hidden>${fields.broken} <span></span></p>
        !${['number', 'name', 'vcode', 'valdate'].map((name) => html`<input type="hidden" name="${name}" value="">`)}
        <div class="row">
          <button type="submit" formaction="${shopPath}/payments" data-encrypts data-pays>${pay} !${sum}</button>
          <button class="quiet" type="submit" formaction="${shopPath}/cards" data-encrypts>${fields.store}</button>
        </div>
      </div>
    </section>`
}

/** Newest first; empty before the first order. */
export function ordersTable({ orders }: Session, visit: Visit): string {
  if (orders.size === 0) return ''
  const say = words[visit.language]
  const rows = [...orders.values()].reverse().map(
    ({ reference, way, basket, state }) => html`
      <tr>
        <td><span class="number">${way === 'card' ? `…${reference.slice(-8)}` : reference}</span><br><small class="muted">${say.ways[way]}</small></td>
        <td class="right number">${way === 'card' ? '' : total(basket, visit)}</td>
        <td>${say.states[state]}</td>
      </tr>`,
  )
  const heads = [say.order, { text: say.amount, right: true }, say.state] as const
  return html`<h2>${say.orders}</h2>!${tableOf({ name: say.orders, heads, rows })}`
}

function total(basket: Basket, { language }: Visit): string {
  return amountInWords({ amount: totalOf(basket), currency: 'EUR' }, language)
}
