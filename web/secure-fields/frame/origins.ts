// Who may talk to the frame. The gateway decides alike when it opens a card (src/secure-fields/origins-rules.ts).

const anyPort = ':*'

/** Whether a page of `origin` may; an allowed origin that ends in `:*` stands for every port. */
export function isAllowed(origin: string, allowed: readonly string[]): boolean {
  const asked = parsed(origin)
  if (asked?.origin !== origin) return false
  return allowed.some((one) =>
    one.endsWith(anyPort)
      ? `${asked.protocol}//${asked.hostname}` === one.slice(0, -anyPort.length)
      : one === origin,
  )
}

/** `URL.parse` is younger than the oldest browsers we serve. */
function parsed(origin: string): URL | undefined {
  try {
    return new URL(origin)
  } catch {
    return undefined
  }
}
