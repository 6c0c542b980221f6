// Origins that may use the frame.

const anyPort = ':*'

/** Same rule as src/secure-fields/origins-rules.ts. A final `:*` means any port. */
export function isAllowed(origin: string, allowed: readonly string[]): boolean {
  const asked = parsed(origin)
  if (asked?.origin !== origin) return false
  return allowed.some((one) =>
    one.endsWith(anyPort)
      ? `${asked.protocol}//${asked.hostname}` === one.slice(0, -anyPort.length)
      : one === origin,
  )
}

/** Reads an address without `URL.parse`, which some supported browsers lack. */
function parsed(origin: string): URL | undefined {
  try {
    return new URL(origin)
  } catch {
    return undefined
  }
}
