// The page to subscribe on: the customer allows an amount per month once, and the merchant charges within it.
import {
  type Amount,
  type Subscription as Answered,
  type Callback,
  type ChargeOrder,
  type ComportaError,
  fromCents,
  toCents,
} from '@comporta/sdk'
import { leftOn } from './allowance.ts'
import { isRefusal } from './gateway.ts'
import { cardInWords, euros, type Html, html, notice, pictures, table } from './html.ts'
import { type Content, formFields, type Page } from './layout.ts'
import { type Charge, later, type Refusal, type Subscription } from './sessions.ts'
import { type Fields, newReference, type Shop, type Visit } from './shop.ts'
import { type Language, words } from './words/index.ts'

const path = '/subscriptions'
/** What the customer allows per month, in cents as all prices: a box, and what they add to it. */
const allowance = 25_00
const boxPrice = 14_50
/** Paid once, together with accepting the subscription. */
const packPrice = 9_90
const chargesShownMax = 20
const chargesReadMax = 30
/** MB WAY subscriptions need the phone. */
const client = { name: 'Ana Silva', email: 'ana@exemplo.pt', phone: '+351912345678' }

type Problem = keyof (typeof words.en)['subscribing']['problems']

export const subscriptionPage: Page = {
  path,
  content,
  places: (shop, visit) => ({
    notice: topNotice(visit),
    subscription: facts(shop, visit),
    acting: actingFields(shop, visit),
    charges: chargesTable(visit),
  }),
  forms: {
    [path]: subscribe,
    [`${path}/charge`]: charge,
    [`${path}/cancel`]: cancel,
    [`${path}/look`]: lookAgain,
  },
  comeBack,
}

/** `POST /api/v2/checkout` with `subscription`, and with `payment` beside it for the welcome pack. */
async function subscribe(shop: Shop, visit: Visit): Promise<string> {
  const { session, language, fields, today } = visit
  const { offer } = words[language].subscribing
  const reference = newReference('BOX')
  const withPack = fields.plan === 'with_pack'
  const asked: Subscription = { reference, withPack, state: 'asked', amount: allowance, startDate: today }
  await shop.wantCallbacks()
  // Remembered before the call, because its callback may be faster than its answer.
  session.subscriptions.set(reference, asked)
  const back = shop.url(`${path}/return`, visit, { subscription: reference })
  const { answer: checkout, error } = await shop.ask(visit, (comporta) =>
    comporta.checkouts.create({
      ...(withPack && {
        payment: {
          ...money(packPrice),
          ext_invoiceid: reference,
          ...item('welcome-pack', offer.pack, packPrice),
          client,
        },
      }),
      subscription: {
        ...money(allowance),
        frequency: 1,
        period: 'MONTH',
        start_date: today,
        ext_subscriptionid: reference,
        description: offer.name,
        client,
      },
      url_confirm: back,
      url_cancel: back,
    }),
  )
  if (error) {
    refuse(asked, error)
    session.changed()
    return about(shop, visit, { subscription: reference })
  }
  takeSubscription(asked, checkout.subscription)
  asked.checkoutId = checkout.id
  asked.payment ??= checkout.payment?.status
  session.changed()
  return shop.sendTo(checkout.url_redirect, visit)
}

/** The browser is back, which proves nothing: the shop reads the checkout, and the subscription it opened. */
async function comeBack(shop: Shop, visit: Visit): Promise<string> {
  const subscription = named(visit)
  if (subscription?.checkoutId === undefined) return shop.path(path, visit)
  const { checkoutId } = subscription
  visit.session.note({ kind: 'browser', direction: 'back', path: `${shop.base}${path}/return` })
  const { answer: checkout } = await shop.ask(visit, ({ checkouts }) => checkouts.get(checkoutId))
  if (checkout) {
    takeSubscription(subscription, checkout.subscription)
    subscription.payment = checkout.payment?.status ?? subscription.payment
  }
  await readSubscription(shop, visit, subscription)
  return about(shop, visit, { subscription: subscription.reference })
}

