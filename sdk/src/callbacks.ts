// Tells whether a callback is the gateway's, by its signature alone: no call is needed.
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

/** The body of any callback; `'charge_order_id' in callback` and the like tell which one it is. */
export type Callback =
  | OperationCallback
  | UserErrorCallback
  | CardStoredCallback
  | ChargeCallback
  | SubscriptionCallback
  | MandateCallback
  | PingCallback

/** The callback is not the gateway's, came more than 5 minutes late, or was not handed over as it came: answer 400 and believe nothing of it. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError'
}

/** Headers as Node, Express and Fastify have them, or of a Request. */
export type CallbackHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The body of a callback whose signature is right. Throws a CallbackError for any other.
 *
 * @param body exactly as it came: text or bytes, before anything has parsed it
 * @param secrets the signing secret (`whsec_…`); while it is being changed, the old one and the new one
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
    // While a secret is being changed, the variable of the other one is often empty.
    if (typeof secret !== 'string' || secret.trim() === '') continue
    const problem = problemOf(secret, text, signed)
    if (problem === undefined) return objectIn(text)
    refusal = problem
  }
  throw new CallbackError(refusal)
}

/** Why `secret` did not sign it; undefined where it did. */
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

/** What is signed and no object, such as `null`, is nothing that a program could go on with. */
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

/** Bytes that are no UTF-8 were signed by nobody. */
function decoded(body: unknown): string {
  if (!(body instanceof Uint8Array))
    throw new CallbackError(
      'the body must be the text or the bytes as they came, not what a parser made of them: in Express take express.raw()',
    )
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw new CallbackError('the body is not UTF-8')
  }
}

function headersOf(headers: CallbackHeaders): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(' ')]))
}
