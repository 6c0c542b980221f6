// Pages for errors and unknown addresses.
import { html, ownPath } from './html.ts'
import { texts } from './i18n/index.ts'
import { document } from './layout.ts'
import type { ProblemPage } from './model.ts'
import { icons } from './parts/icons.ts'

export function renderProblemPage(page: ProblemPage): string {
  const words = texts[page.locale]
  const { title, detail } = words.problemsPages[page.problem]
  const retry =
    page.retryUrl === undefined
      ? ''
      : html`<p><a class="primary" href="${ownPath(page.retryUrl)}">${words.retry}</a></p>`
  const number =
    page.tid === undefined ? '' : html`<p class="quiet">${words.requestId}: <code>${page.tid}</code></p>`
  const icon = page.problem === 'not_found' ? icons.question : icons.cross
  return document(page, {
    title,
    main: html`<main class="single">
<div class="outcome-head"><span class="medal quiet-medal">!${icon}</span><h1>${title}</h1><p>${detail}</p></div>
!${retry}
!${number}
</main>`,
  })
}