/** `POST /api/v2/subscriptions/<id>/charge`: answered NEW at once, a callback says what became of it. */
async function charge(shop: Shop, visit: Visit): Promise<string> {
  const { session, fields, language, today } = visit
  const subscription = named(visit)
  if (subscription?.gatewayId === undefined) return about(shop, visit, { problem: 'no_subscription' })
  const id = subscription.gatewayId
  const told = { subscription: subscription.reference }
  // Whether it is too little or too much is for the API to say.
  const typed = (fields.amount ?? '').trim().replace(',', '.')
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(typed)) return about(shop, visit, { ...told, problem: 'no_amount' })
  const amount = Number(toCents(typed))
  const reference = newReference('SHOP')
  const asked: Charge = {
    reference,
    subscription: subscription.reference,
    amount,
    day: today,
    state: 'asked',
  }
  session.charges.set(reference, asked)
  const { name } = words[language].subscribing.offer
  const payment = {
    ...money(amount),
    ext_invoiceid: reference,
    ...(amount === boxPrice && item('coffee-box', name, amount)),
  }
  const { answer: order, error } = await shop.ask(visit, ({ subscriptions }) =>
    subscriptions.charge(id, { payment }),
  )
  if (order) takeCharge(asked, order)
  if (error) refuse(asked, error)
  session.changed()
  return about(shop, visit, { ...told, charge: reference })
}

/** `DELETE /api/v2/subscriptions/<id>`. */
async function cancel(shop: Shop, visit: Visit): Promise<string> {
  const subscription = named(visit)
  if (subscription?.gatewayId === undefined) return about(shop, visit, { problem: 'no_subscription' })
  await readSubscription(shop, visit, subscription, 'void')
  return about(shop, visit, { subscription: subscription.reference })
}

/** `GET /api/v2/subscriptions/<id>` and `GET /api/v2/subscriptions/<id>/charge`. */
async function lookAgain(shop: Shop, visit: Visit): Promise<string> {
  const subscription = named(visit)
  if (subscription !== undefined) {
    await readSubscription(shop, visit, subscription)
    await readCharges(shop, visit, subscription)
  }
  return about(shop, visit, { subscription: visit.fields.subscription })
}

async function readSubscription(
  shop: Shop,
  visit: Visit,
  subscription: Subscription,
  verb: 'get' | 'void' = 'get',
): Promise<void> {
  const id = subscription.gatewayId
  if (id === undefined) return
  const { answer, error } = await shop.ask(visit, ({ subscriptions }) => subscriptions[verb](id))
  subscription.refusal = error && refusalIn(error)
  if (answer) takeSubscription(subscription, answer)
  visit.session.changed()
}

async function readCharges(shop: Shop, visit: Visit, { gatewayId, reference }: Subscription): Promise<void> {
  if (gatewayId === undefined) return
  const { charges } = visit.session
  const { answer: page } = await shop.ask(visit, ({ subscriptions }) =>
    subscriptions.charges(gatewayId, { limit: chargesReadMax }),
  )
  if (page === undefined) return
  // The list is newest first, the shop's memory oldest first.
  for (const { charge_order: order } of page.elements.toReversed()) {
    const known = [...charges.values()].find((charge) => charge.gatewayId === order.id)
    // One that somebody else made has no reference of the shop's.
    const charge = known ?? {
      reference: `…${String(order.id).slice(-8)}`,
      subscription: reference,
      amount: inCents(order.amount),
      day: new Date(order.date ?? visit.today).toLocaleDateString('sv-SE', { timeZone: 'Europe/Lisbon' }),
      state: 'asked',
    }
    takeCharge(charge, order)
    charges.set(charge.reference, charge)
  }
  visit.session.changed()
}

/** Takes over what an answer says of a subscription. */
function takeSubscription(subscription: Subscription, read: Answered | undefined): void {
  if (read === undefined) return
  const { card } = read
  subscription.state = later(subscription.state, read.status)
  subscription.gatewayId = read.id
  subscription.amount = inCents(read.amount)
  subscription.startDate = read.start_date ?? subscription.startDate
  subscription.endDate = read.end_date ?? subscription.endDate
  subscription.method = read.default_payment_method ?? subscription.method
  if (card) subscription.card = { brand: String(card.type), last4: String(card.last4) }
}

