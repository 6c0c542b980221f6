// The panel of PAYPAL.

import {
  customerFields,
  fieldId,
  html,
  type MethodPanel,
  type PanelContext,
  texts,
} from '../../pages/index.ts'
import { paypalTexts } from './i18n.ts'

const idPrefix = 'paypal'

export const paypalPanel: MethodPanel = {
  render: paypalForm,
  fieldId: (name) => fieldId(idPrefix, name),
}

function paypalForm(context: PanelContext): string {
  const { locale, attemptToken } = context.page
  const words = paypalTexts[locale]
  return html`<form method="post" action="${context.path}" data-checked-form data-busy="${texts[locale].submitting}">
<input type="hidden" name="attempt" value="${attemptToken}">
<p>${words.explained}</p>
!${customerFields(context, idPrefix)}
<button type="submit" class="primary" data-submit>${words.submit}</button>
<p class="visually-hidden" role="status" data-status></p>
</form>`
}
