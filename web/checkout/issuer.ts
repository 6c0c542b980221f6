// The way to the card's issuer: the hidden 3DS method frame, and forms that send themselves.
import { find } from './dom.ts'

const second = 1000
const methodDone = 'threeds-method-done'

/** Sends the issuer its data into the hidden frame, and goes on when the frame reports or time is up. */
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

/** Inside the frame: notifies the page around it, which is ours, that the issuer has finished. */
export function reportMethodDone(): void {
  if (parent !== window) parent.postMessage(methodDone, location.origin)
}
