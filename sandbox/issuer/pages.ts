// Pages of the issuer for its cardholder.
import { html } from 'ghtml'
import { encodeMessage } from '../../src/rails/index.ts'
import { bankPage } from '../pages/layout.ts'
import { amountInWords } from './amounts.ts'
import { type Language, words } from './messages.ts'
import { type Challenge, maskedCard, reports } from './model.ts'
import { challengePath } from './three-d-secure.ts'

export type CodeProblem = 'wrong' | 'empty'

export function codePage(challenge: Challenge, language: Language, problem?: CodeProblem): string {
  const text = words[language]
  const { merchantName, amount } = challenge
  const message = problem === 'empty' ? text.emptyCode : text.wrongCode(challenge.attemptsLeft)
  // If the card is only stored, the amount is 0 or absent.
  const pays = amount !== undefined && amount > 0n
  const sum = pays ? fact(text.amount, amountInWords(challenge, language)) : ''
  const input = html`
        <input class="code" id="otp" name="otp" required autofocus inputmode="numeric" autocomplete="one-time-code"
          maxlength="10" aria-describedby="!${problem === undefined ? '' : 'problem '}help"
          !${problem === undefined ? '' : 'aria-invalid="true"'}>`
  return bankPage({
    lang: language,
    bank: text.sandbox,
    title: text.title,
    body: html`
      <p>${pays ? text.payTo(merchantName) : text.storeCard(merchantName)}</p>
      <dl class="facts">
        !${sum}
        !${fact(text.merchant, merchantName)}
        !${fact(text.card, maskedCard(challenge))}
      </dl>
      !${problem === undefined ? '' : html`<p class="problem" id="problem" role="alert">${message}</p>`}
      <form method="post" action="${challengePath}/${challenge.acsTransId}">
        <label for="otp">${text.codeLabel}</label>
        !${input}
        <p class="help" id="help">${text.codeHelp}</p>
        <p class="note">${text.hint(challenge.otp)}</p>
        <div class="stack">
          <button type="submit">${text.confirm}</button>
          <button class="quiet" type="submit" name="cancel" value="1" formnovalidate>${text.cancel}</button>
        </div>
      </form>`,
  })
}

function fact(name: string, value: string): string {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

/** Sends the browser back to the 3DS requestor with `cres`. The issuer has already sent its report. */
export function returnPage(challenge: Challenge, state: keyof typeof reports, language: Language): string {
  const text = words[language]
  const { sessionData, merchantName } = challenge
  const session =
    sessionData === undefined
      ? ''
      : html`<input type="hidden" name="threeDSSessionData" value="${sessionData}">`
  return bankPage({
    lang: language,
    bank: text.sandbox,
    title: text.ended[state],
    goesOn: true,
    body: html`
      <p role="status">${text.returning(merchantName)}</p>
      <form method="post" action="${challenge.notificationUrl}" data-goes-on>
        <input type="hidden" name="cres" value="${cresOf(challenge, state)}">
        !${session}
        <div class="stack"><button type="submit">${text.goBack}</button></div>
      </form>`,
  })
}

function cresOf(challenge: Challenge, state: keyof typeof reports): string {
  return encodeMessage({
    messageType: 'CRes',
    messageVersion: challenge.messageVersion,
    threeDSServerTransID: challenge.threeDsServerTransId,
    acsTransID: challenge.acsTransId,
    challengeCompletionInd: 'Y',
    transStatus: reports[state].transStatus,
  })
}

export function unknownPage(language: Language): string {
  const text = words[language]
  return bankPage({
    lang: language,
    bank: text.sandbox,
    title: text.unknown,
    body: html`<p>${text.unknownHelp}</p>`,
  })
}

/**
 * The page after a failed report. The browser must not go back yet, because the 3DS server does not know the result.
 */
export function unreportedPage(challenge: Challenge, language: Language): string {
  const text = words[language]
  return bankPage({
    lang: language,
    bank: text.sandbox,
    title: text.unreported,
    body: html`
      <p role="alert">${text.unreportedHelp}</p>
      <form method="get" action="${challengePath}/${challenge.acsTransId}">
        <div class="stack"><button type="submit">${text.tryAgain}</button></div>
      </form>`,
  })
}
