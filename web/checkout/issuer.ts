// Redirects to the card's issuer.
import { find } from './dom.ts'

const second = 1000
const methodDone = 'threeds-method-done'

/** Sends the data of the 3DS method to a hidden frame. Continues when the frame reports, or when the time is over. */
export function runMethod(form: HTMLFormElement): void {
  const continueForm = find('[data-method-continue]', HTMLFormElement)
  const completion = find('[data-method-continue] input[name=compInd]', HTMLInputElement)
  if (continueForm === undefined || completion === undefined) return
  let gone = false
  const leave = (indicator: 'Y' | 'N') => {
    if (gone) return
    gone = true
    completion.value = indicator
    continueForm.submit()
  }
  addEventListener('message', (event) => {
    if (event.origin === location.origin && event.data === methodDone) leave('Y')
  })
  setTimeout(() => leave('N'), Number(form.dataset.seconds) * second)
  form.submit()
}

/** Reports to the page around the frame that the issuer has finished. */
export function reportMethodDone(): void {
  if (parent !== window) parent.postMessage(methodDone, location.origin)
}
