// Says at once that the payment is on its way, and lets no second click through.
import { findAll } from '../checkout/dom.ts'

export function payOnce(form: HTMLFormElement): void {
  // Asked each time: the server may have sent others meanwhile.
  const buttons = () => findAll('button', HTMLButtonElement, form)
  const words = new Map<HTMLButtonElement, string>()

  form.addEventListener('submit', (event) => {
    if (form.dataset.busy !== undefined) return event.preventDefault()
    form.dataset.busy = ''
    for (const button of buttons()) button.setAttribute('aria-disabled', 'true')
    const { submitter } = event
    if (!(submitter instanceof HTMLButtonElement)) return
    words.set(submitter, submitter.innerHTML)
    submitter.textContent = form.dataset.paying ?? ''
  })

  // The card was not complete, or the browser came back to the page as it was left.
  const again = () => {
    delete form.dataset.busy
    for (const button of buttons()) button.removeAttribute('aria-disabled')
    for (const [button, html] of words) button.innerHTML = html
    words.clear()
  }
  form.addEventListener('shop:again', again)
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) again()
  })
}
