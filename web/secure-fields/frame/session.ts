// Encryption session: key, session id and gateway time.
import type { Ticket } from './encrypt-card.ts'
import type { RecipientKey } from './jwe.ts'

export interface FrameSettings {
  readonly merchant: string
  readonly session: string
  /** Gateway time at delivery, in milliseconds since 1970. */
  readonly now: number
  readonly locale: 'pt' | 'en'
  /** A final `:*` means any port. */
  readonly origins: readonly string[]
  readonly keysPath: string
  readonly sessionPath: string
}

/** Renews a session before its end, which comes after 15 minutes. */
const renewAfterMs = 10 * 60_000

export interface Sessions {
  /** A ticket for one card. Rejects if the gateway is unreachable. */
  take(): Promise<Ticket>
}

/** Loads the key at once, so that encryption needs no network. */
export function openSessions({ merchant, session, now, keysPath, sessionPath }: FrameSettings): Sessions {
  let issued = { session, now }
  let elapsed = stopwatch()
  let used = false
  let key = fetchKey(keysPath, 'default')
  // If the key did not load, `take` tries again and reports the error.
  key.catch(() => undefined)

  async function renew(): Promise<void> {
    const since = stopwatch()
    key = fetchKey(keysPath, 'no-cache')
    const [fresh] = await Promise.all([fetchJson(`${sessionPath}?merchant=${merchant}`, 'no-store'), key])
    issued = fresh as { session: string; now: number }
    elapsed = since
    used = false
  }

  return {
    async take() {
      const failed = await key.then(
        () => false,
        () => true,
      )
      if (used || failed || elapsed() > renewAfterMs) await renew()
      used = true
      return { key: await key, session: issued.session, iat: Math.round(issued.now + elapsed()) }
    },
  }
}

/** Uses the larger of two clocks: `performance.now` may stop while the device sleeps, and `Date` continues. */
function stopwatch(): () => number {
  const [steady, wall] = [performance.now(), Date.now()]
  return () => Math.max(performance.now() - steady, Date.now() - wall)
}

async function fetchKey(path: string, cache: RequestCache): Promise<RecipientKey> {
  const { keys } = (await fetchJson(path, cache)) as { keys: RecipientKey[] }
  const [newest] = keys
  if (newest === undefined) throw new Error('there is no key')
  return newest
}

async function fetchJson(path: string, cache: RequestCache): Promise<unknown> {
  const response = await fetch(path, { cache, credentials: 'omit' })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}
