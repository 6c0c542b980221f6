// Page of a subscription and its charges.
import { type Amount, type Subscription as Answered, fromCents, toCents } from '@comporta/sdk'
import { leftOn } from './allowance.ts'
import { cardName, errorNotice, euros, type Html, html, notice, table } from './html.ts'
import { filled, textFor } from './i18n/index.ts'
import { amountRow, button, type Content, form, type Page } from './layout.ts'
import { advance, type Order, type Subscription } from './session.ts'
import { lisbonDay, newReference, Problem, typedCents, type Visit } from './shop.ts'

const path = '/subscriptions'
/** Prices in cents: the monthly limit, one box, and the first payment. */
const prices = { allowance: 25_00, box: 14_50, pack: 9_90 }
/** MB WAY needs the phone number for a subscription. */
const client = { name: 'Ana Silva', email: 'ana@exemplo.pt', phone: '+351912345678' }

export const subscriptionPage: Page = {
  path,
  content,
  forms: {
    [path]: subscribe,
    [`${path}/charge`]: (visit) => withNamed(visit, charge),
    [`${path}/cancel`]: (visit) => withNamed(visit, (subscription) => read(visit, subscription, 'void')),
    [`${path}/look`]: (visit) => withNamed(visit, lookAgain),
  },
  comeBack: (visit) => withNamed(visit, takeCheckout),
}

/** `POST /api/v2/checkout` with `subscription`, and with `payment` for the welcome pack. */
async function subscribe(visit: Visit): Promise<string> {
  const { shop, session, fields, today, say } = visit
  const { offer } = say.subscribing
  const reference = newReference('BOX')
  const amount = prices.allowance
  const order: Order = { kind: 'subscription', reference, state: 'asked', amount, day: today }
  const asked: Subscription = { ...order, startDate: today }
  if (fields.plan === 'with_pack') asked.payment = ''
  await shop.wantCallbacks()
  session.subscriptions.set(reference, asked)
  const pack = { ...purchase('welcome-pack', offer.pack, prices.pack), ext_invoiceid: reference, client }
  const checkout = await visit.place(asked, ({ checkouts }) =>
    checkouts.create({
      ...(asked.payment !== undefined && { payment: pack }),
      subscription: {
        ...{ ...money(amount), frequency: 1, period: 'MONTH', start_date: today },
        ...{ ext_subscriptionid: reference, description: offer.name, client },
      },
      ...visit.backTo(`${path}/return`, { subscription: reference }),
    }),
  )
  if (checkout === undefined) return about(visit, asked)
  take(asked, checkout.subscription)
  asked.checkoutId = checkout.id
  asked.payment ||= checkout.payment?.status
  return visit.sendTo(checkout.url_redirect)
}

async function withNamed(
  visit: Visit,
  work: (subscription: Subscription, visit: Visit) => Promise<{ charge: string } | undefined>,
): Promise<string> {
  const subscription = named(visit)
  if (subscription?.gatewayId === undefined) throw new Problem('no_subscription')
  const more = await work(subscription, visit)
  visit.session.changed()
  return about(visit, subscription, more)
}

async function takeCheckout(subscription: Subscription, visit: Visit): Promise<undefined> {
  const { checkoutId = '' } = subscription
  const { answer: checkout } = await visit.ask(({ checkouts }) => checkouts.get(checkoutId))
  subscription.payment = checkout?.payment?.status ?? subscription.payment
  await read(visit, subscription)
}

/** `POST /api/v2/subscriptions/<id>/charge` answers NEW; a callback contains the result. */
async function charge({ gatewayId: id = '', reference: subscription }: Subscription, visit: Visit) {
  // The shop checks no limits, because the API does.
  const amount = typedCents(visit)
  const reference = newReference('SHOP')
  const asked: Order = { kind: 'charge', subscription, reference, amount, day: visit.today, state: 'asked' }
  const { name } = visit.say.subscribing.offer
  const goods = amount === prices.box ? purchase('coffee-box', name, amount) : money(amount)
  const payment = { ...goods, ext_invoiceid: reference }
  const order = await visit.place(asked, ({ subscriptions }) => subscriptions.charge(id, { payment }))
  asked.gatewayId = order?.id
  advance(asked, order?.status)
  return { charge: reference }
}

