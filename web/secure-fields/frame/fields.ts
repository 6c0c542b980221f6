// Values and errors of the four card fields.

import { find, findAll } from '../../checkout/dom.ts'
import { brandOf, digitsOf } from '../../checkout/fields/card-number.ts'
import { type Problem, problemOf } from '../../checkout/fields/problems.ts'
import {
  type CardValues,
  type FieldErrors,
  type FieldName,
  type FieldsState,
  fieldNames,
  type Locale,
} from '../messages.ts'
import { type InputName, words } from './messages.ts'

/** The name of each field in the card form. */
const inputNames: Readonly<Record<FieldName, InputName>> = {
  number: 'number',
  valdate: 'expiry',
  vcode: 'vcode',
  name: 'name',
}

export interface Fields {
  readonly form: HTMLFormElement
  nameOf(target: EventTarget | null): FieldName | undefined
  state(): FieldsState
  /** Values of valid fields: only digits, `MM/YYYY`, without spaces around them. */
  values(): CardValues
  focus(name: FieldName): void
  clear(): void
  speak(locale: Locale): void
  /** Fields that `order` does not name come after the others. */
  arrange(order: readonly FieldName[]): void
  /** Tells screen readers which field is wrong. */
  announce(name: FieldName): void
}

export function openFields(): Fields {
  const form = known(find('form', HTMLFormElement))
  const status = known(find('[data-status]', HTMLElement))
  const inputs = Object.fromEntries(
    fieldNames.map((name) => [name, known(find(`#${inputNames[name]}`, HTMLInputElement))]),
  ) as Record<FieldName, HTMLInputElement>
  let locale: Locale = 'pt'

  const errorOf = (name: FieldName) => known(find(`#${inputNames[name]}-error`, HTMLElement))
  const brand = () => brandOf(digitsOf(inputs.number.value)) ?? null
  const problem = (name: FieldName): Problem | undefined =>
    problemOf(inputNames[name], inputs[name].value, {
      numberDigits: digitsOf(inputs.number.value),
      thisMonth: inputs.valdate.dataset.month ?? '',
    })
  const isShown = (name: FieldName) => inputs[name].getAttribute('aria-invalid') === 'true'

  function shownErrors(): FieldErrors {
    const errors: FieldErrors = {}
    for (const name of fieldNames) {
      const shown = isShown(name) ? problem(name) : undefined
      if (shown !== undefined) errors[name] = shown
    }
    return errors
  }

  return {
    form,
    nameOf: (target) => fieldNames.find((name) => inputs[name] === target),
    state: () => ({
      complete: fieldNames.every((name) => problem(name) === undefined),
      empty: fieldNames.every((name) => inputs[name].value === ''),
      brand: brand(),
      errors: shownErrors(),
    }),
    values: () => ({
      number: digitsOf(inputs.number.value),
      valdate: inputs.valdate.value.replace(/\s/g, '').replace(/\/(\d\d)$/, '/20$1'),
      vcode: inputs.vcode.value.trim(),
      name: inputs.name.value.trim(),
    }),
    focus: (name) => inputs[name].focus(),
    clear() {
      for (const name of fieldNames) {
        inputs[name].value = ''
        inputs[name].dispatchEvent(new Event('input', { bubbles: true }))
        inputs[name].removeAttribute('aria-invalid')
        errorOf(name).hidden = true
      }
    },
    speak(spoken) {
      locale = spoken
      const { tag, title, labels, placeholders, problems, codeHint, codeHintAmex } = words[locale]
      document.documentElement.lang = tag
      document.title = title
      form.setAttribute('aria-label', title)
      for (const name of fieldNames) {
        const input = inputs[name]
        const inputName = inputNames[name]
        known(find(`label[for=${inputName}]`, HTMLElement)).textContent = labels[inputName]
        // The card form reads its messages from these attributes.
        Object.assign(input.dataset, problems[inputName])
        if (inputName !== 'vcode') input.placeholder = placeholders[inputName] ?? ''
        const shown = isShown(name) ? problem(name) : undefined
        if (shown !== undefined) errorOf(name).textContent = problems[inputName][shown] ?? ''
      }
      const hint = known(find('[data-hint]', HTMLElement))
      inputs.vcode.dataset.hintAmex = codeHintAmex
      hint.dataset.usual = codeHint
      hint.textContent = brand() === 'amex' ? codeHintAmex : codeHint
    },
    arrange(order) {
      const boxes = findAll('[data-field]', HTMLElement, form)
      const places = order.map((name) => inputNames[name] as string)
      const placeOf = (box: HTMLElement) =>
        (places.indexOf(box.dataset.field ?? '') + boxes.length + 1) % (boxes.length + 1)
      form.prepend(...boxes.sort((a, b) => placeOf(a) - placeOf(b)))
    },
    announce(name) {
      const text = isShown(name)
        ? `${words[locale].labels[inputNames[name]]}: ${errorOf(name).textContent}`
        : ''
      if (status.textContent !== text) status.textContent = text
    },
  }
}

function known<T>(element: T | undefined): T {
  if (element === undefined) throw new Error('the document lacks an element')
  return element
}
