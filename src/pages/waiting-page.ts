// The waiting page, updated by events or polls.
import { html, ownPath } from './html.ts'
import { minutesAndSeconds } from './i18n/format.ts'
import { texts, textsOf } from './i18n/index.ts'
import { document } from './layout.ts'
import type { WaitingPage } from './model.ts'
import { lateNote, shopLink } from './parts/merchant.ts'
import { summaryLine } from './parts/summary.ts'

const refreshSeconds = 4
const usualSeconds = 20

export function renderWaitingPage(page: WaitingPage): string {
  const { next, events } = page
  const words = textsOf(page)
  const { title, detail } = page.message ?? words.waiting
  return document(page, {
    title,
    refresh: { seconds: refreshSeconds, url: next },
    main: html`<main class="single" data-waiting data-long-after="${longAfter(page)}" data-next="${ownPath(next)}" data-events="${ownPath(events)}">
!${lateNote(page, ({ waiting }) => waiting)}
!${summaryLine(page)}
<div class="outcome-head" role="status"><span class="spinner" aria-hidden="true"></span><h1>${title}</h1><p>${detail}</p>
<p data-long hidden>${words.waitingLong}</p></div>
!${clock(page)}
!${phoneLink(page)}
!${wayOut(page)}
<p data-without-script><a class="secondary" href="${next}">${words.waitingRefresh}</a></p>
!${wayToShop(page)}
</main>`,
  })
}

function longAfter({ secondsLeft }: WaitingPage): number {
  return (secondsLeft ?? 0) + usualSeconds
}

/** Links for a customer whose phone is out of reach, or whose number was wrong. */
function wayOut({ withdraw, locale }: WaitingPage): string {
  if (withdraw === undefined) return ''
  const { otherMethod } = texts[locale]
  const form = (then: string, label: string) =>
    html`<form method="post" action="${ownPath(withdraw.path)}" data-submit-once><input type="hidden" name="next" value="${then}"><button type="submit" class="secondary">${label}</button></form>`
  return html`<div class="way-out">!${form('number', withdraw.label)}!${withdraw.others ? form('method', otherMethod) : ''}</div>`
}

/** Shown at once while a phone must approve, otherwise after the usual time. */
function wayToShop(page: WaitingPage): string {
  const link = shopLink(page, 'secondary')
  return page.phone === undefined
    ? html`<div data-long hidden>!${link}</div><div data-without-script>!${link}</div>`
    : link
}

function phoneLink({ phone, locale, simulated }: WaitingPage): string {
  if (phone === undefined || simulated === undefined) return ''
  const { path, text } = simulated[locale].answerPhone
  const query = new URLSearchParams({ number: phone, lang: locale })
  return html`<p class="reference-out"><a href="${ownPath(`${path}?${query}`)}" target="_blank" rel="noopener">${text}</a></p>`
}

function clock({ secondsLeft, locale }: WaitingPage): string {
  if (secondsLeft === undefined) return ''
  const { timeLeft, timeLeftSpoken } = texts[locale]
  return html`<p class="clock" data-clock data-seconds="${secondsLeft}" data-text="${timeLeft('{clock}')}" aria-hidden="true">${timeLeft(minutesAndSeconds(secondsLeft))}</p>
<p class="visually-hidden" aria-live="polite" data-clock-spoken data-minutes="${timeLeftSpoken.minutes}" data-seconds="${timeLeftSpoken.seconds}"></p>`
}
