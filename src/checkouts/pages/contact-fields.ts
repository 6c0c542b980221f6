// E-mail and phone beside whatever pays, only where the merchant asks for them.
import { field } from './field.ts'
import type { PageField } from './model.ts'
import type { PanelContext } from './panels.ts'

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
