// Guard against double submission.
import { find } from './dom.ts'

/** Sends a form only once. If the customer returns with the Back button of the browser, the form works again. */
export function submitOnce(form: HTMLFormElement): void {
  const button = find('button[type=submit]', HTMLButtonElement, form)
  const label = button?.textContent ?? ''
  let sent = false

  form.addEventListener('submit', (event) => {
    if (sent) event.preventDefault()
    else setSent(true)
  })
  addEventListener('pageshow', (event) => {
    if (event.persisted) setSent(false)
  })

  function setSent(now: boolean): void {
    sent = now
    const busy = form.dataset.busy
    const status = find('[data-status]', HTMLElement, form)
    if (button !== undefined) {
      button.disabled = now
      button.classList.toggle('busy', now)
      if (busy !== undefined) button.textContent = now ? busy : label
    }
    if (status !== undefined) status.textContent = now ? (busy ?? '') : ''
  }
}
