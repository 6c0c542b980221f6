// A labelled field with hint and error, for screen readers too.
import { flag, html, withoutCardNumber } from '../html.ts'
import { money } from '../i18n/format.ts'
import { texts } from '../i18n/index.ts'
import { subscriptionWords } from '../i18n/subscriptions.ts'
import type { CheckoutPage, FieldProblem, PageField, PanelContext } from '../model.ts'

export interface FieldPlace {
  readonly page: Pick<CheckoutPage, 'locale' | 'errors'>
  readonly idPrefix: string
  readonly showErrors: boolean
  readonly name: PageField
  readonly label?: string | undefined
  readonly hint?: string | undefined
  /** Default: the usual texts of the field. */
  readonly problems?: Readonly<Partial<Record<FieldProblem, string>>> | undefined
}

export interface FieldOptions extends FieldPlace {
  /** `secret` hides the typed text. `iban` may be shown again, although it looks like a card number. */
  readonly kind?: 'secret' | 'iban' | undefined
  readonly autocomplete: string
  readonly inputMode?: 'numeric' | 'email' | 'tel' | undefined
  readonly autocapitalize?: 'words' | undefined
  readonly value?: string | undefined
  readonly placeholder?: string | undefined
  readonly maxLength: number
  readonly optional?: boolean | undefined
  readonly attributes?: string | undefined
  readonly adornment?: string | undefined
}

/** Error texts are data attributes for the script. A card number is never shown again. */
export function field(options: FieldOptions): string {
  const { name, placeholder, adornment = '', attributes = '', autocapitalize = 'off' } = options
  return fieldFrame(
    options,
    ({
      id,
      describedBy,
      invalid,
    }) => html`<input type="${options.kind === 'secret' ? 'password' : 'text'}" id="${id}" name="${name}" value="${echoed(options)}" autocomplete="${options.autocomplete}" maxlength="${options.maxLength}" aria-describedby="${describedBy}" !${flag('required', options.optional !== true)} autocapitalize="${autocapitalize}" spellcheck="false"
!${options.inputMode === undefined ? '' : html`inputmode="${options.inputMode}"`}
!${placeholder === undefined ? '' : html`placeholder="${placeholder}"`}
!${invalid} !${problemAttributes(problemsOf(options))} !${attributes}>
!${adornment}`,
  )
}

export interface ControlTies {
  readonly id: string
  readonly describedBy: string
  readonly invalid: string
}

export function fieldFrame(place: FieldPlace, control: (ties: ControlTies) => string): string {
  const { page, name } = place
  const words = texts[page.locale]
  const id = fieldId(place.idPrefix, name)
  const problem = place.showErrors ? page.errors[name] : undefined
  const message = problem === undefined ? '' : (problemsOf(place)[problem] ?? problemsOf(place).invalid ?? '')
  const hint = place.hint ?? words.hints[name]
  const describedBy = hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`
  const invalid = flag('aria-invalid="true"', message !== '')
  return html`<div class="field" data-field="${name}">
<label for="${id}">${place.label ?? words.labels[name]}</label>
<div class="control">
!${control({ id, describedBy, invalid })}
</div>
<p class="field-error" id="${id}-error" data-error !${flag('hidden', message === '')}>${message}</p>
!${hint === undefined ? '' : html`<p class="hint" id="${id}-hint" data-hint>${hint}</p>`}
</div>`
}

function problemsOf({ page, name, problems }: FieldPlace): Readonly<Partial<Record<FieldProblem, string>>> {
  return problems ?? texts[page.locale].problems[name]
}

const ibanPattern = /^\s*[A-Za-z]{2}\s*\d{2}/

function echoed({ kind, value = '' }: FieldOptions): string {
  if (kind === 'secret') return ''
  return kind === 'iban' && ibanPattern.test(value) ? inFours(value) : withoutCardNumber(value)
}

function inFours(iban: string): string {
  return iban
    .replace(/\s/g, '')
    .toUpperCase()
    .replace(/.{4}(?=.)/g, '$& ')
}

export function fieldId(idPrefix: string, name: PageField): string {
  return `${idPrefix}-${name}`
}

export function problemAttributes(problems: Readonly<Record<string, string>>): string {
  return Object.entries(problems)
    .map(([problem, message]) => html`data-${problem}="${message}"`)
    .join(' ')
}

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

export function customerFields(context: PanelContext, idPrefix: string): string {
  return nameField(context, idPrefix) + contactFields(context, idPrefix)
}

export function submitButton({ locale, kind, amount, currency, terms }: CheckoutPage): string {
  const sum = money(amount, currency, locale)
  const both = terms !== undefined && kind !== 'subscription'
  const label = both ? subscriptionWords[locale].payAndAccept(sum) : texts[locale].submit[kind](sum)
  return html`<button type="submit" class="primary" data-submit>${label}</button>`
}
