// How drivers call their providers: at the address that the operator set alone, and not for ever.
import { second } from '../../kernel/time.ts'

/** As long as the gateway waits for a rail. Calls without a signal of their own, such as those of webhooks, end then too. */
const providerCallMsMax = 8 * second

/**
 * `fetch`, except that a redirect is an error, because what is sent holds credentials and is for the provider alone, and
 * that the answer has to be there, its body too, within 8 seconds.
 */
export const providerFetch: typeof globalThis.fetch = (input, init) => {
  const timeout = AbortSignal.timeout(providerCallMsMax)
  const signal = init?.signal == null ? timeout : AbortSignal.any([init.signal, timeout])
  return fetch(input, { ...init, redirect: 'error', signal })
}
