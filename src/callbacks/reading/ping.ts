// Test callbacks. They are sent like others, but only once.
import { dateOnWire } from '../../http/index.ts'
import { newId } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { Core } from '../../module.ts'
import { statement } from '../../storage/index.ts'
import { digestOf } from '../events-store.ts'
import type { WalletEndpoints } from '../model.ts'
import { attemptDelaysMs } from '../sending/schedule.ts'

export interface PingDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  endpointsOf(walletId: bigint): Promise<WalletEndpoints>
}

const attemptsBefore = attemptDelaysMs.length - 1

const insertPing = statement(`
  with recorded as (
    insert into events (wallet_id, id, kind, subject, event, payload, digest, created_at)
    values ($1, $2, 'ping', $2, 'ping', $3, $4, $5)
  )
  insert into deliveries (wallet_id, event_id, lane, endpoint, state, attempts, due_at)
  values ($1, $2, $6, $6, 'DUE', $7, $5)`)

/** Refusals: illegal_state if the wallet has no address. */
export async function recordPing(
  { database, clock, random, endpointsOf }: PingDeps,
  walletId: bigint,
  endpoint: 'wallet' | 'card',
): Promise<Result<string>> {
  const { callbackUrl, cardCallbackUrl } = await endpointsOf(walletId)
  const address = endpoint === 'wallet' ? callbackUrl : (cardCallbackUrl ?? callbackUrl)
  if (address === null || address === undefined)
    return refuse('illegal_state', 'there is no callback address: set one first')
  const now = clock.now()
  const id = newId(now, random)
  const payload = pingPayload(id, walletId, now)
  await database.run(insertPing, [
    walletId,
    id,
    JSON.stringify(payload),
    digestOf(payload),
    toTimestamp(now),
    endpoint,
    attemptsBefore,
  ])
  return ok(id)
}

export function pingPayload(id: string, walletId: bigint, at: Instant) {
  return { event: 'ping', type: 'PING', ping_id: id, user: Number(walletId), create_date: dateOnWire(at) }
}
