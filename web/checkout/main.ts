// Script of the hosted pages. The pages also work without it.
import './checkout.css'
import { addBrowserFacts } from './browser-facts.ts'
import { copyOnClick } from './copy.ts'
import { find, findAll } from './dom.ts'
import { noticeEnd } from './end-of-time.ts'
import { enhanceForm } from './fields/forms.ts'
import { forwardToShop } from './forward.ts'
import { isFramed, talkToShop } from './framed.ts'
import { reportMethodDone, runMethod } from './issuer.ts'
import { showWhole } from './show-whole.ts'
import { submitOnce } from './submit-once.ts'
import { waitForOutcome } from './waiting.ts'

for (const element of findAll('[data-without-script]', HTMLElement)) element.hidden = true
for (const element of findAll('[data-with-script]', HTMLElement)) element.hidden = false
// Sets the focus in browsers that ignore `autofocus`. The others have set it before the first frame.
addEventListener('load', () => {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) find('[data-focus]', HTMLElement)?.focus()
  })
})

// The browser can show an old copy of the page after Back, so the page loads again.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.replace(location.pathname + location.search)
})

// The browser blocks a redirect of the shop to a host that the page does not know. The page then shows a link
// instead.
addEventListener('securitypolicyviolation', (event) => {
  if (event.effectiveDirective === 'form-action') location.replace(location.pathname + location.search)
})

for (const form of findAll('[data-browser-facts]', HTMLFormElement)) addBrowserFacts(form)
for (const form of findAll('[data-card-form]', HTMLFormElement)) {
  addBrowserFacts(form)
  enhanceForm(form)
  submitOnce(form)
}
for (const form of findAll('[data-checked-form]', HTMLFormElement)) {
  enhanceForm(form)
  submitOnce(form)
}
for (const form of findAll('[data-submit-once]', HTMLFormElement)) submitOnce(form)
for (const form of findAll('[data-auto-submit]', HTMLFormElement)) {
  // A bank's page opens in the whole window, which the page around the frame does.
  if (!isFramed || form.dataset.leavesFrame === undefined) form.submit()
}
for (const form of findAll('[data-method-form]', HTMLFormElement)) runMethod(form)
// A wide screen has room to show the list of items next to the form.
if (matchMedia('(min-width: 880px)').matches) {
  for (const items of findAll('[data-items]', HTMLDetailsElement)) items.open = true
}
for (const button of findAll('[data-copy]', HTMLButtonElement)) copyOnClick(button)
for (const button of findAll('[data-print]', HTMLButtonElement)) {
  button.addEventListener('click', () => print())
}
for (const choice of findAll('.method-choice input', HTMLInputElement)) showWhole(choice)
for (const main of findAll('[data-seconds-left]', HTMLElement)) noticeEnd(main)
for (const main of findAll('[data-waiting]', HTMLElement)) waitForOutcome(main)
const forward = (go: (url: string) => void) => {
  for (const main of findAll('[data-forward]', HTMLElement)) forwardToShop(main, go)
}
if (isFramed) talkToShop(forward)
// In place of this page, so that the button Back does not lead to it again.
else forward((url) => location.replace(url))
if (find('[data-method-done]', HTMLElement) !== undefined) reportMethodDone()
