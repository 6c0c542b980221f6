// The panel of SEPA: account and mandate.

import { readIban } from '../../kernel/values/ibans.ts'
import {
  addressFields,
  contactFields,
  field,
  fieldId,
  flag,
  html,
  type MethodPanel,
  type PanelContext,
  problemAttributes,
  submitButton,
  texts,
} from '../../pages/index.ts'
import type { Creditor } from '../../rails/index.ts'
import { debitTexts } from './i18n.ts'
import type { DebitTerms } from './model.ts'
import { needsEmail, wantsAddress } from './rules.ts'

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

/** The creditor needs it, even if the merchant does not. */
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
