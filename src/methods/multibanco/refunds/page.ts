// The page on which a payer names the account of a refund.
import { maskedIban } from '../../../bank-files/index.ts'
import type { Day } from '../../../kernel/lisbon.ts'
import type { Cents } from '../../../kernel/money.ts'
import type { Instant } from '../../../kernel/time.ts'
import type { BankAccount } from '../../../operations/for-refunds.ts'
import {
  dayInWords,
  detailLine,
  document,
  type FieldProblem,
  field,
  html,
  icons,
  money,
  ownPath,
  type PageFrame,
  summaryLine,
  texts,
  wholeMoment,
} from '../../../pages/index.ts'
import { refundTexts } from './i18n.ts'
import type { AccountForm } from './rules.ts'

export type RefundView =
  | {
      readonly kind: 'form'
      readonly typed: AccountForm
      readonly problems: Readonly<Partial<Record<'holder' | 'iban', FieldProblem>>>
      readonly ends: Instant | undefined
    }
  | { readonly kind: 'review'; readonly account: BankAccount }
  | { readonly kind: 'ordered' | 'paid'; readonly iban: string; readonly day: Day }
  | { readonly kind: 'returned'; readonly iban: string }
  | { readonly kind: 'paused' | 'ended' }

export interface RefundPage extends PageFrame {
  readonly path: string
  readonly merchantName: string
  readonly amount: Cents
  readonly currency: string
  readonly view: RefundView
}

/** Opening it changes nothing: programs of mail servers open every link. */
export function renderRefundPage(page: RefundPage): string {
  const { locale, merchantName, path, view } = page
  const title = refundTexts[locale].title(merchantName)
  const isWrong = view.kind === 'form' && Object.keys(view.problems).length > 0
  return document(page, {
    title: isWrong ? texts[locale].titleOnError(title) : title,
    pathIn: (other) => ownPath(`${path}?lang=${other}`),
    main: html`<main class="single">
!${summaryLine(page)}
!${bodyOf(page, view)}
</main>`,
  })
}

function bodyOf(page: RefundPage, view: RefundView): string {
  switch (view.kind) {
    case 'form':
      return form(page, view)
    case 'review':
      return review(page, view.account)
    case 'ordered':
    case 'paid':
      return outcome(page, view.kind, view)
    case 'returned':
      return outcome(page, view.kind, view)
    case 'paused':
    case 'ended':
      return outcome(page, view.kind, {})
  }
}

const idPrefix = 'refund'
const holderLengthMax = 70
const ibanLengthMax = 42

function form(page: RefundPage, { typed, problems, ends }: RefundView & { readonly kind: 'form' }): string {
  const { locale, merchantName } = page
  const words = refundTexts[locale]
  const shared = { page: { locale, errors: problems }, idPrefix, showErrors: true } as const
  const until = ends === undefined ? undefined : wholeMoment(ends, locale)
  return html`<h1>${words.title(merchantName)}</h1>
<p>${words.explained(merchantName)}</p>
<form method="post" action="${actionOf(page)}" data-checked-form data-busy="${texts[locale].submitting}">
!${field({
    ...shared,
    name: 'holder',
    label: words.holder,
    autocomplete: 'name',
    value: typed.holder,
    maxLength: holderLengthMax,
  })}
!${field({
    ...shared,
    name: 'iban',
    kind: 'iban',
    hint: words.ibanHint,
    problems: { ...texts[locale].problems.iban, not_sepa: words.notSepa },
    autocomplete: 'off',
    value: typed.iban,
    placeholder: 'PT50 0000 0000 0000 0000 0000 0',
    maxLength: ibanLengthMax,
  })}
<button type="submit" class="primary" data-submit>${words.review}</button>
<p class="visually-hidden" role="status" data-status></p>
</form>
!${until === undefined ? '' : html`<p class="quiet">${words.until(until.day, until.time)}</p>`}`
}

function review(page: RefundPage, { name, iban }: BankAccount): string {
  const { locale, amount, currency } = page
  const words = refundTexts[locale]
  // In hidden fields, because a busy button is not sent.
  const kept = (step: 'confirm' | 'change') =>
    html`<input type="hidden" name="holder" value="${name}"><input type="hidden" name="iban" value="${iban}"><input type="hidden" name="step" value="${step}">`
  return html`<div class="reference"><h1>${words.check}</h1>
<dl>
!${detailLine(words.holder, name)}
!${detailLine(words.account, iban.replace(/.{4}(?=.)/g, '$& '))}
!${detailLine(words.amount, money(amount, currency, locale))}
</dl></div>
<p>${words.checkText}</p>
<form method="post" action="${actionOf(page)}" data-submit-once>!${kept('confirm')}
<button type="submit" class="primary">${words.confirm(money(amount, currency, locale))}</button></form>
<form method="post" action="${actionOf(page)}" data-submit-once>!${kept('change')}
<button type="submit" class="secondary">${words.change}</button></form>`
}

function outcome(
  { locale, amount, currency }: RefundPage,
  kind: 'ordered' | 'paid' | 'returned' | 'paused' | 'ended',
  { iban, day }: { readonly iban?: string; readonly day?: Day },
): string {
  const words = refundTexts[locale]
  const detail = {
    ordered: words.orderedText(day === undefined ? '' : dayInWords(day, locale)),
    paid: words.paidText,
    returned: words.returnedText,
    paused: words.pausedText,
    ended: words.endedText,
  }[kind]
  const isGood = kind === 'ordered' || kind === 'paid'
  const facts =
    iban === undefined
      ? ''
      : html`<div class="reference"><dl>
!${detailLine(words.account, maskedIban(iban))}
!${detailLine(words.amount, money(amount, currency, locale))}
</dl></div>`
  return html`<div class="outcome-head" role="status"><span class="medal ${isGood ? 'good' : 'quiet'}-medal">!${isGood ? icons.check : icons.cross}</span><h1>${words[kind]}</h1><p>${detail}</p></div>
!${facts}`
}

function actionOf({ path, locale }: RefundPage): string {
  return ownPath(`${path}?lang=${locale}`)
}
