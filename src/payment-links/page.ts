// The page of a payment link.
import type { Cents } from '../kernel/money.ts'
import type { Instant } from '../kernel/time.ts'
import { factsOf, type PageMethod } from '../methods/list.ts'
import {
  document,
  flag,
  html,
  icons,
  type Locale,
  merchantMark,
  money,
  ownPath,
  type PageFrame,
  texts,
  wholeMoment,
} from '../pages/index.ts'
import { linkWords } from './messages.ts'
import type { LinkState } from './model.ts'

export interface LinkPage extends PageFrame {
  readonly merchantName: string
  readonly path: string
  readonly state: LinkState
  readonly description: string
  readonly amount?: Cents | undefined
  readonly bounds?: { readonly least: Cents; readonly most: Cents } | undefined
  readonly currency: string
  readonly methods: readonly PageMethod[]
  readonly expiresAt?: Instant | undefined
  readonly wrongAmount?: string | undefined
}

/** To open the page changes nothing, because messengers load previews. */
export function renderLinkPage(page: LinkPage): string {
  const { locale, merchantName, path, state } = page
  const title = linkWords[locale].pageTitle(merchantName)
  const body = state === 'open' ? openLink(page) : endedLink(page, state)
  return document(page, {
    title: page.wrongAmount === undefined ? title : texts[locale].titleOnError(title),
    pathIn: (other) => pathIn(path, other),
    main: html`<main class="single link">
<div class="link-card">
<h1 class="merchant">!${merchantMark(page)}<span>${title}</span></h1>
!${body}
</div>
</main>`,
  })
}

function pathIn(path: string, locale: Locale): string {
  return ownPath(`${path}?lang=${locale}`)
}

function openLink(page: LinkPage): string {
  const { locale, path, description, amount, currency, methods, expiresAt } = page
  const words = linkWords[locale]
  const names = methods.map((method) => factsOf(method).names[locale])
  const until = expiresAt === undefined ? undefined : wholeMoment(expiresAt, locale)
  return html`<p class="link-for">${description}</p>
!${amount === undefined ? '' : html`<p class="total"><span class="total-label">${words.amount}</span> <strong class="amount">${money(amount, currency, locale)}</strong></p>`}
<form method="post" action="${pathIn(path, locale)}" data-submit-once>
!${amountField(page)}
<button type="submit" class="primary">${words.pay}</button>
</form>
<p class="quiet">${words.methods} ${new Intl.ListFormat(locale, { type: 'disjunction' }).format(names)}.</p>
!${until === undefined ? '' : html`<p class="quiet">${words.until(until.day, until.time)}</p>`}`
}

function amountField({ locale, bounds, currency, wrongAmount }: LinkPage): string {
  if (bounds === undefined) return ''
  const words = linkWords[locale]
  const least = money(bounds.least, currency, locale)
  const most = money(bounds.most, currency, locale)
  const wrong = wrongAmount !== undefined
  return html`<div class="field">
<label for="link-amount">${words.amount} (€)</label>
<div class="control"><input type="text" id="link-amount" name="amount" value="${wrongAmount ?? ''}" inputmode="decimal" autocomplete="off" maxlength="12" required aria-describedby="link-amount-hint link-amount-error" !${flag('aria-invalid="true" autofocus', wrong)}></div>
<p class="field-error" id="link-amount-error" !${flag('hidden', !wrong)}>${words.amountWrong(least, most)}</p>
<p class="hint" id="link-amount-hint">${words.between(least, most)}</p>
</div>`
}

function endedLink({ locale, description }: LinkPage, state: Exclude<LinkState, 'open'>): string {
  const { title, detail } = linkWords[locale].states[state]
  const icon = state === 'USED' ? icons.check : state === 'taken' ? icons.hourglass : icons.cross
  return html`<p class="link-for">${description}</p>
<div class="link-ended" role="status"><span class="medal ${state === 'USED' ? 'good' : 'quiet'}-medal">!${icon}</span><h2>${title}</h2><p>${detail}</p></div>`
}
