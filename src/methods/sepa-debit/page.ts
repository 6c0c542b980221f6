// Payment of a checkout by direct debit.
import { maskedIban } from '../../bank-files/index.ts'
import { isUuid } from '../../kernel/random.ts'
import { readIban } from '../../kernel/values/ibans.ts'
import { type CustomerEngine, findAttempt } from '../../operations/for-methods.ts'
import {
  addressFields,
  type CheckoutFrame,
  checkoutPath,
  contactFields,
  dayInWords,
  detailLine,
  document,
  type FieldProblem,
  field,
  fieldId,
  flag,
  html,
  icons,
  lateNote,
  type MethodPanel,
  money,
  ownPath,
  type PageField,
  type PanelContext,
  problemAttributes,
  shopLink,
  submitButton,
  summaryLine,
  texts,
} from '../../pages/index.ts'
import type { Creditor, DebtorAddress } from '../../rails/index.ts'
import { readAddress } from '../address.ts'
import { contactOf, contactProblems } from '../contact.ts'
import type { MethodPage, PostedForm, Visit } from '../method.ts'
import type { SepaDebitDeps } from './attempts.ts'
import { sepaDebit } from './facts.ts'
import { debitTexts } from './i18n.ts'
import type { DebitDetails, DebitTerms } from './model.ts'
import { mandateTexts, needsEmail, readDebtor, wantsAddress } from './rules.ts'
import { startDebit } from './start.ts'

export function debitPage(deps: SepaDebitDeps, engine: CustomerEngine<DebitDetails>): MethodPage {
  function termsOf({ wallet, locale }: Pick<Visit, 'wallet' | 'locale'>): DebitTerms {
    const creditor = deps.rail.creditorOf(wallet.id)
    return { creditor, mandateText: mandateTexts[locale](creditor, wallet.name) }
  }

  return {
    panel: (visit) => debitPanel(termsOf(visit)),

    async start(visit, form) {
      const { checkout, wallet, browser } = visit
      const { ip, userAgent } = browser
      const { attempt: pageToken = '', creditor: shown } = form
      const terms = termsOf(visit)
      const { creditorId } = terms.creditor
      const wantsEmail = needsEmail(terms.creditor)
      // The creditor has changed, so the customer must see the new mandate.
      if (!isUuid(pageToken) || (shown ?? creditorId) !== creditorId) return { kind: 'too_late' }
      const read = readDebtor(form)
      const { requiredFields } = checkout
      const required = wantsEmail ? { ...requiredFields, email: true } : requiredFields
      const place = addressIn(terms.creditor, form)
      const problems = {
        ...(read.ok ? {} : read.problems),
        ...place.problems,
        ...contactProblems(required, form),
      }
      if (!read.ok || Object.keys(problems).length > 0) {
        return { kind: 'wrong_fields', problems, filledIn: form }
      }
      const { name } = read.debtor
      const client = {
        ...(checkout.operation.client?.name === undefined ? { name } : {}),
        ...contactOf(form),
      }
      await visit.keepCustomer(client)
      const started = await startDebit(deps, engine, {
        operation: checkout.operation,
        merchantName: wallet.name,
        pageToken: pageToken.toLowerCase(),
        debtor: { ...read.debtor, address: place.address },
        email: wantsEmail ? client.email : undefined,
        ...{ terms, ip, userAgent },
      })
      return { kind: started ? 'started' : 'too_late' }
    },

    async state({ checkout, wallet, locale }) {
      const { walletId, attemptId } = checkout.operation
      const debit =
        attemptId === undefined
          ? undefined
          : await findAttempt<DebitDetails>(deps.database, sepaDebit.code, walletId, attemptId)
      if (debit === undefined) return { kind: 'open' }
      const { debtor, mandate, mandateOfAgent, isMandateSent, agent, collectOn } = debit.details
      const shown = {
        iban: maskedIban(debtor.iban),
        mandateId: mandateOfAgent ?? mandate.id,
        ...(isMandateSent === true
          ? { sentBy: agent ?? wallet.name }
          : { collectedOn: dayInWords(collectOn, locale) }),
      }
      return { kind: 'shown', render: (frame) => renderDebitPage(frame, shown) }
    },
  }
}

