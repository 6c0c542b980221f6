// Authentication of callbacks: Basic and Standard Webhooks (CONTRACT section 4).
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Clock, Instant } from '../../kernel/time.ts'
import { tracing } from '../../kernel/tracing.ts'
import type { CallbackCredentials, ClaimedDelivery } from '../model.ts'

const secretPrefix = 'whsec_'

export function basicAuthorization(user: string, secret: string): string {
  return `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
}

/** During a rotation there are two signatures. `sentAt` is real time, because receivers check it. */
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

/** Keys are cached, because to create one takes six times as long as to sign. */
function keysOf(secrets: readonly string[]): readonly KeyObject[] {
  const known = keysOfSecrets.get(secrets)
  if (known !== undefined) return known
  const keys = secrets.map((secret) => createSecretKey(bytesOf(secret)))
  keysOfSecrets.set(secrets, keys)
  return keys
}

/** A secret of Standard Webhooks is base64 after `whsec_`. Others are used as text. */
function bytesOf(secret: string): Buffer {
  return secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), 'base64')
    : Buffer.from(secret)
}

export interface HeaderDeps {
  readonly machineClock: Clock
  readonly version: string
  credentialsOf(walletId: bigint): Promise<CallbackCredentials>
}

export function headersOf(
  { machineClock, version }: HeaderDeps,
  { eventId, payload }: Pick<ClaimedDelivery, 'eventId' | 'payload'>,
  credentials: CallbackCredentials,
  secret: string,
): Record<string, string> {
  const traceparent = tracing?.traceparent()
  return {
    ...(traceparent !== undefined && { traceparent }),
    authorization: basicAuthorization(credentials.user, secret),
    'content-type': 'application/json',
    'user-agent': `Comporta/${version}`,
    ...signatureHeaders(eventId, machineClock.now(), payload, credentials),
  }
}
