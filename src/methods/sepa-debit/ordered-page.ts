// The page of an ordered direct debit.

import {
  type CheckoutFrame,
  checkoutPath,
  detailLine,
  document,
  html,
  icons,
  lateNote,
  money,
  ownPath,
  shopLink,
  summaryLine,
  texts,
} from '../../pages/index.ts'
import { debitTexts } from './i18n.ts'

export interface ShownDebit {
  readonly iban: string
  readonly mandateId: string
  /** Absent: unknown until the debtor accepts the mandate. */
  readonly collectedOn?: string
  /** The company that e-mails the mandate. */
  readonly sentBy?: string
}

/** For browsers without JavaScript. */
const refreshSeconds = 30

export function renderDebitPage(frame: CheckoutFrame, debit: ShownDebit): string {
  const { locale, checkoutId, amount, currency, simulated } = frame
  const words = texts[locale]
  const answer = simulated?.[locale].answerDebit
  const debitWords = debitTexts[locale]
  const next = checkoutPath(checkoutId, locale)
  const events = checkoutPath(checkoutId, locale, 'events')
  return document(frame, {
    title: debitWords.title,
    checkoutId,
    refresh: { seconds: refreshSeconds, url: next },
    main: html`<main class="single" data-waiting data-next="${ownPath(next)}" data-events="${ownPath(events)}">
!${lateNote(frame, ({ waiting }) => waiting)}
!${summaryLine(frame)}
<div class="outcome-head" role="status"><span class="medal good-medal">!${icons.check}</span><h1>${debitWords.title}</h1><p>${debit.sentBy === undefined ? debitWords.detail : debitWords.acceptByEmail(debit.sentBy)}</p></div>
<div class="reference"><dl>
!${detailLine(words.amountLabel.payment, money(amount, currency, locale))}
!${detailLine(debitWords.account, debit.iban)}
!${debit.collectedOn === undefined ? '' : detailLine(debitWords.collected, debit.collectedOn)}
!${detailLine(debitWords.mandateId, debit.mandateId)}
</dl>
<div class="reference-actions" data-with-script hidden><button type="button" class="secondary" data-print>${debitWords.print}</button></div>
</div>
<p class="quiet">${debitWords.closing}</p>
!${shopLink(frame, 'primary')}
!${answer ? html`<p class="reference-out no-print"><a href="${ownPath(answer.path)}" target="_blank" rel="noopener">${answer.text}</a></p>` : ''}
</main>`,
  })
}
