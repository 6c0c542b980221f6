// The way back to the shop after success: by itself after a moment, unless the customer wants to stay.
import { find } from './dom.ts'

const second = 1000

/** Counts down on `main[data-forward]` and leaves. The result does not stay in the history behind the shop. */
export function forwardToShop(main: HTMLElement): void {
  const line = find('[data-forward-line]', HTMLElement, main)
  const told = find('[data-forward-told]', HTMLElement, main)
  const url = main.dataset.forward
  if (line === undefined || told === undefined || url === undefined) return
  let left = Number(main.dataset.seconds)
  const tell = () => {
    told.textContent = (line.dataset.told ?? '').replace('{seconds}', String(left))
  }
  const timer = setInterval(() => {
    left--
    tell()
    if (left > 0) return
    clearInterval(timer)
    location.replace(url)
  }, second)
  find('[data-stay]', HTMLButtonElement, line)?.addEventListener('click', () => {
    clearInterval(timer)
    line.hidden = true
  })
  tell()
  line.hidden = false
}
