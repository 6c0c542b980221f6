// Reads JSON from strangers: strictly UTF-8, no key twice, no text the database cannot hold, no digit lost.
import { isUtf8 } from 'node:buffer'
import { isLosslessNumber, LosslessNumber, parse as parseLossless, splitNumber } from 'lossless-json'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { pathTo } from './field-path.ts'

/** Levels of objects and arrays (CONTRACT section 2). */
const levelsMax = 20
/** A decimal number of so many digits without an exponent goes through a double and back unchanged. */
const safeNumberLength = 15

/** What one pass over the bytes tells of a text, before it is known to be JSON. */
interface Scan {
  /** Colons between a key and its value: members, counted with their repetitions. */
  members: number
  levels: number
  /** A number that a double may not carry. */
  longNumber: boolean
  /** A `\u` escape: the only way to write NUL or half a surrogate pair. */
  unicodeEscape: boolean
}

/** Bodies in which a number stayed as it was written; schemas of numbers refuse them. */
const withLosslessNumbers = new WeakSet<object>()

/** Whether {@link readJson} kept a number of `value` as a `LosslessNumber`. */
export function hasLosslessNumbers(value: unknown): boolean {
  return typeof value === 'object' && value !== null && withLosslessNumbers.has(value)
}

/**
 * The JSON value that `bytes` hold. Numbers that a double carries with the value they are written with
 * become numbers; others become `LosslessNumber`. `__proto__` is a key like others.
 *
 * Of a body of 361 bytes, `JSON.parse` costs 2 µs, the passes for what it lets through 1 µs more, and
 * lossless-json, which sees as much but equal repetitions, 7 µs. That both read the same is tested.
 *
 * Refusals: invalid_json for what is no JSON in UTF-8, names a key twice or is nested deeper than 20
 * levels; invalid_parameter, naming the field, for texts with NUL or half a surrogate pair.
 */
export function readJson(bytes: Uint8Array): Result<unknown> {
  if (!isUtf8(bytes)) return refuse('invalid_json', 'the body must be JSON in valid UTF-8')
  const scan = scanJson(bytes)
  if (scan.levels > levelsMax) {
    return refuse('invalid_json', `the body must not be nested deeper than ${levelsMax} levels`)
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse('invalid_json', `the body must be JSON${placeOfError(text)}`)
  }
  if (countMembers(value) !== scan.members) {
    return refuse('invalid_json', `the body must not name a key twice: ${repeatedKey(text)}`)
  }
  if (scan.unicodeEscape) {
    const field = unstorableText(value, '')
    if (field !== undefined) {
      return refuse(
        'invalid_parameter',
        `${field} must be text without NUL and without halves of surrogate pairs`,
      )
    }
  }
  return ok(scan.longNumber ? withExactNumbers(value, text) : value)
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

/** One pass: what is counted is right for JSON, and any answer will do for what `JSON.parse` refuses after it. */
function scanJson(bytes: Uint8Array): Scan {
  const scan: Scan = { members: 0, levels: 0, longNumber: false, unicodeEscape: false }
  let level = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number
    if (byte === quote) {
      index = endOfString(bytes, index + 1, scan)
    } else if (byte === colon) {
      scan.members++
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++level > scan.levels) scan.levels = level
    } else if (byte === 0x7d || byte === 0x5d) {
      level--
    } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      index = endOfNumber(bytes, index, scan)
    }
  }
  return scan
}

/** Index of the closing quote. */
function endOfString(bytes: Uint8Array, start: number, scan: Scan): number {
  let index = start
  for (; index < bytes.length && bytes[index] !== quote; index++) {
    if (bytes[index] !== backslash) continue
    index++
    if (bytes[index] === 0x75) scan.unicodeEscape = true
  }
  return index
}

/** Index of the last byte of the number. */
function endOfNumber(bytes: Uint8Array, start: number, scan: Scan): number {
  let index = start + 1
  for (; index < bytes.length; index++) {
    const byte = bytes[index] as number
    if (byte >= 0x30 && byte <= 0x39) continue
    if (byte === 0x65 || byte === 0x45) scan.longNumber = true
    else if (byte !== 0x2e && byte !== 0x2b && byte !== 0x2d) break
  }
  if (index - start > safeNumberLength) scan.longNumber = true
  return index - 1
}

