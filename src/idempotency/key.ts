// The idempotency key of a request: its id, where that is read from, and the fingerprint of what is asked for.
import type { AppRequest } from '../http/index.ts'
import { isUuid } from '../kernel/ids.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { meaningOf } from './fingerprint.ts'

/** Under what id, and with what meaning, something is asked for. Ids are a wallet's own. */
export interface IdempotencyKey {
  /** UUID in lower case. */
  readonly requestId: string
  /** Digest, under a key of the gateway, of method, path and what the body means. */
  readonly fingerprint: Uint8Array
}

const innerPlaces = ['payment', 'authorization', 'subscription'] as const

/**
 * The key of a request: `request_id` at the top of the body, else inside `payment`, `authorization` or
 * `subscription`, else the header `Idempotency-Key`; undefined where none is given. Where several are given, the first
 * of these counts and the others are not looked at. Paths are the same in either case, with or without a slash at
 * their end.
 *
 * @param fingerprint see {@link fingerprinting}
 *
 * Refusals: invalid_parameter when it is no UUID.
 */
export function readKey(
  request: AppRequest,
  fingerprint: (meaning: string) => Uint8Array,
): Result<IdempotencyKey | undefined> {
  const given = givenId(request.body, request.headers['idempotency-key'])
  if (given === undefined) return ok(undefined)
  const { place, id } = given
  if (typeof id !== 'string' || !isUuid(id)) return refuse('invalid_parameter', `${place} must be a UUID`)
  const path = request.url.split('?', 1)[0]?.replace(/\/$/, '').toLowerCase()
  const body = meaningOf(request.routeOptions.schema?.body, request.body ?? {})
  return ok({
    requestId: id.toLowerCase(),
    fingerprint: fingerprint(`${request.method} ${path}\n${body}`),
  })
}

function givenId(body: unknown, header: unknown): { place: string; id: unknown } | undefined {
  const top = member(body, 'request_id')
  if (top !== undefined) return { place: 'request_id', id: top }
  for (const inner of innerPlaces) {
    const id = member(member(body, inner), 'request_id')
    if (id !== undefined) return { place: `${inner}.request_id`, id }
  }
  return header === undefined ? undefined : { place: 'the header Idempotency-Key', id: header }
}

/** An own member of an object; null counts as absent. */
function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key] ?? undefined
}
