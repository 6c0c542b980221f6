// What happens later: expired keys are destroyed, and uses of cards that are too old anyway forgotten.
import { createWorker, type Worker } from '../storage/index.ts'
import type { SecureFieldsDeps } from './deps.ts'
import { destroyKeys, forgetUses } from './store.ts'

const pollMs = 60_000

/** Clears away what has expired; several processes share it. What was cleared is all there is to work. */
export function createCleaner({ database, clock, onError }: SecureFieldsDeps): Worker {
  return createWorker<number>({
    name: 'secure fields',
    database,
    pollMs,
    concurrency: 1,
    claim: async () => {
      const now = clock.now()
      const cleared = (await destroyKeys(database, now)) + (await forgetUses(database, now))
      return cleared > 0 ? [cleared] : []
    },
    work: async () => {},
    onError,
  })
}