function takeCharge(charge: Charge, { id, status }: Pick<ChargeOrder, 'id' | 'status'>): void {
  charge.gatewayId = id
  charge.state = later(charge.state, status)
}

function refuse(asked: Subscription | Charge, error: ComportaError): void {
  if (isRefusal(error)) asked.state = 'refused'
  asked.refusal = refusalIn(error)
}

function refusalIn({ code, reason }: ComportaError): Refusal {
  return { code, reason }
}

/** What a genuine callback changes: of a charge, of a subscription, or of its first payment. */
export function takeSubscriptionCallback(callback: Callback, { session }: Pick<Visit, 'session'>): void {
  if ('charge_order_id' in callback) {
    const { charge_order_id, event, ext_invoiceid } = callback
    const charge =
      session.charges.get(String(ext_invoiceid)) ??
      [...session.charges.values()].find(({ gatewayId }) => gatewayId === charge_order_id)
    if (charge !== undefined) charge.state = later(charge.state, event)
  } else if ('subscription_end_date' in callback) {
    const { subscription_id, subscription_end_date, ext_subscriptionid, event } = callback
    const subscription = session.subscriptions.get(String(ext_subscriptionid))
    if (subscription === undefined) return
    subscription.state = later(subscription.state, event)
    subscription.gatewayId = subscription_id
    subscription.endDate = subscription_end_date ?? subscription.endDate
  } else if ('operation_status' in callback) {
    const paid = session.subscriptions.get(String(callback.ext_invoiceid))
    if (paid !== undefined) paid.payment = callback.operation_status ?? paid.payment
  }
}

function money(amount: number) {
  return { amount: fromCents(amount), currency: 'EUR' as const }
}

function item(ref: string, name: string, price: number) {
  return { items: [{ ref, name, qt: 1, amount: fromCents(price) }] }
}

/** The shop's own prices are whole numbers of cents. */
function inCents(amount: Amount): number {
  return Number(toCents(amount))
}

/** The one that the form or the address names. */
function named({ session, fields }: Visit): Subscription | undefined {
  return session.subscriptions.get(fields.subscription ?? '')
}

/** The one that the page shows: the one that is named, else the latest. */
function shown(visit: Visit): Subscription | undefined {
  return named(visit) ?? [...visit.session.subscriptions.values()].at(-1)
}

function wasAccepted({ state }: Subscription): boolean {
  return state === 'APPROVED' || state === 'EXPIRED' || state === 'CANCELED' || state === 'VOIDED'
}

function chargesOf({ session }: Visit, { reference }: Subscription): Charge[] {
  return [...session.charges.values()].filter(({ subscription }) => subscription === reference)
}

/** The page about a subscription, one of its charges, or a problem. */
function about(shop: Shop, visit: Visit, fields: Fields): string {
  return shop.path(path, visit, fields)
}

async function content(shop: Shop, visit: Visit): Promise<Content> {
  const { subscription, charge, problem } = visit.fields
  const { title, lead, nothingYet } = words[visit.language].subscribing
  return {
    title,
    lead,
    nothingYet,
    about: { subscription, charge, problem },
    main: html`${panel(shop, visit)}${offerForm(shop, visit)}`,
  }
}

/** What the top of the page says: of a charge, of the subscription, or of what the API refused. */
function topNotice(visit: Visit): Html {
  const { session, language, fields } = visit
  const say = words[language].subscribing
  if (isProblem(fields.problem)) return notice(say.problems[fields.problem], true)
  const charge = session.charges.get(fields.charge ?? '')
  if (charge !== undefined) {
    const text = say.notices.charge[charge.state](euros(charge.amount, language))
    return withRefusal(text, charge.state === 'FAIL', charge.refusal, language)
  }
  const subscription = named(visit)
  if (subscription === undefined) return html``
  const { state, refusal } = subscription
  return withRefusal(say.notices.subscription[state], state === 'FAILED', refusal, language)
}

