// Which pages may show a merchant's card fields. Pure.
import type { FieldsMerchant } from './deps.ts'

/** Pages of somebody who tries the sandbox on this machine; any port. */
const loopbackOrigins = [
  'http://localhost:*',
  'https://localhost:*',
  'http://127.0.0.1:*',
  'https://127.0.0.1:*',
]

/**
 * Origins that may embed the fields of `merchant`, for `frame-ancestors` and for the frame's own check. One
 * that ends in `:*` stands for every port. None in production where the merchant registered none.
 *
 * @param sandbox also lets our own pages in (the demo shop), and pages on this machine where none is registered
 */
export function allowedOrigins(
  merchant: Pick<FieldsMerchant, 'secureFieldOrigins'>,
  { sandbox, baseUrl }: { readonly sandbox: boolean; readonly baseUrl: string },
): readonly string[] {
  const { secureFieldOrigins: registered } = merchant
  if (!sandbox) return registered
  return [...(registered.length > 0 ? registered : loopbackOrigins), new URL(baseUrl).origin]
}

const anyPort = ':*'

/** Whether a page of `origin` may: `allowed` as {@link allowedOrigins} gives them. */
export function isAllowed(origin: string, allowed: readonly string[]): boolean {
  const asked = URL.parse(origin)
  if (asked === null || asked.origin !== origin) return false
  return allowed.some((one) =>
    one.endsWith(anyPort)
      ? `${asked.protocol}//${asked.hostname}` === one.slice(0, -anyPort.length)
      : one === origin,
  )
}
