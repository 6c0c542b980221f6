// What of a request, an answer or a callback may be shown in the timeline: no key and no token of the merchant, and short.

const textLengthMax = 2400
const cipherLettersShown = 20
const hidden = '••••••••'

/** The headers of a call to the gateway's API; of the key, what says whose it is. */
export function shownHeaders(
  headers: Headers,
  keys: { readonly authScheme: string; readonly apiKey: string },
): string[] {
  const visible = keys.apiKey.split('_').slice(0, -1).join('_')
  const requestId = headers.get('idempotency-key')
  return [
    `Authorization: ${keys.authScheme} ${visible}_${hidden}`,
    ...(headers.has('proxy-authorization') ? [`Proxy-Authorization: ESBToken=${hidden}`] : []),
    ...(requestId === null ? [] : [`Idempotency-Key: ${requestId}`]),
  ]
}

/** Those headers of a callback that prove where it comes from; the password stays hidden. */
export function shownProof(headers: Readonly<Record<string, unknown>>): string[] {
  return [
    ...(headers.authorization === undefined ? [] : [`Authorization: Basic ${hidden}`]),
    ...['webhook-id', 'webhook-timestamp', 'webhook-signature']
      .filter((name) => headers[name] !== undefined)
      .map((name) => `${name}: ${String(headers[name]).slice(0, 120)}`),
  ]
}

/** A body as compact JSON: encrypted fields by their first letters, long texts cut. */
export function shownBody(body: unknown): string {
  const text = JSON.stringify(body, (name, value: unknown) =>
    name === 'newCardSecure' && typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([field, text]) => [field, shortened(text)]))
      : value,
  )
  return cut(text)
}

/** Ciphertext has the five parts of a compact JWE (RFC 7516). */
function shortened(value: unknown): unknown {
  return typeof value === 'string' && value.split('.').length === 5
    ? `${value.slice(0, cipherLettersShown)}… (${value.length})`
    : value
}

export function cut(text: string): string {
  return text.length <= textLengthMax ? text : `${text.slice(0, textLengthMax)}…`
}
