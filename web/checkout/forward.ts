// The way back to the shop after success: by itself after a countdown that everybody can see and stop.
import { find } from './dom.ts'

const second = 1000

/** Counts down on `main[data-forward]` and leaves. The result does not stay in the history behind the shop. */
export function forwardToShop(main: HTMLElement): void {
  const line = find('[data-forward-line]', HTMLElement, main)
  const output = find('[data-forward-text]', HTMLElement, main)
  const url = main.dataset.forward
  if (line === undefined || output === undefined || url === undefined) return
  let left = Number(main.dataset.seconds)
  const showSeconds = () => {
    output.textContent = (line.dataset.text ?? '').replace('{seconds}', String(left))
  }
  const stay = () => {
    clearInterval(timer)
    line.hidden = true
  }
  const timer = setInterval(() => {
    left--
    showSeconds()
    if (left > 0) return
    clearInterval(timer)
    location.replace(url)
  }, second)
  find('[data-stay]', HTMLButtonElement, line)?.addEventListener('click', stay)
  // Whoever prints, or begins to type something, is not done with the page.
  addEventListener('beforeprint', stay)
  main.addEventListener('input', stay)
  showSeconds()
  line.hidden = false
}
