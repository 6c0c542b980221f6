// The customer's page of a subscription.
import { html, ownPath } from './html.ts'
import { dayInWords, localMoment, money } from './i18n/format.ts'
import type { Message } from './i18n/shape.ts'
import { subscriptionWords } from './i18n/subscriptions.ts'
import { document } from './layout.ts'
import type { Locale, OpenCharge, OpenChargePage, SubscriptionPage } from './model.ts'
import { merchantMark } from './parts/merchant.ts'
import { brandName, termsBox } from './parts/summary.ts'

/** Serve it with `cache-control: no-store`, because its address is a secret. */
export function renderSubscriptionPage(page: SubscriptionPage): string {
  const { locale, merchantName, path, status, confirming } = page
  const words = subscriptionWords[locale]
  const title = words.pageTitle(merchantName)
  const active = status === 'APPROVED'
  return document(page, {
    title,
    pathIn: (other) => pathIn(path, other),
    main: html`<main class="single subscription">
<h1 class="merchant">!${merchantMark(page)}<span>${title}</span></h1>
!${active && confirming ? question(page) : subscriptionState(page)}
!${active && !confirming && page.openCharge !== undefined ? openCharge(page.openCharge, page) : ''}
!${termsBox({ ...page, ended: !active && status !== 'NEW' })}
!${chargeList(page)}
!${active && !confirming ? html`<p class="cancel"><a href="${ownPath(pathIn(path, locale))}&amp;cancel">${words.cancel}</a></p>` : ''}
</main>`,
  })
}

/** Serve it with `cache-control: no-store`: its address is a secret. */
export function renderOpenChargePage(page: OpenChargePage): string {
  const { locale, merchantName, path, state, description, card } = page
  const words = subscriptionWords[locale]
  const title = words.pageTitle(merchantName)
  const charged =
    card === undefined ? '' : html`<p class="quiet">${words.chargedTo(brandName(card.type), card.last4)}</p>`
  return document(page, {
    title,
    pathIn: (other) => pathIn(path, other),
    main: html`<main class="single subscription">
<h1 class="merchant">!${merchantMark(page)}<span>${title}</span></h1>
!${description === undefined ? '' : html`<p>${description}</p>`}
!${state === 'open' ? openCharge(page.charge, page) : outcome(words.openCharge[state], state)}
!${charged}
</main>`,
  })
}

function outcome({ title, detail }: Message, state: OpenChargePage['state']): string {
  const kind = state === 'busy' || state === 'paid' ? 'active' : 'ended'
  return html`<section class="subscription-state" role="status"><h2 class="${kind}">${title}</h2><p>${detail}</p></section>`
}

function openCharge(
  { amount, retryOn }: OpenCharge,
  { locale, path }: Pick<OpenChargePage, 'locale' | 'path'>,
): string {
  const words = subscriptionWords[locale].openCharge
  const next = retryOn === undefined ? '' : html`<p>${words.retried(dayInWords(retryOn, locale))}</p>`
  return html`<section class="subscription-state" role="status"><h2 class="ended">${words.title(money(amount, 'EUR', locale))}</h2><p>${words.detail}</p>
!${next}
<form method="post" action="${ownPath(pathIn(`${path}/retry`, locale))}" data-submit-once><button type="submit">${words.tryNow}</button></form>
</section>`
}

function pathIn(path: string, locale: Locale): string {
  return `${path}?lang=${locale}`
}

function subscriptionState({ locale, status, left, card, fromBalance, terms }: SubscriptionPage): string {
  const words = subscriptionWords[locale]
  const { title, detail } = words.statuses[status]
  const remaining =
    left === undefined
      ? ''
      : html`<p>${words.left(money(left.amount, terms.currency, locale), dayInWords(left.until, locale))}</p>`
  const brand = card === undefined ? '' : brandName(card.type)
  return html`<section class="subscription-state" role="status"><h2 class="${status === 'APPROVED' ? 'active' : 'ended'}">${title}</h2><p>${detail}</p>
!${remaining}
!${card === undefined ? '' : html`<p class="quiet">${words.chargedTo(brand, card.last4)}</p>`}
!${fromBalance ? html`<p class="quiet">${words.chargedToBalance}</p>` : ''}
</section>`
}

/** A page of its own, so that it needs no script. `autofocus` works for screen readers too. */
function question({ locale, path }: SubscriptionPage): string {
  const { cancelSure, cancelYes, cancelNo } = subscriptionWords[locale]
  return html`<section class="subscription-state" role="alert" tabindex="-1" autofocus data-focus><h2>${cancelSure.title}</h2><p>${cancelSure.detail}</p>
<form method="post" action="${ownPath(pathIn(`${path}/cancel`, locale))}" data-submit-once><button type="submit" class="danger">${cancelYes}</button></form>
<p><a class="secondary" href="${ownPath(pathIn(path, locale))}">${cancelNo}</a></p>
</section>`
}

function chargeList({ locale, charges, chargeCount, now }: SubscriptionPage): string {
  const words = subscriptionWords[locale]
  const lines = charges.map(({ amount, currency, status, createdAt }) => {
    const { day, time } = localMoment(createdAt, now, locale)
    return html`<li><span>${day ?? time}<br><span class="quiet">${words.chargeStatuses[status]}</span></span> <span class="item-amount">${money(amount, currency, locale)}</span></li>`
  })
  const more = chargeCount > charges.length ? words.latestOf(charges.length, chargeCount) : undefined
  return html`<section class="charges" aria-labelledby="charges-title"><h2 id="charges-title">${words.chargesTitle}</h2>
!${lines.length === 0 ? html`<p class="quiet">${words.noCharges}</p>` : html`<ul>!${lines}</ul>`}
!${more === undefined ? '' : html`<p class="quiet">${more}</p>`}
</section>`
}
