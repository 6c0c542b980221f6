// The page of the merchant: what was paid is refunded and divided, what was reserved is captured or released, and the balance is paid out.
import { type Operation, toCents } from '@comporta/sdk'
import { euros, type Html, html, notice, table } from '../html.ts'
import { type Content, formFields, type Page } from '../layout.ts'
import type { Selling } from '../sessions.ts'
import type { Shop, Visit } from '../shop.ts'
import type { Language } from '../words/index.ts'
import { actions, comeBack, sellingPath } from './actions.ts'
import { sellingWords } from './words.ts'

export const sellingPage: Page = {
  path: sellingPath,
  content,
  places: (_, { session, language }) => ({ notice: topNotice(session.selling, language) }),
  forms: actions,
  comeBack,
}

async function content(shop: Shop, visit: Visit): Promise<Content> {
  const say = sellingWords[visit.language]
  const { operations } = visit.session.selling
  return {
    title: say.title,
    lead: say.lead,
    nothingYet: say.nothingYet,
    about: {},
    main: html`
      <section class="box" aria-labelledby="look">
        <h2 id="look">${say.sales}</h2>
        <p class="muted">${say.salesHelp}</p>
        ${form(shop, visit, 'look', html`<button class="quiet" type="submit">${say.look}</button>`)}
        ${operations?.length === 0 && html`<p class="note">${say.none}</p>`}
      </section>
      ${topOf(operations ?? []).map((operation) => sale(shop, visit, operation, operations ?? []))}
      <section class="box" aria-labelledby="reserve">
        <h2 id="reserve">${say.reserveTitle}</h2>
        <p class="muted">${say.reserveHelp}</p>
        ${form(shop, visit, 'reserve', amountRow('reserve', say.amount, '50', html`<button type="submit">${say.reserve}</button>`))}
      </section>
      ${payout(shop, visit)}`,
  }
}

function payout(shop: Shop, visit: Visit): Html {
  const { language, session } = visit
  const say = sellingWords[language]
  const { balance } = session.selling
  return html`
    <section class="box" aria-labelledby="payout">
      <h2 id="payout">${say.payoutTitle}</h2>
      <p class="muted">${balance === undefined ? say.payoutHelp : say.balance(euros(balance, language))}</p>
      ${form(shop, visit, 'payout', amountRow('payout', say.amount, '10', html`<button type="submit">${say.payout}</button>`))}
    </section>`
}

/** What the customers did; what followed it stands below it. */
function topOf(operations: readonly Operation[]): readonly Operation[] {
  return operations.filter(
    ({ type, status }) => (type === 'PAYMENT' || type === 'AUTH') && status === 'COMPLETED',
  )
}

function sale(shop: Shop, visit: Visit, operation: Operation, all: readonly Operation[]): Html {
  const { language } = visit
  const say = sellingWords[language]
  const { id, type, ext_invoiceid: reference } = operation
  const followers = followersOf(operation, all)
  const rows = [operation, ...followers].map(
    (one) => html`
      <tr>
        <td>${say.types[one.type]}<br><small class="muted">${one.status}</small></td>
        <td class="right number">${inEuros(one, language)}</td>
        <td>${one.splits ? say.divided(one.splits.total) : one.type === 'CAPTURE' && one.refundable ? refundForm(shop, visit, one) : ''}</td>
      </tr>`,
  )
  const name = `${say.amountHead}: ${reference ?? ''}`
  return html`
    <section class="box" aria-labelledby="sale-${id}">
      <h2 id="sale-${id}">${say.types[type]} <span class="number">${reference}</span></h2>
      ${table(name, [say.what, say.amountHead, say.more], rows)}
      ${type === 'AUTH' ? reservedForm(shop, visit, id) : paidForms(shop, visit, operation, followers)}
    </section>`
}

/** Those of a payment, and of the captures of an authorization. */
function followersOf({ id }: Operation, all: readonly Operation[]): readonly Operation[] {
  const children = all.filter(({ parent }) => parent === id)
  return children.flatMap((child) => [child, ...followersOf(child, all)])
}

function reservedForm(shop: Shop, visit: Visit, id: string): Html {
  const say = sellingWords[visit.language]
  const button = (action: string, text: string) =>
    html`<button class="quiet" type="submit" formaction="${shop.base}${sellingPath}/${action}">${text}</button>`
  return form(
    shop,
    visit,
    'capture',
    amountRow(
      id,
      say.amountOrAll,
      '',
      html`${button('capture', say.capture)}${button('release', say.release)}`,
    ),
    id,
  )
}

function paidForms(shop: Shop, visit: Visit, operation: Operation, followers: readonly Operation[]): Html {
  const say = sellingWords[visit.language]
  const { id, refundable, splits } = operation
  const canDivide = splits === undefined && followers.length === 0
  return html`
    ${refundable && refundForm(shop, visit, operation)}
    ${canDivide && form(shop, visit, 'split', html`<button class="quiet" type="submit">${say.split}</button>`, id)}`
}

function refundForm(shop: Shop, visit: Visit, { id }: Operation): Html {
  const say = sellingWords[visit.language]
  const button = html`<button class="quiet" type="submit">${say.refund}</button>`
  return form(shop, visit, 'refund', amountRow(id, say.amountOrAll, '', button), id)
}

function form(shop: Shop, visit: Visit, action: string, inside: Html, operation?: string): Html {
  return html`
    <form class="selling" method="post" action="${shop.base}${sellingPath}/${action}">
      ${formFields(visit)}
      ${operation !== undefined && html`<input type="hidden" name="operation" value="${operation}">`}
      ${inside}
    </form>`
}

function amountRow(name: string, label: string, example: string, buttons: Html): Html {
  return html`
    <label for="amount-${name}">${label}</label>
    <div class="row">
      <input class="grow" id="amount-${name}" name="amount" value="${example}" inputmode="decimal" autocomplete="off" maxlength="9">
      ${buttons}
    </div>`
}

function topNotice({ done, refusal, problem }: Selling, language: Language): Html {
  const say = sellingWords[language]
  if (problem !== undefined) return notice(say.problems[problem], true)
  if (refusal !== undefined) {
    const text = refusal.code === undefined ? say.unanswered : `${say.refused} (${refusal.code})`
    return notice(
      html`${text} <span class="reason">${say.apiSaid} <q lang="en">${refusal.reason}</q></span>`,
      true,
    )
  }
  return done === undefined ? html`` : notice(say.done[done], false)
}

function inEuros({ amount }: Operation, language: Language): string {
  return euros(Number(toCents(amount)), language)
}
