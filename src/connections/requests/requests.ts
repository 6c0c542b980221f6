// The request log that a driver gets: crash-safe, for its own connection.
import type { Clock } from '../../kernel/time.ts'
import type { Database } from '../../storage/index.ts'
import type { RailRequest, RailRequests } from '../driver.ts'
import type { RequestRow } from '../model.ts'
import { beginStep, findRequest, findRequestByProviderId, recordStep } from './requests-store.ts'

export function requestsOf(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  connectionId: bigint,
): RailRequests {
  const unknown = (key: string) => new Error(`no request ${key} goes over connection ${connectionId}`)
  return {
    async begin(key, step) {
      const begun = await beginStep(database, connectionId, { key, step }, clock.now())
      if (begun === undefined) throw unknown(key)
      const before = begun.before === null ? 'new' : begun.before === 'begun' ? 'unknown' : 'recorded'
      return { before, request: requestOf(begun.row) }
    },
    async record(key, step, answer) {
      const isKnown = await recordStep(database, connectionId, { key, step }, answer, clock.now())
      if (!isKnown) throw unknown(key)
    },
    async find(key) {
      const row = await findRequest(database, key)
      return row?.connectionId === connectionId ? requestOf(row) : undefined
    },
    async findByProviderId(providerId) {
      const row = await findRequestByProviderId(database, connectionId, providerId)
      return row && requestOf(row)
    },
  }
}

function requestOf({
  key,
  walletId,
  rail,
  steps,
  providerId,
  ids,
  signature,
  status,
  answer,
}: RequestRow): RailRequest {
  return { key, walletId, rail, steps, providerId, ids, signature, status, answer }
}
