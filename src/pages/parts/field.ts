// One labelled text field with its hint and its error in words, tied together for screen readers.
import { flag, html, withoutCardNumber } from '../frame/html.ts'
import { texts } from '../i18n/index.ts'
import type { CheckoutPage, PageField } from '../model.ts'

/** What every field has, whatever is in it. */
export interface FieldPlace {
  readonly page: Pick<CheckoutPage, 'locale' | 'errors'>
  /** Makes ids unique where two panels have the same field. */
  readonly idPrefix: string
  /** Whether errors of the page are about this panel. */
  readonly showErrors: boolean
  readonly name: PageField
  /** In place of the usual words for the field. */
  readonly label?: string | undefined
  readonly hint?: string | undefined
}

export interface FieldOptions extends FieldPlace {
  /** `secret` hides what is typed; `iban` shows again what a card number would not be. */
  readonly kind?: 'secret' | 'iban' | undefined
  readonly autocomplete: string
  readonly inputMode?: 'numeric' | 'email' | 'tel' | undefined
  /** What a phone's keyboard writes with a capital letter by itself; nothing by default. */
  readonly autocapitalize?: 'words' | undefined
  readonly value?: string | undefined
  readonly placeholder?: string | undefined
  readonly maxLength: number
  /** Whether it may stay empty, as far as the browser can tell. */
  readonly optional?: boolean | undefined
  /** More attributes of the input, already HTML. */
  readonly attributes?: string | undefined
  /** What stands inside the field at its end, already HTML. */
  readonly adornment?: string | undefined
}

/**
 * The field. Its error texts are data attributes, so that the script has no texts of its own.
 * A value with a card number in it is never echoed.
 */
export function field(options: FieldOptions): string {
  const { page, name, placeholder, adornment = '', attributes = '', autocapitalize = 'off' } = options
  return fieldFrame(
    options,
    ({
      id,
      describedBy,
      invalid,
    }) => html`<input type="${options.kind === 'secret' ? 'password' : 'text'}" id="${id}" name="${name}" value="${echoed(options)}" autocomplete="${options.autocomplete}" maxlength="${options.maxLength}" aria-describedby="${describedBy}" !${flag('required', options.optional !== true)} autocapitalize="${autocapitalize}" spellcheck="false"
!${options.inputMode === undefined ? '' : html`inputmode="${options.inputMode}"`}
!${placeholder === undefined ? '' : html`placeholder="${placeholder}"`}
!${invalid} !${problemAttributes(texts[page.locale].problems[name])} !${attributes}>
!${adornment}`,
  )
}

/** What ties a control to its label, hint and error. */
export interface ControlTies {
  readonly id: string
  readonly describedBy: string
  /** The attribute of a control that is wrong, already HTML. */
  readonly invalid: string
}

/** Label, hint and error in words around a control, already HTML. */
export function fieldFrame(place: FieldPlace, control: (ties: ControlTies) => string): string {
  const { page, name } = place
  const words = texts[page.locale]
  const id = fieldId(place.idPrefix, name)
  const problem = place.showErrors ? page.errors[name] : undefined
  const message =
    problem === undefined ? '' : (words.problems[name][problem] ?? words.problems[name].invalid ?? '')
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

/** IBANs are long numbers too, but begin with letters of a country. */
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

/** Id of the input called `name`, which error summaries link to. */
export function fieldId(idPrefix: string, name: PageField): string {
  return `${idPrefix}-${name}`
}

/** The words for each problem of a control, which the script shows: it knows no language. */
export function problemAttributes(problems: Readonly<Record<string, string>>): string {
  return Object.entries(problems)
    .map(([problem, message]) => html`data-${problem}="${message}"`)
    .join(' ')
}
