// What a card is encrypted with: the gateway's key, a session that no other card had, and the gateway's time.
import type { Ticket } from './encrypt-card.ts'
import type { RecipientKey } from './jwe.ts'

/** What the document was served with. */
export interface FrameSettings {
  readonly merchant: string
  readonly session: string
  /** The gateway's time when it served the document, in milliseconds since the epoch. */
  readonly now: number
  readonly locale: 'pt' | 'en'
  /** Origins that may talk to the frame; one that ends in `:*` stands for every port. */
  readonly origins: readonly string[]
  readonly keysPath: string
  readonly sessionPath: string
}

/** Sessions live for 15 minutes: one is renewed in good time before. */
const renewAfterMs = 10 * 60_000

export interface Sessions {
  /** A ticket for one card. Rejects when the gateway is out of reach. */
  take(): Promise<Ticket>
}

/** Fetches the key at once, so that encrypting waits for no network. */
export function openSessions({ merchant, session, now, keysPath, sessionPath }: FrameSettings): Sessions {
  let issued = { session, now }
  let elapsed = stopwatch()
  let used = false
  let key = fetchKey(keysPath, 'default')
  // Told by `take`, which tries again.
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

/** Milliseconds since; the second clock goes on while the device sleeps. */
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
