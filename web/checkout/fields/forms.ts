// Formatting and checks of form fields.
import { afterClick } from '../../after-click.ts'
import { find, findAll } from '../dom.ts'
import { brandOf, cardNumberGrouping, digitsOf } from './card-number.ts'
import { formatExpiry } from './expiry.ts'
import { type Problem, problemOf } from './problems.ts'
import { type Grouping, ibanGrouping, isPortuguesePhone, phoneGrouping, regroup } from './regroup.ts'

/** Formats and checks the fields of a form. A message of the gateway stays until its field is correct. */
export function enhanceForm(form: HTMLFormElement): void {
  // Our messages replace those of the browser.
  form.noValidate = true
  const fields = findAll('input[aria-describedby]', HTMLInputElement, form)
  const byName = (name: string) => fields.find((input) => input.name === name)
  const number = byName('number')
  const expiry = byName('expiry')
  const check = (input: HTMLInputElement) =>
    !input.required && isEmpty(input)
      ? undefined
      : problemOf(input.name, isEmpty(input) ? '' : input.value, {
          numberDigits: digitsOf(number?.value ?? ''),
          thisMonth: expiry?.dataset.month ?? '',
        })

  if (number !== undefined) {
    formatNumber(number, cardNumberGrouping)
    onEdit(number, () => showBrand(number, form))
  }
  const [iban, phone] = [byName('iban'), byName('phone')]
  if (iban !== undefined) formatNumber(iban, ibanGrouping)
  if (phone !== undefined) formatNumber(phone, phoneGrouping, isPortuguesePhone)
  if (expiry !== undefined) {
    onEdit(expiry, (deleting) => typeExpiry(expiry, deleting))
    const filledIn = expiry.value
    // If the user types a digit before a complete date, a new date starts.
    expiry.addEventListener('keydown', ({ key }) => {
      const isAsFilledIn = filledIn !== '' && expiry.value === filledIn
      if (isAsFilledIn && expiry.selectionEnd === 0 && /^\d$/.test(key)) expiry.select()
    })
  }

  for (const input of fields) {
    input.addEventListener('blur', (left) => {
      if (!isEmpty(input)) afterClick(left, () => show(input, check(input)))
    })
    input.addEventListener('input', () => {
      for (const shown of fields) if (isShown(shown) && check(shown) === undefined) show(shown, undefined)
    })
  }
  form.addEventListener('submit', (event) => {
    const wrong = fields.filter((input) => show(input, check(input)))
    if (wrong.length === 0) return
    event.preventDefault()
    // A form with mistakes must not count as sent.
    event.stopImmediatePropagation()
    wrong[0]?.focus()
  })
  // On a shared computer the next person must not see the card, so the form is cleared.
  addEventListener('pagehide', () => form.reset())
}

function isEmpty({ type, checked, value }: HTMLInputElement): boolean {
  return type === 'checkbox' ? !checked : value.trim() === ''
}

function formatNumber(
  input: HTMLInputElement,
  grouping: Grouping,
  applies?: (text: string) => boolean,
): void {
  let before = input.value
  onEdit(input, (deleting) => {
    if (applies?.(input.value) === false) return
    const caret = input.selectionStart ?? input.value.length
    const typed = regroup(grouping, { text: input.value, caret }, before, deleting)
    before = typed.text
    if (typed.text === input.value) return
    input.value = typed.text
    if (document.activeElement === input) input.setSelectionRange(typed.caret, typed.caret)
  })
}

function typeExpiry(expiry: HTMLInputElement, deleting: boolean): void {
  // A change in the middle of the text would move the caret, so the format is applied when the user leaves the field.
  if (expiry.selectionStart === expiry.value.length) expiry.value = formatExpiry(expiry.value, deleting)
}

/** Runs `edited` after each edit, and once after the browser has filled in the field. */
function onEdit(input: HTMLInputElement, edited: (deleting: boolean) => void): void {
  input.addEventListener('input', (event) => {
    edited(event instanceof InputEvent && event.inputType.startsWith('delete'))
  })
  input.addEventListener('change', () => edited(true))
  if (input.value !== '') edited(true)
}

function showBrand(number: HTMLInputElement, form: HTMLFormElement): void {
  const digits = digitsOf(number.value)
  const brand = digits === '' ? form.dataset.keptBrand : (brandOf(digits) ?? 'other')
  if (brand === undefined) delete form.dataset.brand
  else form.dataset.brand = brand
  const code = find('input[name=vcode]', HTMLInputElement, form)
  const hint = find('[data-field=vcode] [data-hint]', HTMLElement, form)
  if (code === undefined || hint === undefined) return
  hint.dataset.usual ??= hint.textContent ?? ''
  hint.textContent = (brand === 'amex' ? code.dataset.hintAmex : undefined) ?? hint.dataset.usual
  code.placeholder = brand === 'amex' ? '1234' : '123'
}

function isShown(input: HTMLInputElement): boolean {
  return input.getAttribute('aria-invalid') === 'true'
}

/** Shows `problem` under the field, or removes the old message. Returns whether there is a problem. */
function show(input: HTMLInputElement, problem: Problem | undefined): boolean {
  const message = find(`#${input.id}-error`, HTMLElement)
  if (message !== undefined) {
    const words = problem === undefined ? '' : (input.dataset[problem] ?? input.dataset.invalid ?? '')
    message.textContent = words
    message.hidden = problem === undefined
  }
  if (problem === undefined) input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
  return problem !== undefined
}
