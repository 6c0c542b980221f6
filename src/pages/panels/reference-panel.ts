// The panel of method MB: nothing to type but what the merchant asks for, then the reference.

import { html } from '../frame/html.ts'
import { checkoutPath, methodPart } from '../frame/paths.ts'
import { fieldId } from '../parts/field.ts'
import { texts } from '../texts/texts.ts'
import { customerFields } from './contact-fields.ts'
import type { MethodPanel, PanelContext } from './panel.ts'

const idPrefix = 'mb'

export const referencePanel: MethodPanel = {
  render: referenceForm,
  fieldId: (name) => fieldId(idPrefix, name),
}

function referenceForm(context: PanelContext): string {
  const { checkoutId, locale } = context.page
  const { reference, submitting } = texts[locale]
  return html`<form method="post" action="${checkoutPath(checkoutId, locale, methodPart('MB'))}" data-checked-form data-busy="${submitting}">
<p>${reference.explained}</p>
!${customerFields(context, idPrefix)}
<button type="submit" class="primary" data-submit>${reference.submit}</button>
<p class="visually-hidden" role="status" data-status></p>
</form>`
}
