// Results of used keys: the first answer, or that the request is in progress.
import type { Keyring } from '../kernel/sealing.ts'
import { after, type Clock, minute } from '../kernel/time.ts'
import type { Database } from '../storage/index.ts'
import { fingerprinting, type IdempotencyKey } from './key.ts'
import type { FirstAnswer } from './model.ts'
import { createKeepAnswer, findRequest, type KeepAnswer } from './store.ts'

export type Recalled =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'other_meaning' }
  | { readonly kind: 'answered'; readonly resourceId: string; readonly answer: FirstAnswer }
  | { readonly kind: 'in_flight'; readonly resourceId: string }
  /** The process died before it answered. The caller reads the created object and answers with it. */
  | { readonly kind: 'abandoned'; readonly resourceId: string }

export interface KeyMemory {
  readonly fingerprint: (meaning: string) => Uint8Array
  recall(walletId: bigint, key: IdempotencyKey): Promise<Recalled>
  readonly keep: KeepAnswer
}

/** A request ends within half a minute. If an older one has no answer, its process died. */
const abandonedAfterMinutes = 1

export function createKeyMemory({
  database,
  keyring,
  clock,
}: {
  readonly database: Database
  readonly keyring: Keyring
  readonly clock: Clock
}): KeyMemory {
  return {
    fingerprint: fingerprinting(keyring),
    async recall(walletId, { requestId, fingerprint }) {
      const request = await findRequest(database, walletId, requestId)
      if (request === undefined) return { kind: 'unknown' }
      if (!Buffer.from(fingerprint).equals(request.fingerprint)) return { kind: 'other_meaning' }
      const { resourceId, answer, createdAt } = request
      if (answer !== undefined) return { kind: 'answered', resourceId, answer }
      const isAbandoned = clock.now() > after(createdAt, abandonedAfterMinutes * minute)
      return { kind: isAbandoned ? 'abandoned' : 'in_flight', resourceId }
    },
    keep: createKeepAnswer(database),
  }
}
