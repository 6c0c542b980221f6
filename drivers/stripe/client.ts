// Calls to Stripe by its own library, which is loaded at the first use.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'
import type Stripe from 'stripe'
import type { Connection, DriverTools } from '../../src/connections/index.ts'

const load = createRequire(import.meta.url)

/** Loads the library late, because it takes 60 MB and a third of a second. */
export function stripeLibrary(): typeof Stripe {
  return load('stripe') as typeof Stripe
}

/** Shorter than the gateway's limit of 8 s, so that the library can report the reason of the time-out. */
const timeoutMs = 7_500

/**
 * Calls Stripe, and logs the code of a refused request. Calls made through `within` end when the signal aborts.
 * @throws StripeError of the library, or the reason of the signal
 */
export interface CallStripe {
  <Answer>(ask: (stripe: Stripe) => Promise<Answer>): Promise<Answer>
  within(signal: AbortSignal | undefined): CallStripe
}

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
    // The library must not retry, because the gateway asks for the state before it repeats a request.
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Library.createFetchHttpClient((url, init) => {
      const given = [init?.signal, signals.getStore()].filter((one) => one != null)
      return fetch(url, { ...init, signal: AbortSignal.any(given) })
    }),
  })
  const within = (signal: AbortSignal | undefined): CallStripe =>
    Object.assign(
      async <Answer>(ask: (stripe: Stripe) => Promise<Answer>): Promise<Answer> => {
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
      },
      { within },
    )
  return within(undefined)
}

/** Whether Stripe refused the request. In that case no money moved. */
export function isRefused(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof stripeLibrary().errors.StripeInvalidRequestError
}

/** A refused amount, or another refusal that the log explains. Stripe would refuse the same request again. */
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

export function isDeclined(error: unknown): error is Stripe.errors.StripeCardError {
  return error instanceof stripeLibrary().errors.StripeCardError
}

export function isRepeated(error: unknown): boolean {
  const { StripeIdempotencyError, StripeError } = stripeLibrary().errors
  return error instanceof StripeIdempotencyError || (error instanceof StripeError && error.statusCode === 409)
}

function isDenied(error: unknown): error is Stripe.errors.StripeError {
  const { StripeAuthenticationError, StripePermissionError } = stripeLibrary().errors
  return error instanceof StripeAuthenticationError || error instanceof StripePermissionError
}
