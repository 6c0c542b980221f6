// Reload of an expired checkout.

const second = 1000
/** Longer timers overflow in browsers; a tab that slept also checks in time. */
const lookEverySeconds = 60

/** Reloads the page when the time in `main` is over. */
export function noticeEnd(main: HTMLElement): void {
  const end = Date.now() + Number(main.dataset.secondsLeft) * second
  const look = () => {
    const left = end - Date.now()
    if (left <= 0) location.replace(location.pathname + location.search)
    else setTimeout(look, Math.min(left, lookEverySeconds * second))
  }
  look()
}
