// Pages that may embed a merchant's card fields.
import type { FieldsMerchant } from './deps.ts'

/** Pages of this machine, at any port, from which a developer tries the sandbox. */
const loopbackOrigins = [
  'http://localhost:*',
  'https://localhost:*',
  'http://127.0.0.1:*',
  'https://127.0.0.1:*',
]

/** `:*`: every port. `sandbox` adds the gateway's own pages. If no origin is registered, it also adds this machine. */
export function allowedOrigins(
  merchant: Pick<FieldsMerchant, 'secureFieldOrigins'>,
  { sandbox, baseUrl }: { readonly sandbox: boolean; readonly baseUrl: string },
): readonly string[] {
  const { secureFieldOrigins: registered } = merchant
  if (!sandbox) return registered
  return [...(registered.length > 0 ? registered : loopbackOrigins), new URL(baseUrl).origin]
}

const anyPort = ':*'

export function isAllowed(origin: string, allowed: readonly string[]): boolean {
  const asked = URL.parse(origin)
  if (asked === null || asked.origin !== origin) return false
  return allowed.some((one) =>
    one.endsWith(anyPort)
      ? `${asked.protocol}//${asked.hostname}` === one.slice(0, -anyPort.length)
      : one === origin,
  )
}
