// How a callback proves where it comes from: Basic credentials and Standard Webhooks headers (CONTRACT section 4).
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Instant } from '../../kernel/time.ts'
import type { CallbackCredentials } from '../model.ts'

const secretPrefix = 'whsec_'

/**
 * `Authorization` of a callback: user and password, as the operator was shown them.
 *
 * @see CONTRACT section 4
 */
export function basicAuthorization(user: string, secret: string): string {
  return `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
}

/**
 * The three Standard Webhooks headers. During a rotation the signatures of both secrets are sent,
 * separated by a space; either proves the body.
 *
 * @param id the event's id, the same on every attempt
 * @param sentAt the machine's time: receivers refuse what is minutes away from theirs
 * @param body exactly as sent
 */
export function signatureHeaders(
  id: string,
  sentAt: Instant,
  body: string,
  { signingSecrets }: Pick<CallbackCredentials, 'signingSecrets'>,
) {
  const timestamp = String(Math.floor(sentAt / 1000))
  const content = `${id}.${timestamp}.${body}`
  const signatures = keysOf(signingSecrets).map((key) => `v1,${sign(key, content)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

function sign(key: KeyObject, content: string): string {
  return createHmac('sha256', key).update(content).digest('base64')
}

const keysOfSecrets = new WeakMap<readonly string[], readonly KeyObject[]>()

/** Created once for each set of secrets: creating a key takes six times as long as signing with it. */
function keysOf(secrets: readonly string[]): readonly KeyObject[] {
  const known = keysOfSecrets.get(secrets)
  if (known !== undefined) return known
  const keys = secrets.map((secret) => createSecretKey(bytesOf(secret)))
  keysOfSecrets.set(secrets, keys)
  return keys
}

/** Standard Webhooks: the key is the decoded base64 after `whsec_`; other secrets are used as text. */
function bytesOf(secret: string): Buffer {
  return secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), 'base64')
    : Buffer.from(secret)
}