/** What the code means, and the API's own reason, which is English. */
function withRefusal(text: string, isBad: boolean, refusal: Refusal | undefined, language: Language): Html {
  if (refusal === undefined) return notice(text, isBad)
  const say = words[language].subscribing
  const { code, reason } = refusal
  if (code === undefined) return notice(`${text} ${say.unanswered}`, true)
  const meaning = (say.refusals as Record<number, string>)[code] ?? `${say.refused} (${code})`
  return notice(
    html`${text} ${meaning} <span class="reason">${say.apiSaid} <q lang="en">${reason}</q></span>`,
    true,
  )
}

function isProblem(text: string | undefined): text is Problem {
  return text !== undefined && Object.hasOwn(words.en.subscribing.problems, text)
}

/** A subscription, what its merchant can do about it, and its charges; empty before the first. */
function panel(shop: Shop, visit: Visit): Html {
  const subscription = shown(visit)
  if (subscription === undefined) return html``
  const say = words[visit.language]
  const others = [...visit.session.subscriptions.keys()]
    .filter((reference) => reference !== subscription.reference)
    .toReversed()
    .map(
      (reference) =>
        html`<li><a class="number" href="${about(shop, visit, { subscription: reference })}">${reference}</a></li>`,
    )
  return html`
    <section class="box" aria-labelledby="subscription">
      <h2 id="subscription">${say.subscribing.panel.title}</h2>
      <div data-subscription>${facts(shop, visit)}</div>
      <form method="post" action="${shop.base}${path}/look" data-acting data-paying="${say.paying}">${actingFields(shop, visit)}</form>
      <div data-charges>${chargesTable(visit)}</div>
      ${others.length > 0 && html`<p class="small muted">${say.subscribing.panel.others}</p><ul class="small">${others}</ul>`}
    </section>`
}

/** How it stands, as its merchant knows it. */
function facts(shop: Shop, visit: Visit): Html {
  const subscription = shown(visit)
  if (subscription === undefined) return html``
  const { language, today } = visit
  const { panel: say, states } = words[language].subscribing
  const { state, reference, amount, startDate, endDate, withPack, payment } = subscription
  const left = leftOn(today, subscription, chargesOf(visit, subscription))
  const day = (text: string) => dayInWords(text, language)
  const fact = (name: string, value: string | Html) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  const allowed = html`${say.everyMonth(euros(amount, language))}<small class="muted">${say.fromTo(day(startDate), endDate && day(endDate))}</small>`
  const remaining = html`${euros(left.amount, language)}<small class="muted">${say.until(day(left.until))}</small>`
  const pack = html`${euros(packPrice, language)}${payment !== undefined && html` <code>${payment}</code>`}`
  const method = wasAccepted(subscription) && methodInWords(subscription, language)
  return html`
    <p class="standing"><code class="outcome ${state === 'APPROVED' ? 'good' : 'bad'}">${state}</code> ${states[state]}</p>
    <dl class="facts">
      ${fact(say.allowance, allowed)}
      ${state === 'APPROVED' && fact(say.left, remaining)}
      ${withPack && fact(say.pack, pack)}
      ${method && fact(say.chargedTo, method)}
      ${fact(say.reference, html`<span class="number">${reference}</span>`)}
    </dl>
    ${hint(shop, subscription, language)}`
}

/** What the visitor may do elsewhere: decide as the customer, or move the clock of the sandbox. */
function hint({ gatewayLink }: Shop, { state, checkoutId }: Subscription, language: Language): Html {
  const { panel: say } = words[language].subscribing
  const checkout = `${gatewayLink}/checkout/${checkoutId}?lang=${language}`
  if (state === 'NEW') return html`<p class="small"><a href="${checkout}">${say.decide}</a></p>`
  if (state !== 'APPROVED') return html``
  return html`
    <p class="small muted">${say.leftHelp} <a href="${gatewayLink}/sandbox/clock">${say.clock}</a>.</p>
    <p class="small"><a href="${checkout}">${say.customer}</a></p>`
}

