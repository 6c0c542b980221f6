// Name, e-mail and phone, only where the merchant asks for them; and the button of the form.
import { html } from '../frame/html.ts'
import { money } from '../i18n/format.ts'
import { texts } from '../i18n/index.ts'
import { subscriptionWords } from '../i18n/subscriptions.ts'
import type { CheckoutPage, PageField, PanelContext } from '../model.ts'
import { field } from './field.ts'

/** @param idPrefix of the panel, which makes the ids unique */
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

/** The customer's own name, for methods that learn none: a card and an account have the name of their holder. */
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

/** All that the merchant asks for, with a method that says nothing of the customer. */
export function customerFields(context: PanelContext, idPrefix: string): string {
  return nameField(context, idPrefix) + contactFields(context, idPrefix)
}

/** Also names the subscription where one is accepted together with a payment. */
export function submitButton({ locale, kind, amount, currency, terms }: CheckoutPage): string {
  const sum = money(amount, currency, locale)
  const both = terms !== undefined && kind !== 'subscription'
  const label = both ? subscriptionWords[locale].payAndAccept(sum) : texts[locale].submit[kind](sum)
  return html`<button type="submit" class="primary" data-submit>${label}</button>`
}
