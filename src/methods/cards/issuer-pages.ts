// The pages before the issuer: hidden frame (3DS method) and redirect.
import type { AppReply } from '../../http/index.ts'
import {
  document,
  html,
  icons,
  type MerchantFrame,
  type Message,
  ownPath,
  type PageFrame,
  sendPage,
  summaryLine,
  texts,
  webUrl,
} from '../../pages/index.ts'
import {
  encodeMessage,
  encodeMethodData,
  type LinkedPage,
  type CardFormPage as RailsCardForm,
} from '../../rails/index.ts'
import { cardTexts } from './i18n.ts'
import { type CardAttempt, pageToVisit, stepOf, threeDsIdOf } from './model.ts'

/** A hidden frame lets the issuer examine the browser first (3DS method). */
export interface ThreeDSMethodPage extends MerchantFrame {
  readonly methodUrl: string
  readonly threeDSMethodData: string
  /** Gets `compInd` Y (frame finished), N (too late) or U (no JavaScript). */
  readonly continueUrl: string
}

interface ProceedPage extends MerchantFrame {
  readonly continueUrl: string
}

export interface ChallengePage extends MerchantFrame {
  readonly address: string
  readonly method: 'get' | 'post'
  readonly fields: Readonly<Record<string, string>>
}

interface CardFormPage extends MerchantFrame, Readonly<RailsCardForm['cardForm']> {
  readonly leavePath: string
}

const methodSecondsMax = 10

/** Posts the 3DS method data into a hidden frame, and continues when the frame returns or after 10 s. */
export function renderMethodPage(page: ThreeDSMethodPage): string {
  const { locale } = page
  const own = cardTexts[locale]
  return document(page, {
    title: own.checkingWithBank.title,
    main: issuerMain(
      page,
      own.checkingWithBank,
      html`<iframe class="method-frame" name="method-frame" title="${own.bankFrame}" tabindex="-1" aria-hidden="true"></iframe>
<form method="post" action="${webUrl(page.methodUrl)}" target="method-frame" data-method-form data-seconds="${methodSecondsMax}"><input type="hidden" name="threeDSMethodData" value="${page.threeDSMethodData}"></form>
<form method="post" action="${ownPath(page.continueUrl)}" data-method-continue data-submit-once><input type="hidden" name="compInd" value="U"><button type="submit" class="primary" data-without-script>${texts[page.locale].proceed}</button></form>`,
    ),
  })
}

/**
 * Continues automatically with JavaScript, otherwise by a button. A GET must charge nobody, because previews and
 * prefetching open addresses too.
 */
export function renderProceedPage(page: ProceedPage): string {
  const own = cardTexts[page.locale]
  return document(page, {
    title: own.checkingWithBank.title,
    main: issuerMain(
      page,
      own.checkingWithBank,
      html`<form method="post" action="${ownPath(page.continueUrl)}" data-browser-facts data-auto-submit data-submit-once><button type="submit" class="primary">${texts[page.locale].proceed}</button></form>`,
    ),
  })
}

export function renderMethodDonePage(frame: PageFrame): string {
  const { title } = cardTexts[frame.locale].checkingWithBank
  return document(
    { ...frame, simulated: undefined },
    { title, main: html`<main class="single" data-method-done><h1>${title}</h1></main>` },
  )
}

