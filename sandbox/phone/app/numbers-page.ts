// Page for the choice of a phone.
import { html } from 'ghtml'
import type { Language } from '../../issuer/messages.ts'
import { toolPage } from '../../pages/layout.ts'
import { words } from './messages.ts'
import { spaced } from './parts.ts'
import { phonePath, phonesPath } from './paths.ts'

export interface RecentPhone {
  readonly phone: string
  readonly waiting: number
}

export function numbersPage(
  recent: readonly RecentPhone[],
  lang: Language,
  wrong: string | undefined,
): string {
  const text = words[lang].numbers
  const links = recent.map(
    ({ phone, waiting }) =>
      html`<li><a class="card-link" href="${phonePath(phone, lang)}"><strong class="number">${spaced(phone)}</strong> ${text.waiting(waiting)}</a></li>`,
  )
  return toolPage({
    title: text.title,
    path: phonesPath,
    lang,
    body: html`
      <p class="lead">${text.lead}</p>
      !${wrong === undefined ? '' : html`<p class="problem" role="alert" id="wrong">${text.wrong(wrong)}</p>`}
      <form method="get" action="${phonesPath}">
        <input type="hidden" name="lang" value="${lang}">
        <label for="number">${text.number}</label>
        <div class="row">
          <div class="grow"><input id="number" name="number" type="tel" inputmode="tel" placeholder="912 345 678" required
            !${wrong === undefined ? '' : 'aria-invalid="true" aria-describedby="wrong"'}></div>
          <button type="submit">${text.open}</button>
        </div>
      </form>
      !${recent.length === 0 ? '' : html`<h2>${text.recent}</h2><ul class="cards">!${links}</ul>`}`,
  })
}
