// Calls to the Easypay API 2.0: JSON over HTTPS.
import type { Connection, DriverTools } from '../../src/connections/index.ts'
import { type Json, jsonOf, textOf } from './rules.ts'

/**
 * `refused`: Easypay did nothing. `absent`: Easypay does not know the object. The call throws if Easypay may have
 * executed it.
 */
export type Reply =
  | { readonly kind: 'taken'; readonly body: Json }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'absent' }

/** The message contains only the HTTP status, because a body can contain personal data. */
export class EasypayUnclear extends Error {
  override readonly name = 'EASYPAY_UNCLEAR'

  constructor(status: number) {
    super(`Easypay answered ${status}`, { cause: status })
  }
}

export type EasypayClient = ReturnType<typeof createClient>

export const live = 'https://api.prod.easypay.pt/2.0'

export function createClient(
  { settings, secrets }: Pick<Connection, 'settings' | 'secrets'>,
  { fetch }: Pick<DriverTools, 'fetch'>,
) {
  const credentials = { accountid: settings.account_id ?? '', apikey: (secrets.api_key ?? '').trim() }
  const json = { accept: 'application/json', 'content-type': 'application/json' }
  async function send(path: string, init: RequestInit, signal?: AbortSignal): Promise<Reply> {
    signal?.throwIfAborted()
    const headers = { ...json, ...credentials, ...init.headers }
    const response = await fetch((settings.api_base ?? live) + path, {
      ...init,
      headers,
      ...(signal && { signal }),
    })
    return replyOf(response.status, await response.text())
  }
  const change = (method: string, body: object, key: string) => ({
    ...{ method, body: JSON.stringify(body), headers: { 'idempotency-key': key } },
  })
  return {
    /** Easypay remembers `key`, our idempotency key, for 24 hours. Its documents allow 50 characters. */
    post: (path: string, body: object, key: string, signal?: AbortSignal) =>
      send(path, change('POST', body, key), signal),
    patch: (path: string, body: object, key: string) => send(path, change('PATCH', body, key)),
    get: (path: string, signal?: AbortSignal) => send(path, { method: 'GET' }, signal),
    remove: (path: string, signal?: AbortSignal) => send(path, { method: 'DELETE' }, signal),
  }
}

/** Easypay documents two forms of errors: `{status: "error", message, code}` and `{type, title, detail, status}`. */
function replyOf(status: number, text: string): Reply {
  if (status === 204) return { kind: 'taken', body: {} }
  const body = bodyOf(text)
  if (status >= 200 && status < 300 && body !== undefined && body.status !== 'error')
    return { kind: 'taken', body }
  const code = textOf(body?.code ?? body?.type ?? body?.status)
  // Without Easypay's own error code, a proxy or a wrong address may have answered.
  if (code === undefined || ![400, 404, 405, 410, 422].includes(status)) throw new EasypayUnclear(status)
  return status === 404 ? { kind: 'absent' } : { kind: 'refused', code }
}

/** Parses the text without looking at the content type, which can be wrong. A list becomes an object with `data`. */
function bodyOf(text: string): Json | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return Array.isArray(body) ? { data: body } : jsonOf(body)
  } catch {
    return undefined
  }
}
