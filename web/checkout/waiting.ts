// Waiting page with events and polling.
import { find, findAll } from './dom.ts'

const second = 1000
/** The page also polls if it gets events, because an event can be lost. */
const pollSeconds = { withoutEvents: 3, besideEvents: 10 }
/** A screen reader reads these seconds, and each full minute. */
const spokenSeconds = [30, 10]

export function waitForOutcome(main: HTMLElement): void {
  const { next = '', events = '' } = main.dataset
  let connected = false
  let leaving = false
  const reload = () => {
    if (!leaving) location.replace(next)
  }

  const source = new EventSource(events)
  source.addEventListener('open', () => {
    connected = true
  })
  source.addEventListener('error', () => {
    connected = false
  })
  source.addEventListener('state', (event) => {
    if (event.data !== 'waiting') reload()
  })
  // The answer to a form leads to another page, and an event must not lead elsewhere before that.
  addEventListener('submit', (event) => {
    if (!event.defaultPrevented) leaving = true
  })

  async function poll(): Promise<void> {
    if (await isOver(next)) reload()
    else pollLater()
  }
  function pollLater(): void {
    const seconds = connected ? pollSeconds.besideEvents : pollSeconds.withoutEvents
    setTimeout(() => void poll(), seconds * second)
  }
  pollLater()
  setTimeout(() => {
    for (const long of findAll('[data-long]', HTMLElement, main)) long.hidden = false
  }, Number(main.dataset.longAfter) * second)
  runClock(main)
}

async function isOver(page: string): Promise<boolean> {
  try {
    const answer = await fetch(page, { cache: 'no-store' })
    return answer.ok && !(await answer.text()).includes('data-waiting')
  } catch {
    return false
  }
}

function runClock(main: HTMLElement): void {
  const clock = find('[data-clock]', HTMLElement, main)
  const spoken = find('[data-clock-spoken]', HTMLElement, main)
  if (clock === undefined || spoken === undefined) return
  const end = performance.now() + Number(clock.dataset.seconds) * second
  const timer = setInterval(() => {
    const left = Math.max(0, Math.round((end - performance.now()) / second))
    clock.textContent = (clock.dataset.text ?? '').replace('{clock}', minutesAndSeconds(left))
    const words = spokenTime(left, spoken.dataset)
    if (words !== undefined) spoken.textContent = words
    if (left === 0) clearInterval(timer)
  }, second)
}

function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function spokenTime(left: number, words: DOMStringMap): string | undefined {
  if (left >= 60 && left % 60 === 0) return words.minutes?.replace('{minutes}', String(left / 60))
  return spokenSeconds.includes(left) ? words.seconds?.replace('{seconds}', String(left)) : undefined
}
