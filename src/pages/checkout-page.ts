// The page with methods and forms.
import { second } from '../kernel/time.ts'
import { factsOf, type PageMethod } from '../methods/list.ts'
import { checkoutPath, html, methodPart } from './html.ts'
import { textsOf } from './i18n/index.ts'
import type { Message, Texts } from './i18n/shape.ts'
import { document } from './layout.ts'
import type { CheckoutPage, MethodPanel, Notice, PageField } from './model.ts'
import { deliveryFieldId, deliveryForm, deliveryLine } from './parts/address-fields.ts'
import { icons, methodIcon } from './parts/icons.ts'
import { checkoutSummary } from './parts/summary.ts'

const fieldOrder = [
  'number',
  'expiry',
  'vcode',
  'name',
  'fullname',
  'email',
  'pin',
  'holder',
  'iban',
  'phone',
  'mandate',
  'street',
  'postalcode',
  'city',
  'country',
] as const satisfies readonly PageField[]

/** Serve it with `cache-control: no-store`. */
export function renderCheckoutPage(page: CheckoutPage): string {
  const words = textsOf(page)
  const title = words.pageTitle[page.kind](page.merchantName)
  const failed = Object.keys(page.errors).length > 0
  return document(page, {
    title: failed ? words.titleOnError(title) : title,
    checkoutId: page.checkoutId,
    main: html`<main class="checkout" data-seconds-left="${secondsLeft(page)}">
!${checkoutSummary(page)}
<div class="pay">
!${page.notice === undefined || failed ? '' : noticeBox(page.notice, words)}
!${failed ? errorSummary(page, words) : ''}
!${page.asksDelivery === true ? deliveryForm(page) : deliveryLine(page) + methodChooser(page)}
!${cancelForm(page, words)}
</div>
</main>`,
  })
}

/** The page counts one second more, so that the gateway also considers the time over. */
function secondsLeft({ expiresAt, now }: CheckoutPage): number {
  return Math.max(1, Math.ceil((expiresAt - now) / second) + 1)
}

function messageOf(notice: Notice, words: Texts): Message {
  switch (notice.kind) {
    case 'declined':
      return words.declined[notice.reason]
    case 'authentication_failed':
      return words.authenticationFailed[notice.reason]
    case 'try_again':
      return words.tryAgain
    case 'too_many_cards':
      return words.tooManyCards
    case 'late':
      return words.late.open
    case 'message':
      return notice
  }
}

/** `autofocus` works for screen readers too, and without JavaScript. */
function noticeBox(notice: Notice, words: Texts): string {
  const { title, detail } = messageOf(notice, words)
  const calm = notice.kind === 'message' && notice.calm === true
  return html`<div class="notice!${calm ? ' calm' : ''}" role="${calm ? 'status' : 'alert'}" tabindex="-1" autofocus data-focus><span class="notice-icon">!${icons.alert}</span><div><h2>${title}</h2><p>${detail}</p></div></div>`
}

function errorSummary(page: CheckoutPage, words: Texts): string {
  const idOf = page.asksDelivery === true ? deliveryFieldId : panelOf(page, chosenMethod(page)).fieldId
  const links = fieldOrder.map((name) => {
    const problem = page.errors[name]
    if (problem === undefined) return ''
    const problemText = words.problems[name][problem] ?? words.problems[name].invalid
    return html`<li><a href="#${idOf(name)}">${problemText}</a></li>`
  })
  return html`<div class="notice" role="alert" tabindex="-1" autofocus data-focus><span class="notice-icon">!${icons.alert}</span><div><h2>${words.problemSummary}</h2><ul>!${links}</ul></div></div>`
}

function chosenMethod({ methods, chosen }: CheckoutPage): PageMethod | undefined {
  return chosen !== undefined && methods.includes(chosen) ? chosen : methods[0]
}

function panelOf({ panels }: CheckoutPage, method: PageMethod | undefined): MethodPanel {
  const panel = method && panels[method]
  if (panel === undefined) throw new Error(`there is no panel of ${method ?? 'no method'}`)
  return panel
}

function formOf(page: CheckoutPage, method: PageMethod, chosen: boolean): string {
  const { checkoutId, locale, simulated } = page
  const path = checkoutPath(checkoutId, locale, methodPart(method))
  const hint = simulated?.[locale].hints[method]
  return panelOf(page, method).render({ page, path, hint, chosen })
}

/** Radio buttons with panels. The style sheet hides the panels that are not chosen (`:has`). */
function methodChooser(page: CheckoutPage): string {
  const words = textsOf(page)
  const chosen = chosenMethod(page)
  const [only] = page.methods
  if (page.methods.length === 1 && only !== undefined) {
    return html`<section class="method-only" aria-labelledby="method-title"><h2 id="method-title"><span class="method-icon">!${methodIcon(only)}</span><span>${factsOf(only).names[page.locale]}</span></h2>!${formOf(page, only, true)}</section>`
  }
  const choices = page.methods.map((method) => {
    const id = `method-${method.toLowerCase()}`
    return html`<div class="method">
<p class="method-choice"><input type="radio" name="method" id="${id}" value="${method}"!${method === chosen ? ' checked' : ''}><label for="${id}"><span class="method-icon">!${methodIcon(method)}</span><span>${factsOf(method).names[page.locale]}</span></label></p>
<div class="method-panel">!${formOf(page, method, method === chosen)}</div>
</div>`
  })
  return html`<fieldset class="methods"><legend>${words.chooseMethod}</legend>!${choices}</fieldset>`
}

function cancelForm({ checkoutId, locale }: CheckoutPage, words: Texts): string {
  return html`<form class="cancel" method="post" action="${checkoutPath(checkoutId, locale, 'cancel')}" data-submit-once><button type="submit" class="plain">${words.cancel}</button></form>`
}