/** `GET /api/v2/subscriptions/<id>` and `GET /api/v2/subscriptions/<id>/charge`. */
async function lookAgain(subscription: Subscription, visit: Visit): Promise<undefined> {
  const charged = { kind: 'charge', subscription: subscription.reference, state: 'asked' } as const
  await read(visit, subscription)
  const { gatewayId: id = '' } = subscription
  const { answer: page } = await visit.ask(({ subscriptions }) => subscriptions.charges(id, { limit: 30 }))
  // The list of the API has the newest first, and the shop's memory has the oldest first.
  for (const { charge_order: order } of page?.elements.toReversed() ?? []) {
    // The shop has no reference for a charge that another program created.
    const unknown = { ...charged, reference: `…${String(order.id).slice(-8)}`, amount: cents(order.amount) }
    const day = order.date === undefined ? visit.today : lisbonDay(new Date(order.date))
    const charge: Order = visit.session.find([order.id]) ?? { ...unknown, day }
    charge.gatewayId = order.id
    advance(charge, order.status)
    visit.session.orders.set(charge.reference, charge)
  }
}

async function read(
  visit: Visit,
  subscription: Subscription,
  verb: 'get' | 'void' = 'get',
): Promise<undefined> {
  const { gatewayId: id = '' } = subscription
  const { answer, error } = await visit.ask(({ subscriptions }) => subscriptions[verb](id))
  subscription.error = error
  take(subscription, answer)
}

function take(subscription: Subscription, answer: Answered | undefined): void {
  if (answer === undefined) return
  advance(subscription, answer.status)
  subscription.gatewayId = answer.id
  subscription.amount = cents(answer.amount)
  subscription.startDate = answer.start_date ?? subscription.startDate
  subscription.endDate = answer.end_date ?? subscription.endDate
  subscription.method = answer.default_payment_method ?? subscription.method
  if (answer.card) subscription.card = { brand: String(answer.card.type), last4: String(answer.card.last4) }
}

function money(amount: number) {
  return { amount: fromCents(amount), currency: 'EUR' as const }
}

function purchase(ref: string, name: string, price: number) {
  return { ...money(price), items: [{ ref, name, qt: 1, amount: fromCents(price) }] }
}

function cents(amount: Amount): number {
  return Number(toCents(amount))
}

function named({ session, fields }: Visit): Subscription | undefined {
  return session.subscriptions.get(fields.subscription ?? '')
}

function about(visit: Visit, { reference }: Subscription, more: Visit['fields'] = {}): string {
  return visit.path(path, { subscription: reference, ...more })
}

async function content(visit: Visit): Promise<Content> {
  const shown = named(visit) ?? [...visit.session.subscriptions.values()].at(-1)
  const main = html`${shown && panel(visit, shown)}${offer(visit, shown === undefined)}`
  return { say: visit.say.subscribing, notice: topNotice(visit), main }
}

function topNotice(visit: Visit): Html | undefined {
  const { session, language, fields, say } = visit
  const { notices, refusals } = say.subscribing
  const order = session.orders.get(fields.charge ?? '') ?? named(visit)
  if (order === undefined) return undefined
  const { kind, state, amount, error } = order
  const text = textFor(kind === 'charge' ? notices.charge : notices.subscription, state) ?? state
  const said = filled(text, { amount: euros(amount, language) })
  return error ? errorNotice(say, said, error, refusals) : notice(said, state.startsWith('FAIL'))
}

function panel(visit: Visit, subscription: Subscription): Html {
  const { session, say } = visit
  const { reference } = subscription
  const charges = [...session.orders.values()].filter((order) => order.subscription === reference)
  const inside = html`
    <input type="hidden" name="subscription" value="${reference}">
    <div data-buttons>${buttons(visit, subscription)}</div>`
  return html`
    <section class="box" aria-labelledby="subscription">
      <h2 id="subscription">${say.subscribing.panel.title}</h2>
      <div data-subscription>${facts(visit, subscription, charges)}</div>
      ${form(visit, `${path}/look`, inside, html`data-acting`)}
      <div data-charges>${charges.length > 0 && chargesTable(visit, charges)}</div>
    </section>`
}

