// Who may talk to the frame. The gateway decides alike when it opens a card (src/cards/secure-fields/origins-rules.ts).

/** Whether a page of `origin` may; an allowed origin that ends in `:*` stands for every port. */
export function isAllowed(origin: string, allowed: readonly string[]): boolean {
  // The default port is not written in an origin: the colon keeps `localhost.example` out.
  return allowed.some((one) =>
    one.endsWith(':*') ? `${origin}:`.startsWith(one.slice(0, -1)) : one === origin,
  )
}
