// Calls to Stripe by its own library, which is loaded when a connection is first used: it takes 60 MB and a third of a second.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import type Stripe from 'stripe'
import type { Connection, DriverTools } from '../../src/connections/index.ts'

const load = createRequire(import.meta.url)

/** The library, loaded on first use. */
export function stripeLibrary(): typeof Stripe {
  return load('stripe') as typeof Stripe
}

/** Less than the gateway waits for a rail (8 s), so that the library says what happened. */
const timeoutMs = 7_500

/**
 * Calls Stripe within `signal`. What Stripe refuses because of how it was asked is logged by its code.
 *
 * @throws StripeError of the library, and what `signal` says
 */
export type CallStripe = <Answer>(
  signal: AbortSignal | undefined,
  ask: (stripe: Stripe) => Promise<Answer>,
) => Promise<Answer>

export function connectStripe(
  { secrets, settings }: Pick<Connection, 'secrets' | 'settings'>,
  { fetch, logger }: Pick<DriverTools, 'fetch' | 'logger'>,
): CallStripe {
  const Library = stripeLibrary()
  const signals = new AsyncLocalStorage<AbortSignal | undefined>()
  const base = new URL(settings.api_base ?? 'https://api.stripe.com')
  const protocol = base.protocol === 'http:' ? 'http' : 'https'
  const stripe = new Library(secrets.secret_key ?? '', {
    host: base.hostname,
    protocol,
    port: base.port === '' ? (protocol === 'https' ? 443 : 80) : base.port,
    timeout: timeoutMs,
    // The gateway asks again by itself, after it has asked what became of the first request.
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Library.createFetchHttpClient((url, init) => {
      const given = [init?.signal, signals.getStore()].filter((one) => one != null)
      return fetch(url, { ...init, signal: AbortSignal.any(given) })
    }),
  })
  return async (signal, ask) => {
    signal?.throwIfAborted()
    try {
      return await signals.run(signal, () => ask(stripe))
    } catch (error) {
      if (isRefused(error) || isDenied(error)) {
        const { type, code, param, requestId } = error
        logger.warn({ type, code, param, requestId }, 'Stripe refused a request')
      }
      throw error
    }
  }
}

/** Stripe has not done what it was asked, and says that it never will be done like this: nothing moved. */
export function isRefused(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof stripeLibrary().errors.StripeInvalidRequestError
}

/**
 * Why Stripe refuses: an amount that it does not take, or anything else, such as card numbers of an account that may not
 * send them: the log says why. To ask again would be refused again.
 */
export interface Refused {
  readonly refused: 'amount_too_small' | 'amount_too_large' | 'not_permitted'
}

export async function unlessRefused<Answer>(asked: Promise<Answer>): Promise<Answer | Refused> {
  try {
    return await asked
  } catch (error) {
    if (!isRefused(error)) throw error
    const { code } = error
    return { refused: code === 'amount_too_small' || code === 'amount_too_large' ? code : 'not_permitted' }
  }
}

/** The issuer, or Stripe on its behalf, declined. */
export function isDeclined(error: unknown): error is Stripe.errors.StripeCardError {
  return error instanceof stripeLibrary().errors.StripeCardError
}

/** Another request was made under the same idempotency key, or is being made: what became of that is to be asked. */
export function isRepeated(error: unknown): boolean {
  const { StripeIdempotencyError, StripeError } = stripeLibrary().errors
  return error instanceof StripeIdempotencyError || (error instanceof StripeError && error.statusCode === 409)
}

function isDenied(error: unknown): error is Stripe.errors.StripeError {
  const { StripeAuthenticationError, StripePermissionError } = stripeLibrary().errors
  return error instanceof StripeAuthenticationError || error instanceof StripePermissionError
}
