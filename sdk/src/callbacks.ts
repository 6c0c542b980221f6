// Verification of callbacks by their signature.
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { readJson } from './core/json.ts'
import type {
  CardStoredCallback,
  ChargeCallback,
  MandateCallback,
  OperationCallback,
  PingCallback,
  SubscriptionCallback,
  UserErrorCallback,
} from './generated/schema.d.ts'

/** Body of any callback. Look for a field to know its kind, as in `'charge_order_id' in callback`. */
export type Callback =
  | OperationCallback
  | UserErrorCallback
  | CardStoredCallback
  | ChargeCallback
  | SubscriptionCallback
  | MandateCallback
  | PingCallback

/** The callback is not from the gateway, is more than 5 minutes old, or was changed. Answer 400 and ignore it. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError'
}

/** Headers of Node, Express or Fastify, or of a Request. */
export type CallbackHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Returns the body of a genuine callback. Throws a CallbackError for any other.
 *
 * @param body unparsed text or bytes
 * @param secrets signing secret (`whsec_…`), or two during a change
 */
export function verifyCallback(
  body: string | Uint8Array,
  headers: CallbackHeaders,
  secrets: string | readonly string[],
): Callback {
  const text = typeof body === 'string' ? body : decoded(body)
  const signed = headersOf(headers)
  let refusal = 'no signing secret was given'
  for (const secret of [secrets].flat()) {
    // Programs often leave the variable of the second secret empty.
    if (typeof secret !== 'string' || secret.trim() === '') continue
    const problem = problemOf(secret, text, signed)
    if (problem === undefined) return objectIn(text)
    refusal = problem
  }
  throw new CallbackError(refusal)
}

function problemOf(secret: string, text: string, signed: Record<string, string>): string | undefined {
  let webhook: Webhook
  try {
    webhook = new Webhook(secret.trim())
  } catch {
    return 'a signing secret is not as the gateway writes them: whsec_ and Base64'
  }
  try {
    webhook.verify(text, signed, { jsonParse: false })
    return undefined
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return error.message
  }
}

/** A signed value that is not an object, such as `null`, is not a callback. */
function objectIn(text: string): Callback {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CallbackError('the body is no JSON object')
  return value as Callback
}

function parsed(text: string): unknown {
  try {
    return readJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The gateway signs only valid UTF-8. */
function decoded(body: unknown): string {
  if (!(body instanceof Uint8Array))
    throw new CallbackError('the body must be unparsed text or bytes; in Express use express.raw()')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw new CallbackError('the body is not UTF-8')
  }
}

function headersOf(headers: CallbackHeaders): Record<string, string> {
  if (typeof headers !== 'object' || headers === null)
    throw new CallbackError('the headers of the callback are missing: pass those of the request')
  // Headers of another library can be iterated, but are not instances of our `Headers`.
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(' ')]))
}
