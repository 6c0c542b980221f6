// What of a request, an answer or a callback may be shown in the timeline: no key, no token of the merchant, short. Pure.

/** Longer texts are cut, so that a notice to the other processes holds two of them. */
const textLengthMax = 2400
const cipherLettersShown = 20
/** Address, checksum and secret of a key are cut off; what is left tells whose it is. */
const hidden = '••••••••'

/** The headers of a call to the gateway's API. */
export function shownHeaders({
  authScheme,
  apiKey,
  esb,
}: {
  readonly authScheme: string
  readonly apiKey: string
  readonly esb: boolean
}): string[] {
  const visible = apiKey.split('_').slice(0, -1).join('_')
  return [
    `Authorization: ${authScheme} ${visible}_${hidden}`,
    ...(esb ? [`Proxy-Authorization: ESBToken=${hidden}`] : []),
  ]
}

/** A body as compact JSON: encrypted fields by their first letters, long texts cut. */
export function shownBody(body: unknown): string {
  const text = JSON.stringify(body, (name, value: unknown) =>
    name === 'newCardSecure' && typeof value === 'object' && value !== null ? shortened(value) : value,
  )
  return cut(text)
}

function shortened(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, isCipher(value) ? beginningOf(value) : value]),
  )
}

/** The five parts of a compact JWE (RFC 7516). */
function isCipher(value: unknown): value is string {
  return typeof value === 'string' && value.split('.').length === 5
}

function beginningOf(cipher: string): string {
  return `${cipher.slice(0, cipherLettersShown)}… (${cipher.length})`
}

/** Text of somebody else, such as an answer that is no JSON. */
export function cut(text: string): string {
  return text.length <= textLengthMax ? text : `${text.slice(0, textLengthMax)}…`
}
