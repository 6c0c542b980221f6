// Reloads a checkout when its time is over.

const second = 1000
/** Looks every minute: browsers cannot set very long timers, and a device that slept looks soon after it wakes. */
const lookEverySeconds = 60

export function noticeEnd(main: HTMLElement): void {
  const end = Date.now() + Number(main.dataset.secondsLeft) * second
  const look = () => {
    const left = end - Date.now()
    if (left <= 0) location.replace(location.pathname + location.search)
    else setTimeout(look, Math.min(left, lookEverySeconds * second))
  }
  look()
}
