// The panel of MB.

import {
  customerFields,
  fieldId,
  html,
  type MethodPanel,
  type PanelContext,
  texts,
} from '../../../pages/index.ts'
import { referenceTexts } from './i18n.ts'

const idPrefix = 'mb'

export const referencePanel: MethodPanel = {
  render: referenceForm,
  fieldId: (name) => fieldId(idPrefix, name),
}

function referenceForm(context: PanelContext): string {
  const { locale } = context.page
  const reference = referenceTexts[locale]
  return html`<form method="post" action="${context.path}" data-checked-form data-busy="${texts[locale].submitting}">
<p>${reference.explained}</p>
!${customerFields(context, idPrefix)}
<button type="submit" class="primary" data-submit>${reference.submit}</button>
<p class="visually-hidden" role="status" data-status></p>
</form>`
}
