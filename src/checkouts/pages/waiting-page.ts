// The page while a rail decides: told by server-sent events, or asked again and again.
import { minutesAndSeconds } from './format.ts'
import { html, ownPath } from './html.ts'
import { document } from './layout.ts'
import type { WaitingPage } from './model.ts'
import { summaryLine } from './summary.ts'
import { texts, textsOf } from './texts.ts'

/** How often a browser without JavaScript asks again. */
const refreshSeconds = 4

/**
 * Waits until `next` shows something else. Events come from `events`: the event `state` means that
 * something changed.
 */
export function renderWaitingPage(page: WaitingPage): string {
  const { next, events } = page
  const words = textsOf(page)
  const { title, detail } = page.told ?? words.waiting
  return document(page, {
    title,
    refresh: { seconds: refreshSeconds, url: next },
    main: html`<main class="single" data-waiting data-next="${ownPath(next)}" data-events="${ownPath(events)}">
!${summaryLine(page)}
<div class="telling" role="status"><span class="spinner" aria-hidden="true"></span><h1>${title}</h1><p>${detail}</p>
<p data-long hidden>${words.waitingLong}</p></div>
!${clock(page)}
<p data-without-script><a class="secondary" href="${next}">${words.waitingRefresh}</a></p>
</main>`,
  })
}

/** Seen every second, heard once a minute. */
function clock({ secondsLeft, locale }: WaitingPage): string {
  if (secondsLeft === undefined) return ''
  const { timeLeft, timeLeftSpoken } = texts[locale]
  return html`<p class="clock" data-clock data-seconds="${secondsLeft}" data-told="${timeLeft('{clock}')}" aria-hidden="true">${timeLeft(minutesAndSeconds(secondsLeft))}</p>
<p class="visually-hidden" aria-live="polite" data-clock-spoken data-minutes="${timeLeftSpoken.minutes}" data-seconds="${timeLeftSpoken.seconds}"></p>`
}
