// How a checkout ended, and the way back to the shop.
import { html, ownPath, webUrl } from './html.ts'
import { icons } from './icons.ts'
import { document } from './layout.ts'
import type { Outcome, ResultPage } from './model.ts'
import { subscriptionWords } from './subscription-words.ts'
import { summaryLine } from './summary.ts'
import { type Telling, texts, textsOf } from './texts.ts'

/** Long enough to see that it worked. With JavaScript the customer can stop it. */
const forwardSecondsDefault = 3
/** Long enough to keep a link that is shown nowhere else. */
const forwardSecondsWithLink = 15

const medals: Readonly<Record<Outcome['kind'], { readonly icon: string; readonly tone: string }>> = {
  paid: { icon: icons.check, tone: 'good' },
  reserved: { icon: icons.check, tone: 'good' },
  accepted: { icon: icons.check, tone: 'good' },
  failed: { icon: icons.cross, tone: 'bad' },
  cancelled: { icon: icons.cross, tone: 'quiet' },
  expired: { icon: icons.hourglass, tone: 'quiet' },
  voided: { icon: icons.cross, tone: 'quiet' },
  too_many_cards: { icon: icons.cross, tone: 'bad' },
}

/** Success goes on to url_confirm by itself; everything else waits for the customer. */
export function renderResultPage(page: ResultPage): string {
  const { outcome, checkoutId } = page
  const words = textsOf(page)
  const { title, detail } = tellingOf(page)
  const { icon, tone } = medals[outcome.kind]
  const confirmed = 'urlConfirm' in outcome
  const forwardSeconds = page.manage === undefined ? forwardSecondsDefault : forwardSecondsWithLink
  const url = webUrl(confirmed ? outcome.urlConfirm : outcome.urlCancel)
  return document(page, {
    title,
    checkoutId,
    refresh: confirmed ? { seconds: forwardSeconds, url } : undefined,
    main: html`<main class="single" !${confirmed ? html`data-forward="${url}" data-seconds="${forwardSeconds}"` : ''}>
<div class="telling" role="status"><span class="medal ${tone}-medal">!${icon}</span><h1>${title}</h1><p>${detail}</p></div>
!${summaryLine(page)}
!${confirmed ? cardLine(page) : ''}
!${manageLine(page)}
<p><a class="${confirmed ? 'primary' : 'secondary'}" href="${url}" rel="noreferrer">${words.backToShop}</a></p>
!${confirmed ? forwardLine(words) : ''}
</main>`,
  })
}

function tellingOf(page: ResultPage): Telling {
  const { kind, locale, outcome } = page
  const own = kind === 'subscription' ? subscriptionWords[locale].outcomes[outcome.kind] : undefined
  return own ?? textsOf(page).outcomes[outcome.kind]
}

/** The only place where a customer is given this link: it is not sent anywhere. */
function manageLine({ manage, kind, locale }: ResultPage): string {
  if (manage === undefined) return ''
  const { acceptedToo, manageLink, manageHint } = subscriptionWords[locale]
  const told = kind === 'subscription' ? '' : html`${acceptedToo} `
  return html`<p class="manage">!${told}<a href="${ownPath(`${manage}?lang=${locale}`)}">${manageLink}</a><br><span class="quiet">${manageHint}</span></p>`
}

function cardLine({ card, locale }: ResultPage): string {
  if (card === undefined) return ''
  const brand = card.type.charAt(0).toUpperCase() + card.type.slice(1)
  return html`<p class="quiet">${texts[locale].paidWith(brand, card.last4)}</p>`
}

function forwardLine({ forwarding, stayHere }: { forwarding: string; stayHere: string }): string {
  return html`<p class="quiet" data-forward-line data-told="${forwarding}" hidden><span data-forward-told></span> <button type="button" class="plain" data-stay>${stayHere}</button></p>`
}
