// Hides secrets, which it finds by field names, and card numbers, which it finds by digits.
import { isLosslessNumber } from 'lossless-json'
import { isUuid } from '../kernel/random.ts'
import { holdsCardNumber } from '../kernel/values/card-numbers.ts'

const hidden = '[hidden]'
const cardNumber = '[card number]'
/** Card data, API keys, passwords and card tokens, in all spellings. */
const secretName =
  /^new_?card|^refund_?url$|(security|verification|pin|access|one_?time)_?code|token|secret|passw|api_?key|c[vs][vcn]|^(pin|otp|number|pan|vcode|merchant_?key|authorization|proxy[-_]authorization)$/i
const numberLengthMin = 14
const textLengthMax = 8192
const pathLengthMax = 1024

export function redactedJson(value: unknown, json?: string): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = json !== undefined && isHarmless(value) ? json : JSON.stringify(redacted(value))
  return text.length > textLengthMax ? `${text.slice(0, textLengthMax).toWellFormed()}…` : text
}

function isHarmless(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return redacted(value) === value
  if (Array.isArray(value)) return value.every(isHarmless)
  for (const name in value) {
    const member: unknown = value[name as keyof typeof value]
    if (isSecret(name, member) || visible(name) !== name || !isHarmless(member)) return false
  }
  return true
}

function redacted(value: unknown): unknown {
  if (typeof value === 'string') return visible(value)
  if (typeof value === 'number') return visibleNumber(value, String(value))
  if (typeof value !== 'object' || value === null) return value
  if (isLosslessNumber(value)) return visibleNumber(value.value, value.value)
  if (Array.isArray(value)) return value.map(redacted)
  const copy: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    copy[visible(name)] = isSecret(name, member) ? hidden : redacted(member)
  }
  return copy
}

/** Whether a field and all its contents are hidden. The object `authorization` of a checkout is no secret. */
function isSecret(name: string, value: unknown): boolean {
  if (value === null || value === '' || !namesSecret(name)) return false
  return !(name === 'authorization' && typeof value === 'object')
}

/** A cache by name: names repeat, and a lookup takes a tenth of the time. */
const secrecyByName = new Map<string, boolean>()
const namesMax = 2000

function namesSecret(name: string): boolean {
  const known = secrecyByName.get(name)
  if (known !== undefined) return known
  const isSecretName = secretName.test(name)
  if (secrecyByName.size < namesMax) secrecyByName.set(name, isSecretName)
  return isSecretName
}

const secretText = /cmp_(?:test|live)_|whsec_|(?:^|[^0-9A-Za-z])[0-9A-Za-z]{40,64}(?:$|[^0-9A-Za-z])/

/** Hides the whole text if it contains a card number or one of our secrets. */
export function visible(text: string): string {
  if (text.length < numberLengthMin || isUuid(text)) return text
  if (secretText.test(text)) return hidden
  return holdsCardNumber(text) ? cardNumber : text
}

function visibleNumber(value: number | string, text: string): number | string {
  return text.length >= numberLengthMin && holdsCardNumber(text) ? cardNumber : value
}

/** The path with its query, without secrets. A route with a card token shows its pattern only. */
export function redactedPath(route: string, url: string, known: object = {}): string {
  const at = url.indexOf('?')
  const path = route.includes(':token') ? route : visible(at < 0 ? url : url.slice(0, at))
  const query = at < 0 ? '' : redactedQuery(url.slice(at + 1), known)
  return storable(`${path}${query}`.slice(0, pathLengthMax))
}

/** PostgreSQL can store neither NUL nor half of a surrogate pair. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

const codePattern = /^\s*\d(?:[\s-]?\d){2,7}\s*$/

function redactedQuery(query: string, known: { readonly properties?: object }): string {
  const shown = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(query)) {
    const isCode = !Object.hasOwn(known.properties ?? {}, name) && codePattern.test(value)
    shown.append(visible(name), isCode || isSecret(name, value) ? hidden : visible(value))
  }
  return `?${decoded(shown.toString())}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
