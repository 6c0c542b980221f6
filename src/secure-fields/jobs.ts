// Cleaning of expired keys and uses.
import { createWorker, type Worker } from '../storage/index.ts'
import type { SecureFieldsDeps } from './deps.ts'
import { destroyKeys, forgetUses } from './store.ts'

const pollMs = 60_000

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
