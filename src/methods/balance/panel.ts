// The panel of WALLET: e-mail and PIN.

import {
  field,
  fieldId,
  html,
  type MethodPanel,
  nameField,
  type PanelContext,
  submitButton,
  texts,
} from '../../pages/index.ts'
import { balanceTexts } from './i18n.ts'

const idPrefix = 'wallet'
const emailLengthMax = 100
const pinLengthMax = 8

export const balancePanel: MethodPanel = { render: balanceForm, fieldId: (name) => fieldId(idPrefix, name) }

function balanceForm(context: PanelContext): string {
  const { page, hint, chosen } = context
  const { locale, kind, requiredFields, filledIn } = page
  const words = texts[locale]
  const balance = balanceTexts[locale]
  const shared = { page, idPrefix, showErrors: chosen } as const
  const phone = { ...shared, name: 'phone', autocomplete: 'tel', inputMode: 'tel', maxLength: 100 } as const
  return html`<form method="post" action="${context.path}" data-checked-form data-busy="${words.submitting}">
<p>${kind === 'subscription' ? balance.explainedAccepting : balance.explained}</p>
!${field({
    ...shared,
    name: 'email',
    autocomplete: 'username',
    inputMode: 'email',
    value: filledIn.email,
    maxLength: emailLengthMax,
  })}
!${field({
    ...shared,
    name: 'pin',
    kind: 'secret',
    autocomplete: 'current-password',
    inputMode: 'numeric',
    maxLength: pinLengthMax,
  })}
!${nameField(context, idPrefix)}
!${requiredFields.phone === true ? field({ ...phone, value: filledIn.phone }) : ''}
!${hint === undefined ? '' : html`<p class="hint">${hint}</p>`}
!${submitButton(page)}
<p class="visually-hidden" role="status" data-status></p>
</form>`
}
