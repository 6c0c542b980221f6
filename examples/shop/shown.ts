// Texts of the timeline. They contain no keys, tokens or encrypted cards.

const textLengthMax = 2400
const hidden = '••••••••'

/** Shows only the public part of the API key. */
export function shownHeaders(
  headers: Headers,
  keys: { readonly auth_scheme: string; readonly api_key: string },
): string[] {
  const visible = keys.api_key.split('_').slice(0, -1).join('_')
  const requestId = headers.get('idempotency-key')
  return [
    `Authorization: ${keys.auth_scheme} ${visible}_${hidden}`,
    ...(headers.has('proxy-authorization') ? [`Proxy-Authorization: ESBToken=${hidden}`] : []),
    ...(requestId === null ? [] : [`Idempotency-Key: ${requestId}`]),
  ]
}

export function shownProof(headers: Readonly<Record<string, unknown>>): string[] {
  const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter(
    (name) => headers[name] !== undefined,
  )
  return [
    ...(headers.authorization === undefined ? [] : [`Authorization: Basic ${hidden}`]),
    ...signed.map((name) => `${name}: ${String(headers[name]).slice(0, 120)}`),
  ]
}

/** Compact JSON. A value in the form of a JWE (five parts, RFC 7516) is cut after its first letters. */
export function shownBody(body: unknown): string {
  const shorten = (_: string, value: unknown) =>
    typeof value === 'string' && /^[\w-]*(\.[\w-]*){4}$/.test(value)
      ? `${value.slice(0, 20)}… (${value.length})`
      : value
  return cut(JSON.stringify(body, shorten))
}

export function cut(text: string): string {
  return text.length <= textLengthMax ? text : `${text.slice(0, textLengthMax)}…`
}
