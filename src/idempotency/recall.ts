// Results of used keys: the first answer, or the progress.
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
  /** Its process died before the answer. Read the created object and answer it. */
  | { readonly kind: 'abandoned'; readonly resourceId: string }

export interface KeyMemory {
  readonly fingerprint: (meaning: string) => Uint8Array
  recall(walletId: bigint, key: IdempotencyKey): Promise<Recalled>
  readonly keep: KeepAnswer
}

/** Requests end within half a minute, so an older one without an answer lost its process. */
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
