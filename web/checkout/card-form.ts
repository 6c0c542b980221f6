// The card form in the browser: formats while typing, checks when a field is left, never complains earlier.
import { brandOf, digitsOf, retypeNumber } from './card-number.ts'
import { find, findAll } from './dom.ts'
import { formatExpiry } from './expiry.ts'
import { type Problem, problemOf } from './problems.ts'

/** Puts formatting and checking on a card form. Errors rendered by the server stay until they are mended. */
export function enhanceCardForm(form: HTMLFormElement): void {
  // Our words instead of the browser's, which judge an empty field only.
  form.noValidate = true
  const fields = findAll('input[aria-describedby]', HTMLInputElement, form)
  const byName = (name: string) => fields.find((input) => input.name === name)
  const number = byName('number')
  const expiry = byName('expiry')
  const mayBeEmpty = ({ required, value }: HTMLInputElement) => !required && value.trim() === ''
  const check = (input: HTMLInputElement) =>
    mayBeEmpty(input)
      ? undefined
      : problemOf(input.name, input.value, {
          numberDigits: digitsOf(number?.value ?? ''),
          thisMonth: expiry?.dataset.month ?? '',
        })

  if (number !== undefined) formatNumber(number, form)
  if (expiry !== undefined) onEdit(expiry, (deleting) => typeExpiry(expiry, deleting))

  for (const input of fields) {
    input.addEventListener('blur', () => {
      // Passing through an empty field is no mistake yet.
      if (input.value.trim() !== '') show(input, check(input))
    })
    input.addEventListener('input', () => {
      for (const shown of fields) if (isShown(shown) && check(shown) === undefined) show(shown, undefined)
    })
  }
  form.addEventListener('submit', (event) => {
    const wrong = fields.filter((input) => show(input, check(input)))
    if (wrong.length === 0) return
    event.preventDefault()
    // The guard against double clicks must not count an attempt that never left.
    event.stopImmediatePropagation()
    wrong[0]?.focus()
  })
  // Whoever goes back on a shared computer finds no card.
  addEventListener('pagehide', () => form.reset())
}

function formatNumber(number: HTMLInputElement, form: HTMLFormElement): void {
  let before = number.value
  onEdit(number, (deleting) => {
    const caret = number.selectionStart ?? number.value.length
    const typed = retypeNumber({ text: number.value, caret }, before, deleting)
    before = typed.text
    if (typed.text !== number.value) {
      number.value = typed.text
      if (document.activeElement === number) number.setSelectionRange(typed.caret, typed.caret)
    }
    showBrand(number, form)
  })
}

function typeExpiry(expiry: HTMLInputElement, deleting: boolean): void {
  // In the middle of the text the caret would jump: it is put in order when the field is left.
  if (expiry.selectionStart === expiry.value.length) expiry.value = formatExpiry(expiry.value, deleting)
}

/** Runs `edited` after every edit, and once for what the browser filled in before. */
function onEdit(input: HTMLInputElement, edited: (deleting: boolean) => void): void {
  input.addEventListener('input', (event) => {
    edited(event instanceof InputEvent && event.inputType.startsWith('delete'))
  })
  input.addEventListener('change', () => edited(true))
  if (input.value !== '') edited(true)
}

/** The style sheet shows the mark, and where the security code stands. */
function showBrand(number: HTMLInputElement, form: HTMLFormElement): void {
  const digits = digitsOf(number.value)
  const brand = brandOf(digits)
  if (digits === '') delete form.dataset.brand
  else form.dataset.brand = brand ?? 'other'
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

/** Shows `problem` in words under the field, or clears it; answers whether there is one. */
function show(input: HTMLInputElement, problem: Problem | undefined): boolean {
  const told = find(`#${input.id}-error`, HTMLElement)
  if (told !== undefined) {
    const words = problem === undefined ? '' : (input.dataset[problem] ?? input.dataset.invalid ?? '')
    told.textContent = words
    told.hidden = problem === undefined
  }
  if (problem === undefined) input.removeAttribute('aria-invalid')
  else input.setAttribute('aria-invalid', 'true')
  return problem !== undefined
}
