// The chaos page and the banner of active faults.
import { html } from 'ghtml'
import type { Language } from '../issuer/messages.ts'
import { toolPage } from '../pages/layout.ts'
import { tableOf } from '../pages/table.ts'
import { timeInWords } from '../pages/time.ts'
import { type ChaosWords, chaosWords } from './messages.ts'
import {
  type ChaosSetting,
  faultKinds,
  faultOf,
  faultyRails,
  secondsMax,
  statusMax,
  statusMin,
} from './model.ts'

export const chaosPath = '/sandbox/chaos'

export interface ChaosView {
  readonly lang: Language
  readonly settings: readonly ChaosSetting[]
  readonly notice?: { readonly wrong: boolean; readonly text: string } | undefined
  readonly typed?: Readonly<Record<string, unknown>> | undefined
}

export function chaosPage(view: ChaosView): string {
  const { lang, settings, notice } = view
  const words = chaosWords[lang]
  return toolPage({
    title: words.title,
    path: chaosPath,
    lang,
    body: html`
      <p class="lead">${words.lead}</p>
      !${notice === undefined ? '' : notice.wrong ? html`<p class="problem" role="alert">${notice.text}</p>` : html`<p class="note" role="status">${notice.text}</p>`}
      <h2>${words.now}</h2>
      !${settings.length === 0 ? html`<p class="note">${words.allWell}</p>` : presentTable(settings, lang)}
      <h2>${words.startTitle}</h2>
      !${beginForm(view, words)}
      <h2>${words.oneRequest}</h2>
      <p class="muted">${words.oneRequestHelp}</p>
      <pre class="call" tabindex="0" role="region" aria-label="${words.oneRequest}"><code>Comporta-Sandbox-Chaos: acquirer=slow:5, callbacks=error:500</code></pre>`,
  })
}

function presentTable(settings: readonly ChaosSetting[], lang: Language): string {
  const words = chaosWords[lang]
  const rows = settings.map(
    (setting) => html`
      <tr>
        <td>${words.rails[setting.rail]}</td>
        <td>${faultInWords(setting, words)}</td>
        <td>${setting.walletId === undefined ? words.everybody : words.wallet(setting.walletId)}</td>
        <td>${lengthInWords(setting, lang)}</td>
        <td>
          <form method="post" action="${chaosPath}/clear?lang=${lang}">
            <input type="hidden" name="rail" value="${setting.rail}">
            <input type="hidden" name="wallet_id" value="${String(setting.walletId ?? 'everybody')}">
            <button class="quiet" type="submit">${words.end}<span class="for-readers">: ${words.rails[setting.rail]}</span></button>
          </form>
        </td>
      </tr>`,
  )
  const heads = [words.rail, words.fault, words.whose, words.howLong, words.end]
  return html`!${tableOf({ name: words.now, heads, rows })}
    <form method="post" action="${chaosPath}/clear?lang=${lang}"><p><button type="submit">${words.makeWell}</button></p></form>`
}

function faultInWords(setting: ChaosSetting, words: ChaosWords): string {
  return words.inWords(faultOf(setting), words.kinds[setting.kind])
}

function lengthInWords({ callsLeft, endsAt }: ChaosSetting, lang: Language): string {
  const words = chaosWords[lang]
  const limits = [
    ...(callsLeft === undefined ? [] : [words.calls(callsLeft)]),
    ...(endsAt === undefined ? [] : [words.until(timeInWords(endsAt, lang))]),
  ]
  return limits.length === 0 ? words.untilEnded : limits.join(', ')
}

function beginForm({ lang, typed = {} }: ChaosView, words: ChaosWords): string {
  const selected = (name: string, value: string) => (typed[name] === value ? 'selected' : '')
  const rails = faultyRails.map(
    (rail) => html`<option value="${rail}" !${selected('rail', rail)}>${words.rails[rail]}</option>`,
  )
  const kinds = faultKinds.map(
    (kind) =>
      html`<option value="${kind}" !${selected('trouble', kind)}>${words.kinds[kind]}: ${words.kindsExplained[kind]}</option>`,
  )
  const number = (name: string, label: string, example: string, bounds: string) => html`
    <div class="grow">
      <label for="${name}">${label}</label>
      <input id="${name}" name="${name}" inputmode="numeric" autocomplete="off" maxlength="16"
        placeholder="${example}" value="${String(typed[name] ?? '')}" !${bounds}>
    </div>`
  return html`
    <form method="post" action="${chaosPath}?lang=${lang}">
      <div class="row">
        <div class="grow"><label for="rail">${words.rail}</label><select id="rail" name="rail">!${rails}</select></div>
        <div class="grow"><label for="trouble">${words.fault}</label><select id="trouble" name="trouble">!${kinds}</select></div>
      </div>
      <div class="row">
        !${number('seconds', `${words.seconds} (1–${secondsMax})`, '5', '')}
        !${number('status', `${words.status} (${statusMin}–${statusMax})`, '503', '')}
      </div>
      <div class="row">
        !${number('calls', `${words.callsField} (${words.optional})`, '', 'aria-describedby="limit-help"')}
        !${number('minutes', `${words.minutesField} (${words.optional})`, '', 'aria-describedby="limit-help"')}
      </div>
      <p class="help" id="limit-help">${words.limitHelp}</p>
      <div class="row">!${number('wallet_id', `${words.walletField} (${words.optional})`, '', 'aria-describedby="wallet-help"')}</div>
      <p class="help" id="wallet-help">${words.walletHelp}</p>
      <p><button type="submit">${words.start}</button></p>
    </form>`
}

/** The banner that all sandbox pages show while a fault is set. */
export function chaosBanner(settings: readonly ChaosSetting[], lang: Language): string {
  if (settings.length === 0) return ''
  const words = chaosWords[lang]
  const list = settings.map((setting) => {
    const whose = setting.walletId === undefined ? '' : `, ${words.wallet(setting.walletId)}`
    return `${words.rails[setting.rail]}: ${faultInWords(setting, words)}${whose}`
  })
  return html`
    <aside class="fault" aria-label="${words.title}">
      <p><strong>${words.banner}</strong> ${list.join(' · ')}</p>
      <form method="post" action="${chaosPath}/clear?lang=${lang}"><button class="quiet" type="submit">${words.makeWell}</button></form>
    </aside>`
}
