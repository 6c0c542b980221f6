// The panel of method PAYPAL: nothing to type but what the merchant asks for; the rest is at the wallet's own page.

import { html } from '../frame/html.ts'
import { checkoutPath, methodPart } from '../frame/paths.ts'
import { fieldId } from '../parts/field.ts'
import { accountMethodTexts } from '../texts/account-methods.ts'
import { texts } from '../texts/texts.ts'
import { customerFields } from './contact-fields.ts'
import type { MethodPanel, PanelContext } from './panel.ts'

const idPrefix = 'paypal'

export const onlineWalletPanel: MethodPanel = {
  render: onlineWalletForm,
  fieldId: (name) => fieldId(idPrefix, name),
}

function onlineWalletForm(context: PanelContext): string {
  const { checkoutId, locale, attemptToken } = context.page
  const { onlineWallet } = accountMethodTexts[locale]
  return html`<form method="post" action="${checkoutPath(checkoutId, locale, methodPart('PAYPAL'))}" data-checked-form data-busy="${texts[locale].submitting}">
<input type="hidden" name="attempt" value="${attemptToken}">
<p>${onlineWallet.explained}</p>
!${customerFields(context, idPrefix)}
<button type="submit" class="primary" data-submit>${onlineWallet.submit}</button>
<p class="visually-hidden" role="status" data-status></p>
</form>`
}
