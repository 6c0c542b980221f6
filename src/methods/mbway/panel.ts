// The panel of MBWAY: phone number and contact.

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
import { mbwayTexts } from './i18n.ts'

const idPrefix = 'mbway'
const phoneLengthMax = 24

export const mbwayPanel: MethodPanel = { render: phoneForm, fieldId: (name) => fieldId(idPrefix, name) }

function phoneForm(context: PanelContext): string {
  const { page, chosen: showErrors } = context
  const { locale, filledIn, requiredFields } = page
  const words = texts[locale]
  const own = mbwayTexts[locale]
  const common = { page, idPrefix, showErrors }
  const emailField = () =>
    field({
      ...common,
      name: 'email',
      autocomplete: 'email',
      inputMode: 'email',
      value: filledIn.email,
      maxLength: 100,
    })
  return html`<form method="post" action="${context.path}" data-checked-form data-busy="${words.submitting}">
<p class="explained">${own.explained}</p>
<input type="hidden" name="attempt" value="${page.attemptToken}">
!${field({
    ...common,
    name: 'phone',
    label: own.phone,
    hint: own.phoneHint,
    autocomplete: 'tel-national',
    inputMode: 'tel',
    value: nationalPart(filledIn.phone),
    placeholder: '912 345 678',
    maxLength: phoneLengthMax,
    adornment: html`<span class="dial-code" aria-hidden="true">+351</span>`,
  })}
!${nameField(context, idPrefix)}
!${requiredFields.email === true ? emailField() : ''}
!${submitButton(page)}
<p class="visually-hidden" role="status" data-status></p>
</form>`
}

function nationalPart(phone: string | undefined): string | undefined {
  const digits = phone?.replace(/[\s().-]/g, '').replace(/^(\+|00)351/, '')
  return digits !== undefined && /^\d{9}$/.test(digits)
    ? digits.replace(/(\d{3})(\d{3})(\d{3})/, '$1 $2 $3')
    : phone
}
