// Contact fields requested by the merchant, and the submit button.
import { html } from '../frame/html.ts'
import { money } from '../i18n/format.ts'
import { texts } from '../i18n/index.ts'
import { subscriptionWords } from '../i18n/subscriptions.ts'
import type { CheckoutPage, PageField, PanelContext } from '../model.ts'
import { field } from './field.ts'

export function contactFields({ page, chosen }: PanelContext, idPrefix: string): string {
  const { requiredFields, filledIn } = page
  const contact = (
    name: PageField & ('email' | 'phone'),
    autocomplete: string,
    inputMode: 'email' | 'tel',
  ) =>
    requiredFields[name] === true
      ? field({
          page,
          idPrefix,
          showErrors: chosen,
          name,
          autocomplete,
          inputMode,
          value: filledIn[name],
          maxLength: 100,
        })
      : ''
  return contact('email', 'email', 'email') + contact('phone', 'tel', 'tel')
}

/** For methods that do not provide the name. */
export function nameField({ page, chosen }: PanelContext, idPrefix: string): string {
  const { requiredFields, filledIn } = page
  if (requiredFields.name !== true) return ''
  return field({
    page,
    idPrefix,
    showErrors: chosen,
    name: 'fullname',
    autocomplete: 'name',
    value: filledIn.fullname,
    maxLength: 100,
  })
}

/** For methods that provide no customer data. */
export function customerFields(context: PanelContext, idPrefix: string): string {
  return nameField(context, idPrefix) + contactFields(context, idPrefix)
}

export function submitButton({ locale, kind, amount, currency, terms }: CheckoutPage): string {
  const sum = money(amount, currency, locale)
  const both = terms !== undefined && kind !== 'subscription'
  const label = both ? subscriptionWords[locale].payAndAccept(sum) : texts[locale].submit[kind](sum)
  return html`<button type="submit" class="primary" data-submit>${label}</button>`
}
