// The pages before the card's issuer: its hidden frame (3DS method), and the redirect to its page.
import { html, ownPath, webUrl } from './frame/html.ts'
import { document } from './frame/layout.ts'
import type {
  CardFormPage,
  ChallengePage,
  MerchantFrame,
  PageFrame,
  ProceedPage,
  ThreeDSMethodPage,
} from './model.ts'
import { icons } from './parts/icons.ts'
import { summaryLine } from './parts/summary.ts'
import type { Message } from './texts/shape.ts'
import { texts } from './texts/texts.ts'

/** An issuer has this long for its hidden frame (EMV 3-D Secure, 3DS method). */
const methodSecondsMax = 10

/**
 * Posts the 3DS method data into a hidden frame and goes on when the frame comes back, or after 10 s.
 * The form to go on posts `compInd`: Y, N, or U when the customer went on by hand.
 */
export function renderMethodPage(page: ThreeDSMethodPage): string {
  const { locale } = page
  const words = texts[locale]
  return document(page, {
    title: words.checkingWithBank.title,
    main: issuerMain(
      page,
      words.checkingWithBank,
      html`<iframe class="method-frame" name="method-frame" title="${words.bankFrame}" tabindex="-1" aria-hidden="true"></iframe>
<form method="post" action="${webUrl(page.methodUrl)}" target="method-frame" data-method-form data-seconds="${methodSecondsMax}"><input type="hidden" name="threeDSMethodData" value="${page.threeDSMethodData}"></form>
<form method="post" action="${ownPath(page.continueUrl)}" data-method-continue data-submit-once><input type="hidden" name="compInd" value="U"><button type="submit" class="primary" data-without-script>${words.proceed}</button></form>`,
    ),
  })
}

/**
 * Asks the issuer about a card without a hidden frame; by itself with JavaScript, else with a
 * button. Opening an address must charge nobody: previews and prefetching open it too.
 */
export function renderProceedPage(page: ProceedPage): string {
  const words = texts[page.locale]
  return document(page, {
    title: words.checkingWithBank.title,
    main: issuerMain(
      page,
      words.checkingWithBank,
      html`<form method="post" action="${ownPath(page.continueUrl)}" data-browser-facts data-auto-submit data-submit-once><button type="submit" class="primary">${words.proceed}</button></form>`,
    ),
  })
}

/** What the issuer's hidden frame ends on, at our notification address: notifies the page around it. */
export function renderMethodDonePage(frame: PageFrame): string {
  const { title } = texts[frame.locale].checkingWithBank
  return document(
    { ...frame, pretended: undefined },
    { title, main: html`<main class="single" data-method-done><h1>${title}</h1></main>` },
  )
}

/** Sends the customer to the page of the issuer or acquirer; by itself with JavaScript, else with a button. */
export function renderChallengePage(page: ChallengePage): string {
  const words = texts[page.locale]
  const fields = Object.entries(page.fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return document(page, {
    title: words.toBank.title,
    main: issuerMain(
      page,
      words.toBank,
      html`<form method="${page.method}" action="${webUrl(page.address)}" data-auto-submit data-submit-once>!${fields}<button type="submit" class="primary">${words.proceed}</button></form>`,
    ),
  })
}

/** Shows the card form that the acquirer's script draws: what is typed into it goes to the acquirer alone. */
export function renderCardFormPage(page: CardFormPage): string {
  const words = texts[page.locale]
  const attributes = Object.entries(page.attributes)
    .filter(([name]) => /^[a-z][a-z-]*$/.test(name))
    .map(([name, value]) => html` !${name}="${value}"`)
  return document(page, {
    title: words.cardForm.title,
    main: issuerMain(
      page,
      words.cardForm,
      html`<form!${attributes}></form>
<p class="notice" data-without-script>${words.cardFormNeedsScript}</p>
<script src="${webUrl(page.script)}" defer></script>
<form class="cancel" method="post" action="${ownPath(page.leavePath)}" data-submit-once><button type="submit" class="plain">${words.leaveCardForm}</button></form>`,
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
