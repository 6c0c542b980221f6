// Calls the gateway's API with the merchant's keys, notes each call in the visitor's timeline, and verifies callbacks.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Session } from './sessions.ts'
import { cut, shownBody, shownHeaders } from './shown.ts'

const callTimeoutMs = 15_000
/** A callback that is older, or from the future, is somebody's repetition. */
const signatureAgeMaxSeconds = 300

/** What the gateway's operator gave the merchant. It never leaves the server. */
export interface Credentials {
  readonly walletId: string
  /** Names the merchant to the secure form fields; no secret. */
  readonly publicId: string
  /** The word before the API key. */
  readonly authScheme: string
  readonly apiKey: string
  /** For `/prows/v2`. */
  readonly esbToken: string
  /** `whsec_…`, with which callbacks are signed. */
  readonly signingSecret: string
}

// biome-ignore lint/suspicious/noExplicitAny: a merchant reads what it needs from the answer
type Json = any

export interface Answer {
  /** 0 when none came. */
  readonly status: number
  /** Undefined when it was no JSON. */
  readonly body: Json
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/** Calls the API for a visitor. An answer that does not come is an answer too: what became of the call is unknown. */
export async function callGateway(
  gatewayUrl: string,
  keys: Credentials,
  session: Session,
  { method, path, body }: Call,
): Promise<Answer> {
  const esb = path.startsWith('/prows/')
  const started = performance.now()
  const { status, text } = await exchange(gatewayUrl + path, {
    method,
    headers: {
      authorization: `${keys.authScheme} ${keys.apiKey}`,
      ...(esb ? { 'proxy-authorization': `ESBToken=${keys.esbToken}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  session.note({
    kind: 'request',
    method,
    path,
    headers: shownHeaders({ ...keys, esb }),
    body: body === undefined ? undefined : shownBody(body),
    status: status === 0 ? undefined : status,
    answer: cut(text),
    durationMs: Math.round(performance.now() - started),
  })
  return { status, body: readJson(text) }
}

async function exchange(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(callTimeoutMs) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    return { status: 0, text: String(error) }
  }
}

/** Undefined for what is no JSON. */
export function readJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Whether a callback is the gateway's, by its signature as Standard Webhooks define it. While the secret is being
 * changed there are two signatures, and either proves it.
 *
 * @param body exactly as it came
 */
export function isGenuine(
  headers: Readonly<Record<string, unknown>>,
  body: Buffer,
  signingSecret: string,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age <= signatureAgeMaxSeconds)) return false
  const key = Buffer.from(signingSecret.replace(/^whsec_/, ''), 'base64')
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return String(signatures)
    .split(' ')
    .map((signature) => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted))
}
