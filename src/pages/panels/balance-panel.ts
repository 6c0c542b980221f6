// The panel of method WALLET: e-mail and PIN of the wallet whose balance pays.

import { html } from '../frame/html.ts'
import { checkoutPath, methodPart } from '../frame/paths.ts'
import { field, fieldId } from '../parts/field.ts'
import { submitButton } from '../parts/submit-button.ts'
import { accountMethodTexts } from '../texts/account-methods.ts'
import { texts } from '../texts/texts.ts'
import { nameField } from './contact-fields.ts'
import type { MethodPanel, PanelContext } from './panel.ts'

const idPrefix = 'wallet'
const emailLengthMax = 100
const pinLengthMax = 8

export const balancePanel: MethodPanel = { render: balanceForm, fieldId: (name) => fieldId(idPrefix, name) }

function balanceForm(context: PanelContext): string {
  const { page, chosen } = context
  const { checkoutId, locale, kind, pretended, requiredFields, filledIn } = page
  const words = texts[locale]
  const { balance } = accountMethodTexts[locale]
  const shared = { page, idPrefix, showErrors: chosen } as const
  const phone = { ...shared, name: 'phone', autocomplete: 'tel', inputMode: 'tel', maxLength: 100 } as const
  return html`<form method="post" action="${checkoutPath(checkoutId, locale, methodPart('WALLET'))}" data-checked-form data-busy="${words.submitting}">
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
!${pretended ? html`<p class="hint">${pretended[locale].hints.WALLET}</p>` : ''}
!${submitButton(page)}
<p class="visually-hidden" role="status" data-status></p>
</form>`
}
