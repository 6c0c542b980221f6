// What the top of the page tells: of a charge, of the subscription, or of what the API refused, in words.
import { html } from 'ghtml'
import type { Language } from '../../issuer/words.ts'
import { eurosOf } from './euros.ts'
import type { Refusal } from './model.ts'
import type { Shown } from './shown.ts'
import { subscribingWords } from './words.ts'

/** Empty where there is nothing to tell. */
export function noticeOf({ visit, subscription, charge, problem, told }: Shown): string {
  const { language } = visit
  const say = subscribingWords[language]
  if (problem !== undefined) return html`<p class="problem" role="alert">${say.problems[problem]}</p>`
  if (charge !== undefined) {
    const text = say.notices.charge[charge.state](eurosOf(charge.amount, language))
    return notice(text, { bad: charge.state === 'FAIL', refusal: charge.refusal, language })
  }
  if (subscription === undefined || !told) return ''
  const { state, refusal } = subscription
  return notice(say.notices.subscription[state], { bad: state === 'FAILED', refusal, language })
}

function notice(
  text: string,
  { bad, refusal, language }: { bad: boolean; refusal: Refusal | undefined; language: Language },
): string {
  if (refusal !== undefined)
    return html`<p class="problem" role="alert">${text} !${refusalInWords(refusal, language)}</p>`
  return bad
    ? html`<p class="problem" role="alert">${text}</p>`
    : html`<p class="note" role="status">${text}</p>`
}

/** What the code means, and the API's own reason, which is English. */
function refusalInWords({ code, reason }: Refusal, language: Language): string {
  const say = subscribingWords[language]
  if (code === undefined) return html`${say.unanswered}`
  const meaning = say.refusals[code] ?? `${say.refused} (${code})`
  return html`${meaning} <span class="reason">${say.apiSaid} <q lang="en">${reason}</q></span>`
}
