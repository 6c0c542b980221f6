// The last day of use of each API key, written in batches after the requests.
import type { Clock } from '../../kernel/time.ts'
import type { Database } from '../../storage/index.ts'
import { writeKeyUses } from './key-store.ts'

const lingerMs = 1000

export interface KeyUses {
  /** Records that a key is used; `today` is the day in UTC since 1970. */
  note(keyId: string, today: number): void
}

export function createKeyUses({
  database,
  clock,
}: {
  readonly database: Database
  readonly clock: Clock
}): KeyUses {
  const noted = new Map<string, number>()
  let fresh = new Set<string>()

  async function write(): Promise<void> {
    const keyIds = [...fresh]
    fresh = new Set()
    try {
      await writeKeyUses(database, keyIds, clock.now())
    } catch {
      // The database is unavailable. The next use of each key is recorded then.
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