function addressIn(
  creditor: Creditor,
  form: PostedForm,
): {
  readonly address?: DebtorAddress
  readonly problems?: Readonly<Partial<Record<PageField, FieldProblem>>>
} {
  if (!wantsAddress(creditor, form.iban)) return {}
  const read = readAddress(form)
  if (!read.ok) return { problems: read.problems }
  const { address: street = '', postalcode, city = '', country = '' } = read.address
  return { address: { street, postalcode, city, country } }
}

const idPrefix = 'sepa'
const holderLengthMax = 70
const ibanLengthMax = 42

export function debitPanel(terms: DebitTerms): MethodPanel {
  return { render: (context) => debitForm(context, terms), fieldId: (name) => fieldId(idPrefix, name) }
}

function debitForm(context: PanelContext, { creditor, mandateText }: DebitTerms): string {
  const { page, hint, chosen } = context
  const { locale, filledIn } = page
  const words = texts[locale]
  const debit = debitTexts[locale]
  const shared = { page, idPrefix, showErrors: chosen } as const
  return html`<form method="post" action="${context.path}" data-checked-form data-busy="${words.submitting}">
<input type="hidden" name="attempt" value="${page.attemptToken}">
<input type="hidden" name="creditor" value="${creditor.creditorId}">
<p>${debit.explained}</p>
!${field({
    ...shared,
    name: 'holder',
    autocomplete: 'name',
    value: filledIn.holder,
    maxLength: holderLengthMax,
  })}
!${field({
    ...shared,
    name: 'iban',
    kind: 'iban',
    autocomplete: 'off',
    value: filledIn.iban,
    placeholder: 'PT50 0000 0000 0000 0000 0000 0',
    maxLength: ibanLengthMax,
  })}
!${address(context, creditor)}
!${hint === undefined ? '' : html`<p class="hint">${hint}</p>`}
!${contactFields(needsEmail(creditor) ? withEmail(context) : context, idPrefix)}
!${mandate(context, mandateText)}
!${submitButton(page)}
<p class="visually-hidden" role="status" data-status></p>
</form>`
}

function address({ page, chosen }: PanelContext, creditor: Creditor): string {
  const { locale, filledIn } = page
  if (!wantsAddress(creditor, filledIn.iban)) return ''
  const { address: why } = debitTexts[locale]
  const countryDefault = readIban(filledIn.iban ?? '')?.slice(0, 2) ?? 'PT'
  return html`<fieldset><legend class="hint">${why}</legend>
!${addressFields({ page, idPrefix, kind: 'billing', showErrors: chosen, countryDefault })}</fieldset>`
}

/** The creditor needs the e-mail address, even if the merchant does not. */
function withEmail({ page, ...context }: PanelContext): PanelContext {
  return { ...context, page: { ...page, requiredFields: { ...page.requiredFields, email: true } } }
}

function mandate({ page, chosen }: PanelContext, text: string): string {
  const { locale, errors } = page
  const words = texts[locale]
  const id = fieldId(idPrefix, 'mandate')
  const problem = chosen ? errors.mandate : undefined
  const message = problem === undefined ? '' : (words.problems.mandate[problem] ?? '')
  const attributes = html`required aria-describedby="${id}-title ${id}-text ${id}-error" !${flag('aria-invalid="true"', message !== '')} !${problemAttributes(words.problems.mandate)}`
  return html`<div class="mandate" data-field="mandate">
<p class="mandate-title" id="${id}-title">${debitTexts[locale].mandate}</p>
<p class="mandate-text" id="${id}-text">${text}</p>
<p class="mandate-choice"><input type="checkbox" id="${id}" name="mandate" value="accepted" !${flag('checked', page.filledIn.mandate === 'accepted')} !${attributes}><label for="${id}">${words.labels.mandate}</label></p>
<p class="field-error" id="${id}-error" data-error !${flag('hidden', message === '')}>${message}</p>
</div>`
}

export interface ShownDebit {
  readonly iban: string
  readonly mandateId: string
  /** Absent if the day is unknown until the debtor accepts the mandate. */
  readonly collectedOn?: string
  /** The company that e-mails the mandate. */
  readonly sentBy?: string
}

/** Browsers without JavaScript reload the page after this time. */
const refreshSeconds = 30

function renderDebitPage(frame: CheckoutFrame, debit: ShownDebit): string {
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