export function renderChallengePage(page: ChallengePage): string {
  const own = cardTexts[page.locale]
  const fields = Object.entries(page.fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return document(page, {
    title: own.toBank.title,
    main: issuerMain(
      page,
      own.toBank,
      html`<form method="${page.method}" action="${webUrl(page.address)}" data-auto-submit data-submit-once data-leaves-frame="at-once">!${fields}<button type="submit" class="primary">${texts[page.locale].proceed}</button></form>`,
    ),
  })
}

/** The acquirer's script draws the form; typed data goes only to the acquirer. */
export function renderCardFormPage(page: CardFormPage): string {
  const own = cardTexts[page.locale]
  const attributes = Object.entries(page.attributes)
    .filter(([name]) => /^[a-z][a-z-]*$/.test(name))
    .map(([name, value]) => html` !${name}="${value}"`)
  return document(page, {
    title: own.cardForm.title,
    main: issuerMain(
      page,
      own.cardForm,
      html`<form!${attributes} data-leaves-frame="at-once"></form>
<p class="notice" data-without-script>${own.cardFormNeedsScript}</p>
<script src="${webUrl(page.script)}" defer></script>
<form class="cancel" method="post" action="${ownPath(page.leavePath)}" data-submit-once><button type="submit" class="plain">${own.leaveCardForm}</button></form>`,
    ),
  })
}

function issuerMain(page: MerchantFrame, message: Message, body: string): string {
  return html`<main class="single">
!${summaryLine(page)}
<div class="outcome-head" role="status"><span class="medal quiet-medal">!${icons.bank}</span><h1>${message.title}</h1><p>${message.detail}</p></div>
!${body}
</main>`
}

/** @param embedding the merchant whose pages may show the checkout in a frame */
export function methodDoneUrl(
  baseUrl: string,
  embedding?: { readonly publicId: string; readonly embedOrigins: readonly string[] },
): string {
  const url = `${baseUrl}/checkout/method-done`
  return embedding === undefined || embedding.embedOrigins.length === 0
    ? url
    : `${url}?merchant=${embedding.publicId}`
}

export function sendMethodPage(
  reply: AppReply,
  frame: MerchantFrame,
  attempt: CardAttempt,
  { notificationUrl, continueUrl }: { readonly notificationUrl: string; readonly continueUrl: string },
): AppReply | undefined {
  const { methodUrl } = attempt.details
  if (methodUrl === undefined) return undefined
  const threeDSMethodData = encodeMethodData({
    threeDSServerTransID: threeDsIdOf(attempt),
    threeDSMethodNotificationURL: notificationUrl,
  })
  const page = renderMethodPage({ ...frame, methodUrl, threeDSMethodData, continueUrl })
  const { embedOrigins } = frame
  return sendPage(reply, page, { leadsAway: true, frameTargets: [methodUrl], embedOrigins })
}

const fullScreen = '05'

export function sendChallenge(
  reply: AppReply,
  frame: MerchantFrame,
  attempt: CardAttempt,
): AppReply | undefined {
  const challenge = challengeOf(attempt)
  if (challenge === undefined) return undefined
  const { embedOrigins } = frame
  return sendPage(reply, renderChallengePage({ ...frame, ...challenge }), { leadsAway: true, embedOrigins })
}

type Challenge = Pick<ChallengePage, 'address' | 'method' | 'fields'>

function challengeOf(attempt: CardAttempt): Challenge | undefined {
  const page = pageToVisit(attempt)
  if (page !== undefined) return 'cardForm' in page ? undefined : formOf(page)
  const { acsUrl, version = '', acsTransactionId = '' } = attempt.details
  if (stepOf(attempt) !== 'CHALLENGED' || acsUrl === undefined) return undefined
  const creq = encodeMessage({
    messageType: 'CReq',
    messageVersion: version,
    threeDSServerTransID: threeDsIdOf(attempt),
    acsTransID: acsTransactionId,
    challengeWindowSize: fullScreen,
  })
  return { address: acsUrl, method: 'post', fields: { creq } }
}

export function sendCardForm(
  reply: AppReply,
  frame: MerchantFrame,
  attempt: CardAttempt,
  leavePath: string,
): AppReply | undefined {
  const page = pageToVisit(attempt)
  if (page === undefined || !('cardForm' in page)) return undefined
  const { cardForm } = page
  const text = renderCardFormPage({ ...frame, ...cardForm, leavePath })
  return sendPage(reply, text, { cardFormScript: cardForm.script, embedOrigins: frame.embedOrigins })
}

function formOf({ url, fields }: LinkedPage): Challenge {
  if (fields !== undefined) return { address: url, method: 'post', fields }
  const address = new URL(url)
  const query = Object.fromEntries(address.searchParams)
  address.search = ''
  return { address: address.href, method: 'get', fields: query }
}
