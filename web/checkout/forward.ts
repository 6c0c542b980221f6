// The countdown after which the browser goes back to the shop.
import { find } from './dom.ts'

const second = 1000
/** A customer who presses one of these keys wants to stay on the page. */
const stayKeys = ['Escape', 'Tab']

/** Calls `go` with the shop's address after some seconds, unless the customer stays. */
export function forwardToShop(main: HTMLElement, go: (url: string) => void): void {
  const line = find('[data-forward-line]', HTMLElement, main)
  const output = find('[data-forward-text]', HTMLElement, main)
  const spoken = find('[data-forward-spoken]', HTMLElement, main)
  const url = main.dataset.forward
  if (line === undefined || output === undefined || spoken === undefined || url === undefined) return
  let left = Number(main.dataset.seconds)
  const textNow = () => (line.dataset.text ?? '').replace('{seconds}', String(left))
  const stay = () => {
    if (line.hidden) return
    clearInterval(timer)
    if (line.contains(document.activeElement)) find('a.primary', HTMLElement, main)?.focus()
    line.hidden = true
    spoken.textContent = spoken.dataset.staying ?? ''
  }
  const timer = setInterval(() => {
    left--
    output.textContent = textNow()
    if (left > 0) return
    clearInterval(timer)
    go(url)
  }, second)
  find('[data-stay]', HTMLButtonElement, line)?.addEventListener('click', stay)
  addEventListener('keydown', ({ key, repeat }) => {
    if (stayKeys.includes(key) && !repeat) stay()
  })
  // A customer who prints or types wants to stay on the page.
  addEventListener('beforeprint', stay)
  main.addEventListener('input', stay)
  output.textContent = textNow()
  line.hidden = false
  spoken.textContent = `${textNow()} ${spoken.dataset.hint}`
}
