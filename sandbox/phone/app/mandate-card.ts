// One mandate on the phone.
import { html } from 'ghtml'
import { lisbonDayOf } from '../../../src/kernel/lisbon.ts'
import { cents } from '../../../src/kernel/money.ts'
import type { PhoneMandate } from '../model.ts'
import { words } from './messages.ts'
import { dayInWords, euros, termsFields, typedAmount } from './parts.ts'
import { phonePath } from './paths.ts'
import type { PhoneView } from './view.ts'

export function mandateCard(view: PhoneView, mandate: PhoneMandate): string {
  const { lang } = view
  const { key, merchantName, type, state, limit = cents(0), used, expiryDate } = mandate
  const text = words[lang]
  const living = state === 'active' || state === 'suspended'
  const terms =
    expiryDate === undefined
      ? ''
      : html`
        <meter min="0" max="${limit}" value="${Math.min(Number(used), Number(limit))}" aria-label="${text.usedOf(euros(used, lang), euros(limit, lang))}"></meter>
        <p class="muted">${text.usedOf(euros(used, lang), euros(limit, lang))} · ${text.until(dayInWords(expiryDate, lang))}</p>`
  return html`
    <article class="app-card !${living ? '' : 'ended'}" aria-labelledby="mandate-${key}">
      <div class="card-head">
        <h3 id="mandate-${key}">${merchantName}<small>${text.mandateNames[type]}</small></h3>
        <span class="chip ${state}">${text.mandateStates[state]}</span>
      </div>
      !${living ? terms : ''}
      !${living ? actions(view, mandate) : ''}
    </article>`
}

function actions({ phone, lang, now, problem }: PhoneView, mandate: PhoneMandate): string {
  const { key, state, merchantName, limit = cents(0), expiryDate = lisbonDayOf(now) } = mandate
  const text = words[lang]
  const action = phonePath(phone, lang, `mandates/${key}`)
  const open = problem?.kind === 'terms' && problem.key === key
  const fields = termsFields(key, text, typedAmount(limit, lang), expiryDate, lisbonDayOf(now))
  const button = (change: string, label: string) =>
    html`<button class="quiet" type="submit" name="change" value="${change}">${label}<span class="for-readers">: ${merchantName}</span></button>`
  return html`
    <details !${open ? 'open' : ''}>
      <summary>${text.changeTerms}<span class="for-readers">: ${merchantName}</span></summary>
      <form method="post" action="${action}">
        !${fields}
        <p class="help">${text.limitHelp}</p>
        <button type="submit" name="change" value="update">${text.save}<span class="for-readers">: ${merchantName}</span></button>
      </form>
    </details>
    <form class="app-actions" method="post" action="${action}">
      !${state === 'active' ? button('suspend', text.suspend) : button('resume', text.resume)}
      !${button('cancel', text.cancelMandate)}
    </form>`
}
