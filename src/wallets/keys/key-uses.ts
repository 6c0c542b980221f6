// On which day each API key was last used: written once a day for each key, several together, behind the requests.
import type { Clock } from '../../kernel/time.ts'
import type { Database } from '../../storage/index.ts'
import { writeKeyUses } from './key-store.ts'

/** How long uses are gathered before they are written. */
const lingerMs = 1000

export interface KeyUses {
  /**
   * Notes that a key is used. Returns at once.
   *
   * @param today the day in UTC, counted from 1970
   */
  note(keyId: string, today: number): void
}

export function createKeyUses({
  database,
  clock,
}: {
  readonly database: Database
  readonly clock: Clock
}): KeyUses {
  /** The last day noted of each key. */
  const noted = new Map<string, number>()
  let fresh = new Set<string>()

  async function write(): Promise<void> {
    const keyIds = [...fresh]
    fresh = new Set()
    try {
      await writeKeyUses(database, keyIds, clock.now())
    } catch {
      // The database is away: who asks again once it is back is noted then.
      for (const keyId of keyIds) noted.delete(keyId)
    }
  }

  return {
    note(keyId, today) {
      if (noted.get(keyId) === today) return
      noted.set(keyId, today)
      fresh.add(keyId)
      if (fresh.size === 1) setTimeout(write, lingerMs).unref()
    },
  }
}
