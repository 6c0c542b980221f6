// Name, e-mail and phone, only where the merchant asks for them.

import type { PageField, PanelContext } from '../model.ts'
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