/** Where `text` stops being JSON. Nothing of the text itself is told: it may hold a card number. */
function placeOfError(text: string): string {
  if (text.trim() === '') return ', not whitespace'
  try {
    parseLossless(text)
    return ''
  } catch (error) {
    const position = /at position (\d+)/.exec((error as SyntaxError).message)?.[1]
    return position === undefined ? '' : `: it is not from character ${Number(position) + 1} on`
  }
}

/** Members of all objects in `value`. A key named twice is one member here and two in the text. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const element of value) {
      if (typeof element === 'object') members += countMembers(element)
    }
    return members
  }
  // Own keys and no others: what JSON.parse makes inherits nothing enumerable.
  for (const key in value) {
    members++
    const member = (value as Record<string, unknown>)[key]
    if (typeof member === 'object') members += countMembers(member)
  }
  return members
}

/** A text, with the colon when it is a key; or a token that opens, closes or separates. */
const tokenPattern = /("(?:[^"\\]|\\.)*")(?:\s*(:))?|[{}[\],]/gs

interface OpenValue {
  readonly path: string
  readonly keys: Set<string>
  /** The member, or the element, that is being read. */
  place: string | number
}

/** The path of the first key that `text`, known to be JSON, names twice in one object. */
function repeatedKey(text: string): string | undefined {
  const open: OpenValue[] = []
  for (const [token, quoted = '', isKey] of text.matchAll(tokenPattern)) {
    const inner = open.at(-1)
    if (token === '{' || token === '[') {
      open.push({
        path: inner === undefined ? '' : pathTo(inner.path, inner.place),
        keys: new Set(),
        place: 0,
      })
    } else if (token === '}' || token === ']') {
      open.pop()
    } else if (token === ',') {
      if (typeof inner?.place === 'number') inner.place++
    } else if (inner !== undefined && isKey !== undefined && !takeKey(inner, JSON.parse(quoted))) {
      return pathTo(inner.path, inner.place)
    }
  }
  return undefined
}

/** Goes to the member `key`; false when the object has it already. */
function takeKey(inner: OpenValue, key: string): boolean {
  inner.place = key
  if (inner.keys.has(key)) return false
  inner.keys.add(key)
  return true
}

/** The path of the first text or key that PostgreSQL cannot hold, or undefined. */
function unstorableText(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path || 'the body'
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const found = unstorableText(element, pathTo(path, index))
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const [key, member] of Object.entries(value)) {
    if (!isStorable(key)) return `a key of ${path || 'the body'}`
    const found = unstorableText(member, pathTo(path, key))
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether PostgreSQL can hold `text`: neither NUL nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** `value` again, from its text, with the numbers that a double would change kept as they are written. */
function withExactNumbers(value: unknown, text: string): unknown {
  let kept = false
  const exact = parseLossless(text, undefined, (literal) => {
    const number = Number(literal)
    if (Number.isFinite(number) && sameNumber(literal, String(number))) return number
    kept = true
    return new LosslessNumber(literal)
  })
  if (!kept) return value
  if (typeof exact === 'object' && exact !== null) withLosslessNumbers.add(exact)
  return exact
}

function sameNumber(a: string, b: string): boolean {
  const left = splitNumber(a)
  const right = splitNumber(b)
  return left.digits === right.digits && left.exponent === right.exponent && left.sign === right.sign
}

/**
 * One text for all ways of writing the same JSON: keys sorted, no whitespace, numbers by their exact
 * decimal value (10, 10.0 and 1e1 are one number).
 *
 * @param leaveOut whether a member does not count, by its key and the key under which its object lies
 */
export function canonicalJson(
  value: unknown,
  leaveOut?: (key: string, parent: string | undefined) => boolean,
  parent?: string,
): string {
  if (typeof value === 'number' || isLosslessNumber(value)) return canonicalNumber(String(value))
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value))
    return `[${value.map((element) => canonicalJson(element, leaveOut, parent)).join(',')}]`
  const members = value as Record<string, unknown>
  let text = ''
  for (const key of Object.keys(members).sort()) {
    if (leaveOut?.(key, parent) === true) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(members[key], leaveOut, key)}`
  }
  return `{${text}}`
}

function canonicalNumber(literal: string): string {
  const { sign, digits, exponent } = splitNumber(literal)
  return digits === '0' ? '0' : `${sign}${digits}e${exponent}`
}
