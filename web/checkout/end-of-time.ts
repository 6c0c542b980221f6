// An open form notices that its time is over: what has become of the checkout is shown in its place.

const second = 1000
/** Longer waits do not fit into the browser's timers; a tab that was asleep looks again in time too. */
const lookEverySeconds = 60

/** Watches the time that `main` has left, from now on, and loads the page again at its end. */
export function noticeEnd(main: HTMLElement): void {
  const end = Date.now() + Number(main.dataset.secondsLeft) * second
  const look = () => {
    const left = end - Date.now()
    if (left <= 0) location.replace(location.pathname + location.search)
    else setTimeout(look, Math.min(left, lookEverySeconds * second))
  }
  look()
}