function methodInWords({ method, card }: Subscription, language: Language): string | undefined {
  if (method === undefined) return undefined
  const names: Readonly<Record<string, string>> = words[language].subscribing.panel.methods
  return card === undefined ? (names[method] ?? method) : cardInWords(card)
}

function dayInWords(day: string, language: Language): string {
  const locale = language === 'pt' ? 'pt-PT' : 'en-GB'
  return new Date(day).toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' })
}

/** What the merchant can do; after the end too, to see it refused. */
function actingFields({ base }: Shop, visit: Visit): Html {
  const subscription = shown(visit)
  if (subscription?.gatewayId === undefined) return html``
  const { acting: say } = words[visit.language].subscribing
  const { reference, state } = subscription
  const price = (boxPrice / 100).toFixed(2).replace('.', visit.language === 'pt' ? ',' : '.')
  const charging = html`
    <h3>${say.title}</h3>
    <p class="muted small" id="acting-help">${state === 'APPROVED' ? say.says : say.ended}</p>
    <label for="amount">${say.amount}</label>
    <div class="row charging">
      <input class="grow" id="amount" name="amount" value="${price}" inputmode="decimal" autocomplete="off" required
        maxlength="12" aria-describedby="acting-help">
      <button type="submit" formaction="${base}${path}/charge">${say.charge}</button>
    </div>`
  return html`${formFields(visit)}
    <input type="hidden" name="subscription" value="${reference}">
    ${wasAccepted(subscription) && charging}
    <div class="row">
      <button class="quiet" type="submit" formaction="${base}${path}/look" formnovalidate>${say.look}</button>
      ${(state === 'APPROVED' || state === 'NEW') && html`<button class="quiet" type="submit" formaction="${base}${path}/cancel" formnovalidate>${say.cancel}</button>`}
    </div>`
}

/** Newest first; empty before the first. */
function chargesTable(visit: Visit): Html {
  const subscription = shown(visit)
  const charges = subscription === undefined ? [] : chargesOf(visit, subscription)
  if (charges.length === 0) return html``
  const { language } = visit
  const { charges: say, chargeStates } = words[language].subscribing
  const rows = charges
    .slice(-chargesShownMax)
    .reverse()
    .map(
      ({ reference, amount, state, refusal }) => html`
      <tr>
        <td><span class="number">${reference}</span></td>
        <td class="right number">${euros(amount, language)}</td>
        <td>${chargeStates[state]}<br><small class="muted">${refusal?.code ?? state}</small></td>
      </tr>`,
    )
  return html`<h3>${say.title}</h3>${table(say.title, [say.charge, say.amount, say.state], rows)}`
}

/** The form to subscribe with; folded away where there is a subscription already. */
function offerForm({ base, gatewayLink }: Shop, visit: Visit): Html {
  const { language } = visit
  const say = words[language]
  const { offer } = say.subscribing
  const option = (plan: 'alone' | 'with_pack', price: Html | false) => html`
    <label class="option">
      <input type="radio" name="plan" value="${plan}"${plan === 'alone' && html` checked`}>
      <span>${offer.plans[plan].name}${price}<small class="muted">${offer.plans[plan].says}</small></span>
    </label>`
  const form = html`
    <form method="post" action="${base}${path}" data-paying="${say.paying}">
      ${formFields(visit)}
      <div class="offer">${pictures.coffee}<p>${offer.says(euros(boxPrice, language), euros(allowance, language))}</p></div>
      <fieldset>
        <legend class="for-readers">${offer.choice}</legend>
        ${option('alone', false)}${option('with_pack', html`, ${euros(packPrice, language)}`)}
      </fieldset>
      <button type="submit">${offer.subscribe}</button>
      <p class="help">${offer.help} ${say.fields.cardHelp} <a href="${gatewayLink}/sandbox/phone">${offer.phone}</a>.</p>
    </form>`
  return shown(visit) === undefined
    ? html`<section class="box"><h2>${offer.title}</h2>${form}</section>`
    : html`<details class="box again"><summary><h2>${offer.again}</h2></summary>${form}</details>`
}
