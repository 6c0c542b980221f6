// The page of a customer whose direct debit is ordered: what will happen, and nothing to wait for.

import { html, ownPath, webUrl } from './frame/html.ts'
import { document } from './frame/layout.ts'
import { checkoutPath } from './frame/paths.ts'
import type { CheckoutFrame } from './model.ts'
import { detailLine } from './parts/detail-line.ts'
import { icons } from './parts/icons.ts'
import { lateNote } from './parts/late-note.ts'
import { summaryLine } from './parts/summary.ts'
import { money } from './texts/format.ts'
import { otherTexts } from './texts/other-methods.ts'
import { texts } from './texts/texts.ts'

/** A debit as it is shown. */
export interface ShownDebit {
  /** As much of it as its owner needs. */
  readonly iban: string
  readonly mandateId: string
  /** In the customer's words. */
  readonly collectedOn: string
  /** Where the shop goes on, absolute. */
  readonly urlConfirm: string
}

/** How often a browser without JavaScript asks again. */
const refreshSeconds = 30

/** Changes by itself should the bank answer while somebody still looks. */
export function renderDebitPage(frame: CheckoutFrame, debit: ShownDebit): string {
  const { locale, checkoutId, amount, currency, sandbox } = frame
  const words = texts[locale]
  const { debit: told } = otherTexts[locale]
  const next = checkoutPath(checkoutId, locale)
  const events = checkoutPath(checkoutId, locale, 'events')
  return document(frame, {
    title: told.title,
    checkoutId,
    refresh: { seconds: refreshSeconds, url: next },
    main: html`<main class="single" data-waiting data-next="${ownPath(next)}" data-events="${ownPath(events)}">
!${lateNote(frame, ({ waiting }) => waiting)}
!${summaryLine(frame)}
<div class="telling" role="status"><span class="medal good-medal">!${icons.check}</span><h1>${told.title}</h1><p>${told.detail}</p></div>
<div class="reference"><dl>
!${detailLine(words.amountLabel.payment, money(amount, currency, locale))}
!${detailLine(told.account, debit.iban)}
!${detailLine(told.collected, debit.collectedOn)}
!${detailLine(told.mandateId, debit.mandateId)}
</dl>
<div class="reference-actions" data-with-script hidden><button type="button" class="secondary" data-print>${told.print}</button></div>
</div>
<p class="quiet">${told.closing}</p>
<p class="no-print"><a class="primary" href="${webUrl(debit.urlConfirm)}" rel="noreferrer">${words.backToShop}</a></p>
!${sandbox ? html`<p class="reference-out no-print"><a href="${ownPath('/sandbox/bank')}" target="_blank" rel="noopener">${told.answerInSandbox}</a></p>` : ''}
</main>`,
  })
}
