// The result page of a checkout.
import { html, ownPath, webUrl } from './html.ts'
import { textsOf } from './i18n/index.ts'
import type { Message, Texts } from './i18n/shape.ts'
import { subscriptionWords } from './i18n/subscriptions.ts'
import { document } from './layout.ts'
import type { Outcome, ResultPage } from './model.ts'
import { icons } from './parts/icons.ts'
import { lateNote } from './parts/merchant.ts'
import { receiptBox, summaryLine } from './parts/summary.ts'

/** After this time the page leads to the shop, unless the customer stops it or there is no JavaScript. */
const forwardSeconds = 3

const medals: Readonly<Record<Outcome['kind'], { readonly icon: string; readonly tone: string }>> = {
  paid: { icon: icons.check, tone: 'good' },
  reserved: { icon: icons.check, tone: 'good' },
  accepted: { icon: icons.check, tone: 'good' },
  failed: { icon: icons.cross, tone: 'bad' },
  cancelled: { icon: icons.cross, tone: 'quiet' },
  expired: { icon: icons.hourglass, tone: 'quiet' },
  voided: { icon: icons.cross, tone: 'quiet' },
  too_many_cards: { icon: icons.cross, tone: 'bad' },
  suspended: { icon: icons.cross, tone: 'quiet' },
}

export function renderResultPage(page: ResultPage): string {
  const { outcome, checkoutId } = page
  const words = textsOf(page)
  const { title, detail } = messageOf(page)
  const { icon, tone } = medals[outcome.kind]
  const confirmed = 'urlConfirm' in outcome
  const forwards = confirmed && page.backToLink === undefined
  const url = webUrl(confirmed ? outcome.urlConfirm : outcome.urlCancel)
  return document(page, {
    title,
    checkoutId,
    main: html`<main class="single" data-outcome="${endOf(outcome.kind)}" !${forwards ? html`data-forward="${url}" data-seconds="${forwardSeconds}"` : ''}>
!${lateNote(page, ({ done, ended }) => (confirmed ? done[page.kind] : ended))}
<div class="outcome-head" role="status"><span class="medal ${tone}-medal">!${icon}</span><h1>${title}</h1><p>${detail}</p></div>
!${page.receipt === undefined ? summaryLine(page) : receiptBox(page)}
!${manageLine(page)}
!${confirmed && !forwards ? '' : html`<p class="no-print"><a class="${confirmed ? 'primary' : 'secondary'}" href="${url}" rel="noreferrer">${page.backToLink ?? words.backToShop}</a></p>`}
!${forwards ? forwardLine(words) : ''}
</main>`,
  })
}

const succeeded: readonly string[] = ['paid', 'reserved', 'accepted']

/** The event for the page around the frame. */
function endOf(kind: Outcome['kind']): 'completed' | 'canceled' | 'expired' | 'failed' {
  if (succeeded.includes(kind)) return 'completed'
  if (kind === 'cancelled') return 'canceled'
  return kind === 'expired' ? kind : 'failed'
}

function messageOf(page: ResultPage): Message {
  const { kind, locale, outcome } = page
  const own = kind === 'subscription' ? subscriptionWords[locale].outcomes[outcome.kind] : undefined
  return own ?? textsOf(page).outcomes[outcome.kind]
}

function manageLine({ manage, kind, locale }: ResultPage): string {
  if (manage === undefined) return ''
  const { acceptedToo, manageLink, manageHint } = subscriptionWords[locale]
  const prefix = kind === 'subscription' ? '' : html`${acceptedToo} `
  return html`<p class="manage no-print">!${prefix}<a href="${ownPath(`${manage}?lang=${locale}`)}">${manageLink}</a><br><span class="quiet">${manageHint}</span></p>`
}

/** Screen readers announce the line once. On the screen it changes every second. */
function forwardLine({ forwarding, stayHere, stayByKey, staying }: Texts): string {
  return html`<p class="forward no-print" data-forward-line data-text="${forwarding}" hidden><span data-forward-text aria-hidden="true"></span> <button type="button" class="plain" data-stay>${stayHere}</button></p>
<p class="visually-hidden" role="status" data-forward-spoken data-hint="${stayByKey}" data-staying="${staying}"></p>`
}
