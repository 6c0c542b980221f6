// The panel of method MB: nothing to type but what the merchant asks for, then the reference.
import { customerFields } from './contact-fields.ts'
import { fieldId } from './field.ts'
import { html } from './html.ts'
import type { MethodPanel, PanelContext } from './panels.ts'
import { checkoutPath, methodPart } from './paths.ts'
import { texts } from './texts.ts'

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