function facts(visit: Visit, subscription: Subscription, charges: readonly Order[]): Html {
  const { shop, language, today } = visit
  const { panel: say, states } = visit.say.subscribing
  const { state, reference, amount, startDate, endDate, payment, method, card, checkoutId } = subscription
  const left = leftOn(today, subscription, charges)
  const locale = language === 'pt' ? 'pt-PT' : 'en-GB'
  const day = (text: string) =>
    new Date(text).toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const fact = (name: string, value: string | Html, more?: string) =>
    html`<div><dt>${name}</dt><dd>${value}${more && html`<small class="muted">${more}</small>`}</dd></div>`
  const dates = { first: day(startDate), last: endDate === undefined ? '' : day(endDate) }
  const paidBy = card ? cardName(card) : textFor(say.methods, method)
  return html`
    <p><code class="outcome ${state === 'APPROVED' ? 'good' : 'bad'}">${state}</code> ${textFor(states, state)}</p>
    <dl class="facts">
      ${fact(say.allowance, filled(say.everyMonth, { amount: euros(amount, language) }), filled(endDate ? say.fromTo : say.from, dates))}
      ${state === 'APPROVED' && fact(say.left, euros(left.amount, language), filled(say.until, { day: day(left.until) }))}
      ${payment !== undefined && fact(say.pack, html`${euros(prices.pack, language)} <code>${payment}</code>`)}
      ${isAccepted(subscription) && paidBy !== undefined && fact(say.chargedTo, paidBy)}
      ${fact(say.reference, html`<span class="number">${reference}</span>`)}
    </dl>
    ${state === 'APPROVED' && html`<p class="small muted">${say.leftHelp} <a href="${shop.gatewayLink}/sandbox/clock">${say.clock}</a>.</p>`}
    <p class="small"><a href="${shop.gatewayLink}/checkout/${checkoutId}?lang=${language}">${say.customer}</a></p>`
}

function isAccepted({ state }: Subscription): boolean {
  return ['APPROVED', 'EXPIRED', 'CANCELED', 'VOIDED'].includes(state)
}

/** The page offers a charge even after the end of the subscription, to show the refusal. */
function buttons(visit: Visit, subscription: Subscription): Html | undefined {
  const { gatewayId, state } = subscription
  if (gatewayId === undefined) return undefined
  const { acting } = visit.say.subscribing
  const charge = html`<button type="submit" formaction="${visit.shop.base}${path}/charge">${acting.charge}</button>`
  const price = (prices.box / 100).toFixed(2).replace('.', visit.language === 'pt' ? ',' : '.')
  return html`
    ${isAccepted(subscription) && html`<h3>${acting.title}</h3><p class="muted small">${state === 'APPROVED' ? acting.says : acting.ended}</p>${amountRow('charge', visit.say.amountInEuros, price, charge)}`}
    <div class="row">
      ${button(visit, `${path}/look`, acting.look)}
      ${(state === 'APPROVED' || state === 'NEW') && button(visit, `${path}/cancel`, acting.cancel)}
    </div>`
}

function chargesTable({ language, say }: Visit, charges: readonly Order[]): Html {
  const { charges: heads, chargeStates } = say.subscribing
  const rows = charges
    .slice(-20)
    .map(({ reference, amount, state, error }) => [
      html`<span class="number">${reference}</span>`,
      euros(amount, language),
      html`${textFor(chargeStates, state)}<br><small class="muted">${error?.code ?? state}</small>`,
    ])
  return html`<h3>${heads.title}</h3>${table(heads.title, [heads.charge, say.amount, say.state], rows.reverse())}`
}

function offer(visit: Visit, isFirst: boolean): Html {
  const { shop, language, say } = visit
  const { offer } = say.subscribing
  const price = (amount: number) => euros(amount, language)
  const option = (plan: 'alone' | 'with_pack', more: string | false) => html`
    <label class="option">
      <input type="radio" name="plan" value="${plan}"${plan === 'alone' && html` checked`}>
      <span>${offer.plans[plan].name}${more}<small class="muted">${offer.plans[plan].says}</small></span>
    </label>`
  const inside = html`
    <p>${filled(offer.says, { box: price(prices.box), allowance: price(prices.allowance) })}</p>
    <fieldset>
      <legend class="for-readers">${offer.choice}</legend>
      ${option('alone', false)}${option('with_pack', `, ${price(prices.pack)}`)}
    </fieldset>
    <button type="submit">${offer.subscribe}</button>
    <p class="help">${offer.help} ${say.buying.fields.cardHelp} <a href="${shop.gatewayLink}/sandbox/phone">${offer.phone}</a>.</p>`
  return isFirst
    ? html`<section class="box"><h2>${offer.title}</h2>${form(visit, path, inside)}</section>`
    : html`<details class="box again"><summary><h2>${offer.again}</h2></summary>${form(visit, path, inside)}</details>`
}
