// One labelled text field with its hint and its error in words, tied together for screen readers.
import { flag, html, withoutCardNumber } from './html.ts'
import type { CheckoutPage, PageField } from './model.ts'
import { texts } from './texts.ts'

export interface FieldOptions {
  readonly page: CheckoutPage
  /** Makes ids unique where two panels have the same field. */
  readonly idPrefix: string
  /** Whether errors of the page are about this panel. */
  readonly showErrors: boolean
  readonly name: PageField
  /** `secret` hides what is typed; `iban` shows again what a card number would not be. */
  readonly kind?: 'secret' | 'iban' | undefined
  /** In place of the usual words for the field. */
  readonly label?: string | undefined
  readonly hint?: string | undefined
  readonly autocomplete: string
  readonly inputMode?: 'numeric' | 'email' | 'tel' | undefined
  readonly value?: string | undefined
  readonly placeholder?: string | undefined
  readonly maxLength: number
  /** More attributes of the input, already HTML. */
  readonly attributes?: string | undefined
  /** What stands inside the field at its end, already HTML. */
  readonly adornment?: string | undefined
}

/**
 * The field. Its error texts ride along as data attributes, so that the script knows no language.
 * A value with a card number in it is never echoed.
 */
export function field(options: FieldOptions): string {
  const { page, name, placeholder, adornment = '', attributes = '' } = options
  const words = texts[page.locale]
  const id = fieldId(options.idPrefix, name)
  const problem = options.showErrors ? page.errors[name] : undefined
  const told =
    problem === undefined ? '' : (words.problems[name][problem] ?? words.problems[name].invalid ?? '')
  const hint = options.hint ?? words.hints[name]
  const described = hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`
  return html`<div class="field" data-field="${name}">
<label for="${id}">${options.label ?? words.labels[name]}</label>
<div class="control">
<input type="${options.kind === 'secret' ? 'password' : 'text'}" id="${id}" name="${name}" value="${echoed(options)}" autocomplete="${options.autocomplete}" maxlength="${options.maxLength}" aria-describedby="${described}" required autocapitalize="off" spellcheck="false"
!${options.inputMode === undefined ? '' : html`inputmode="${options.inputMode}"`}
!${placeholder === undefined ? '' : html`placeholder="${placeholder}"`}
!${flag('aria-invalid="true"', told !== '')} !${problemAttributes(words.problems[name])} !${attributes}>
!${adornment}
</div>
<p class="field-error" id="${id}-error" data-error !${flag('hidden', told === '')}>${told}</p>
!${hint === undefined ? '' : html`<p class="hint" id="${id}-hint" data-hint>${hint}</p>`}
</div>`
}

/** IBANs are long numbers too, but begin with letters of a country. */
const ibanPattern = /^\s*[A-Za-z]{2}\s*\d{2}/

function echoed({ kind, value = '' }: FieldOptions): string {
  if (kind === 'secret') return ''
  return kind === 'iban' && ibanPattern.test(value) ? value : withoutCardNumber(value)
}

/** Id of the input called `name`, which error summaries link to. */
export function fieldId(idPrefix: string, name: PageField): string {
  return `${idPrefix}-${name}`
}

function problemAttributes(problems: Readonly<Record<string, string>>): string {
  return Object.entries(problems)
    .map(([problem, told]) => html`data-${problem}="${told}"`)
    .join(' ')
}
