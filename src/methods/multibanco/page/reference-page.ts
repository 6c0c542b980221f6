// The page with the reference.
import { type Cents, decimalText } from '../../../kernel/money.ts'
import type { Instant } from '../../../kernel/time.ts'
import {
  type CheckoutFrame,
  checkoutPath,
  detailLine,
  document,
  html,
  type Locale,
  lateNote,
  localMoment,
  money,
  ownPath,
  shopLink,
  summaryLine,
  texts,
} from '../../../pages/index.ts'
import { referenceTexts } from './i18n.ts'

export interface ShownReference {
  readonly entity: string
  readonly ref: string
  readonly starts?: Instant | undefined
  readonly expires: Instant
  readonly now: Instant
}

/** For browsers without JavaScript; slow enough to write the digits down. */
const refreshSeconds = 30

export function renderReferencePage(frame: CheckoutFrame, reference: ShownReference): string {
  const { locale, checkoutId, merchantName, amount, currency } = frame
  const words = referenceTexts[locale]
  const { waitingRefresh } = texts[locale]
  const next = checkoutPath(checkoutId, locale)
  const events = checkoutPath(checkoutId, locale, 'events')
  const { entity, ref, starts, expires, now } = reference
  const begins = starts === undefined || starts <= now ? '' : words.moment(localMoment(starts, now, locale))
  return document(frame, {
    title: words.title,
    checkoutId,
    refresh: { seconds: refreshSeconds, url: next },
    main: html`<main class="single" data-waiting data-next="${ownPath(next)}" data-events="${ownPath(events)}">
!${lateNote(frame, ({ waiting }) => waiting)}
!${summaryLine(frame)}
<div class="reference">
<h1>${words.title}</h1>
<p class="quiet">${words.how}</p>
<dl>
!${copyable(locale, words.entity, entity, entity)}
!${copyable(locale, words.ref, ref.replace(/\d{3}(?=\d)/g, '$&\u00a0'), ref)}
!${copyable(locale, words.amount, money(amount, currency, locale), bareAmount(amount, locale))}
!${detailLine(words.beneficiary, merchantName)}
!${begins === '' ? '' : detailLine(words.from, begins)}
!${detailLine(words.until, words.moment(localMoment(expires, now, locale)))}
</dl>
<p class="visually-hidden" role="status" data-copied-status></p>
<div class="reference-actions" data-with-script hidden><button type="button" class="secondary" data-print>${words.print}</button></div>
</div>
<p class="reference-wait" role="status"><span class="spinner" aria-hidden="true"></span><span>${words.waiting}</span></p>
!${shopLink(frame, 'primary')}
!${payLink(frame, reference)}
<p data-without-script><a class="secondary" href="${next}">${waitingRefresh}</a></p>
!${waysOut(frame)}
</main>`,
  })
}

function copyable(locale: Locale, name: string, shown: string, bare: string): string {
  const { copy, copied, copyOf } = referenceTexts[locale]
  return html`<div><dt>${name}</dt><dd class="digits">${shown}</dd><dd class="copy" data-with-script hidden><button type="button" class="copy-button" data-copy="${bare}" data-copied="${copied}" aria-label="${copyOf(name.toLowerCase())}"><span data-copied-text>${copy}</span></button></dd></div>`
}

function bareAmount(amount: Cents, locale: Locale): string {
  return locale === 'pt' ? decimalText(amount).replace('.', ',') : decimalText(amount)
}

/** With simulated money: a link to the simulated bank. */
function payLink({ locale, amount, simulated }: CheckoutFrame, { entity, ref }: ShownReference): string {
  if (simulated === undefined) return ''
  const { path, text } = simulated[locale].payReference
  const query = new URLSearchParams({ entity, ref, amount: bareAmount(amount, 'en') })
  return html`<p class="reference-out no-print"><a href="${ownPath(`${path}?${query}`)}" target="_blank" rel="noopener">${text}</a></p>`
}

function waysOut({ checkoutId, locale }: CheckoutFrame): string {
  const { cancel } = texts[locale]
  return html`<div class="reference-out no-print"><a href="${checkoutPath(checkoutId, locale)}&choose">${referenceTexts[locale].otherMethod}</a>
<form class="cancel" method="post" action="${checkoutPath(checkoutId, locale, 'cancel')}" data-submit-once><button type="submit" class="plain">${cancel}</button></form></div>`
}
