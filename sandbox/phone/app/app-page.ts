// Page of the sandbox phone.
import { html } from 'ghtml'
import { lisbonDayOf } from '../../../src/kernel/lisbon.ts'
import { type Instant, second } from '../../../src/kernel/time.ts'
import type { Language } from '../../issuer/messages.ts'
import { appPage } from '../../pages/layout.ts'
import { type PhoneRequest, sandboxPin } from '../model.ts'
import { firstDayOf, suggestedTerms } from '../terms.ts'
import { mandateCard } from './mandate-card.ts'
import { type PhoneWords, words } from './messages.ts'
import { dayInWords, euros, languageTags, spaced, termsFields, typedAmount } from './parts.ts'
import { phonePath, phonesPath } from './paths.ts'
import type { PhoneView } from './view.ts'

const historyMax = 8

/** The page of a phone. A script polls it for new requests. */
export function phonePage(view: PhoneView): string {
  const { phone, lang, requests, mandates, pinTriesLeft } = view
  const text = words[lang]
  const other = lang === 'pt' ? 'en' : 'pt'
  const waiting = requests.filter(({ state }) => state === 'pending')
  const over = requests.filter(({ state }) => state !== 'pending').slice(0, historyMax)
  const shown = [...requests, ...mandates].map((one) => `${one.key}${one.state}`).join() + pinTriesLeft
  return appPage({
    lang,
    title: `${text.app} ${spaced(phone)}`,
    body: html`
      <header class="app-bar">
        <p class="app-name">!${wave}<span>${text.app}</span></p>
        <p class="app-number">${spaced(phone)}</p>
        <nav class="app-links" aria-label="${text.app}">
          <a href="${phonesPath}">${text.otherNumber}</a>
          <a href="${phonePath(phone, other)}" lang="${other}" hreflang="${other}">${text.otherLanguage}</a>
        </nav>
      </header>
      <main class="app-main" data-live data-version="${shown}">
        <h1 class="for-readers">${text.app}</h1>
        !${pinTriesLeft === 0 ? lockedNote(view) : problemOf(view, text)}
        <section aria-labelledby="waiting">
          <h2 id="waiting">${text.toApprove}!${waiting.length === 0 ? '' : html` <span class="count">${waiting.length}</span>`}</h2>
          !${waiting.length === 0 ? html`<p class="app-empty">${text.nothingToApprove}</p>` : waiting.map((request) => requestCard(view, request))}
        </section>
        <section aria-labelledby="mandates">
          <h2 id="mandates">${text.mandates}</h2>
          !${mandates.length === 0 ? html`<p class="app-empty">${text.noMandates}</p>` : mandates.map((mandate) => mandateCard(view, mandate))}
        </section>
        !${over.length === 0 ? '' : history(view, over)}
      </main>
      <footer class="app-foot">${text.sandbox}</footer>`,
  })
}

function lockedNote({ phone, lang }: PhoneView): string {
  const text = words[lang]
  return html`
    <div class="problem" role="alert">
      <p><strong>${text.locked}</strong> ${text.lockedExplained}</p>
      <form method="post" action="${phonePath(phone, lang, 'unlock')}"><button type="submit">${text.unlock}</button></form>
    </div>`
}

function problemOf({ problem, pinTriesLeft }: PhoneView, text: PhoneWords): string {
  if (problem === undefined) return ''
  const sentence = { pin: text.wrongPin(pinTriesLeft), terms: text.wrongTerms, late: text.tooLate }[
    problem.kind
  ]
  return html`<p class="problem" role="alert">${sentence}</p>`
}

function requestCard(view: PhoneView, request: PhoneRequest): string {
  const { lang, phone, now, problem } = view
  const { key, kind, merchantName, amount, expiresAt, mandateType, wanted } = request
  const text = words[lang]
  const wrongPin = problem?.kind === 'pin' && problem.key === key
  const isLocked = view.pinTriesLeft === 0
  const terms = suggestedTerms(wanted, now)
  const seconds = Math.max(0, Math.ceil((expiresAt - now) / second))
  const asked = kind === 'payment' && mandateType !== undefined ? 'both' : kind
  return html`
    <article class="app-card asking" aria-labelledby="of-${key}">
      <p class="asker" id="of-${key}">${text.asksFor[asked](merchantName)}</p>
      !${amount === undefined ? html`<p class="sum small">${mandateType === undefined ? '' : text.mandateNames[mandateType]}</p>` : html`<p class="sum">${euros(amount, lang)}</p>`}
      !${explanations(request, text, lang).map((sentence) => html`<p class="muted">${sentence}</p>`)}
      <p class="until" data-seconds="${seconds}" data-text="${text.timeLeft('{clock}')}">${text.timeLeft(clock(seconds))}</p>
      <form method="post" action="${phonePath(phone, lang, `requests/${key}`)}">
        !${isLocked || mandateType === undefined ? '' : termsFields(key, text, typedAmount(terms.limit, lang), terms.expiryDate, firstDayOf(wanted?.from, now))}
        !${
          isLocked
            ? ''
            : html`<div>
          <label for="pin-${key}">${text.pin}</label>
          <input class="code" id="pin-${key}" name="pin" type="password" inputmode="numeric" autocomplete="off" maxlength="8" required
            aria-describedby="pin-help-${key}" !${wrongPin ? 'aria-invalid="true" autofocus' : ''}>
          <p class="help" id="pin-help-${key}">${text.pinHelp(sandboxPin)}</p>
        </div>`
        }
        <div class="app-actions">
          <button class="quiet" type="submit" name="decision" value="refuse" formnovalidate>${text.refuse}<span class="for-readers">: ${merchantName}</span></button>
          !${isLocked ? '' : html`<button type="submit" name="decision" value="approve">${text.approve}<span class="for-readers">: ${merchantName}</span></button>`}
        </div>
      </form>
    </article>`
}

function explanations(
  { kind, mandateType, wanted }: PhoneRequest,
  text: PhoneWords,
  lang: Language,
): string[] {
  if (mandateType === undefined) return kind === 'authorization' ? [text.holdExplained] : []
  const sentence = kind === 'payment' ? text.paidWithMandate : text.mandateExplained[mandateType]
  return wanted === undefined ? [sentence] : [sentence, text.firstCharge(dayInWords(wanted.from, lang))]
}

function history({ lang, now }: PhoneView, over: readonly PhoneRequest[]): string {
  const text = words[lang]
  const rows = over.map((request) => {
    const { state, amount, merchantName, byMandate } = request
    const outcome =
      state === 'pending' ? '' : byMandate === undefined ? text.requestStates[state] : text.withoutPin
    const what = amount === undefined ? text.newMandate : euros(amount, lang)
    return html`<li><span class="past-name">${merchantName}<small>${moment(request.createdAt, now, lang)} · ${outcome}</small></span><span class="past-sum !${state === 'approved' ? '' : 'undone'}">${what}</span></li>`
  })
  return html`<section aria-labelledby="past"><h2 id="past">${text.history}</h2><ul class="past">!${rows}</ul></section>`
}

function moment(at: Instant, now: Instant, lang: Language): string {
  const today = lisbonDayOf(at) === lisbonDayOf(now)
  const style = today ? ({ timeStyle: 'short' } as const) : ({ dateStyle: 'medium' } as const)
  return new Intl.DateTimeFormat(languageTags[lang], { ...style, timeZone: 'Europe/Lisbon' }).format(at)
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const wave = html`<svg viewBox="0 0 24 24" width="22" height="22" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true" focusable="false"><rect x="6" y="2.5" width="12" height="19" rx="3"/><path d="M10.5 18.5h3"/></svg>`
