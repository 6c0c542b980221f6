// The request id of a body, and what the body means: a repeated request is known by both (CONTRACT section 5).
import { isUuid } from '../kernel/ids.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { meaningOf } from './meaning.ts'
import type { AppRequest } from './types.ts'

/** Under what name, and with what meaning, something is asked for. */
export interface RequestKey {
  /** UUID in lower case. */
  readonly requestId: string
  /** Keyed digest over method, path and what the body means. */
  readonly fingerprint: Uint8Array
}

const innerPlaces = ['payment', 'authorization', 'subscription'] as const

/**
 * `request_id` at the top of the body or inside `payment`, `authorization` or `subscription`, else the
 * header `Idempotency-Key`; undefined where none is given.
 *
 * The id itself, the key inside `merchant`, the security code of a card and the ciphertexts of `newCardSecure`,
 * which differ each time the same card is encrypted, do not belong to the meaning; for the rest see
 * {@link meaningOf}. Paths are the same in either case.
 *
 * @param digest of the meaning, under a key: it outlives the request, and there are too few card numbers for
 * one that anybody could compute
 *
 * Refusals: invalid_parameter when it is no UUID.
 */
export function readRequestKey(
  request: AppRequest,
  digest: (meaning: string) => Uint8Array,
): Result<RequestKey | undefined> {
  const given = givenId(request.body, request.headers['idempotency-key'])
  if (given === undefined) return ok(undefined)
  const { place, id } = given
  if (typeof id !== 'string' || !isUuid(id)) return refuse('invalid_parameter', `${place} must be a UUID`)
  const path = request.url.split('?', 1)[0]?.replace(/\/$/, '').toLowerCase()
  const body = meaningOf(request.routeOptions.schema?.body, request.body ?? {})
  const meaning = `${request.method} ${path}\n${body}`
  return ok({ requestId: id.toLowerCase(), fingerprint: digest(meaning) })
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
