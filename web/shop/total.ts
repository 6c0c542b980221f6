// The basket's total, kept up to date while quantities change; the server works it out for itself.
import { findAll } from '../checkout/dom.ts'

export function keepTotal(form: HTMLFormElement): void {
  const quantities = findAll('input[data-price]', HTMLInputElement, form)
  const places = findAll('[data-total]', HTMLElement, form)
  const euros = new Intl.NumberFormat(document.documentElement.lang === 'pt' ? 'pt-PT' : 'en-IE', {
    style: 'currency',
    currency: 'EUR',
  })
  const show = () => {
    const cents = quantities.reduce((sum, input) => sum + pieces(input) * Number(input.dataset.price), 0)
    for (const place of places) place.textContent = euros.format(cents / 100)
  }
  form.addEventListener('input', show)
  // The browser may bring back quantities that were typed before.
  show()
}

function pieces(input: HTMLInputElement): number {
  return input.validity.valid ? input.valueAsNumber : 0
}
