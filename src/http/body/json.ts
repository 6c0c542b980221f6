// Strict reading of bodies: JSON with exact numbers, and forms.
import { isAscii, isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { isLosslessNumber, LosslessNumber, parse as parseLossless, splitNumber } from 'lossless-json'
import { ok, type Refusal, RefusalError, type Result, refuse } from '../../kernel/result.ts'
import type { App } from '../types.ts'
import { isStorable, placeOfError, repeatedKey, unstorableText } from './json-faults.ts'

export const bodyBytesMax = 64 * 1024

const utf8Charset = /^"?utf-?8"?$/i
const charsetPattern = /;\s*charset\s*=\s*("[^"]*"|[^;\s]*)/i

export function addBodyParsers(app: App): void {
  app.removeAllContentTypeParsers()

  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const type = request.headers['content-type'] as string
    if (type.length !== 'application/json'.length && !isUtf8Type(type)) return done(asError(wrongCharset))
    finish(done, body.length === 0 ? ok(undefined) : readJson(body))
  })

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) =>
      finish(done, isPage(request) ? readForm(body.toString('utf8')) : readOtherType(request, body)),
  )

  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) =>
    finish(done, readOtherType(request, body)),
  )
}

function finish(done: (error: Error | null, body?: unknown) => void, result: Result<unknown>): void {
  if (result.ok) done(null, result.value)
  else done(asError(result.refusal))
}

/** The default types of client libraries: no type, form or plain text. */
const typesOfJson = /^$|^application\/x-www-form-urlencoded|^text\//i

/**
 * `curl -d ''` names a form, and `fetch` plain text. Only routes with a key read JSON of such types. On
 * others a page of another site could send it, with cookies.
 */
function readOtherType(request: FastifyRequest, body: Buffer): Result<unknown> {
  if (body.length === 0) return ok(undefined)
  const type = request.headers['content-type'] ?? ''
  if (!typesOfJson.test(type) || !isForKeys(request)) return { ok: false, refusal: notJson }
  return isUtf8Type(type) || isAscii(body) ? readJson(body) : { ok: false, refusal: wrongCharset }
}

function isForKeys({ routeOptions, server, url }: FastifyRequest): boolean {
  const { auth, page } = routeOptions.config
  const { people } = server.http.deps
  return auth !== 'none' && page !== true && (people === undefined || !url.startsWith(people.prefix))
}

const wrongCharset: Refusal = {
  kind: 'invalid_content_type',
  reason: 'the header Content-Type must be application/json, and its charset utf-8',
}
const notJson: Refusal = {
  kind: 'invalid_content_type',
  reason: 'the header Content-Type must be application/json',
}

function asError(refusal: Refusal): RefusalError {
  return new RefusalError(refusal)
}

function isUtf8Type(type: string): boolean {
  const charset = charsetPattern.exec(type)?.[1]
  return charset === undefined || utf8Charset.test(charset)
}

function isPage(request: FastifyRequest): boolean {
  return request.routeOptions.config.page === true
}

function readForm(body: string): Result<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(body)) {
    if (name in fields) return refuse('invalid_parameter', 'the form must hold each field once')
    if (!isStorable(name) || !isStorable(value))
      return refuse('invalid_parameter', 'the form must hold no NUL')
    fields[name] = value
  }
  return ok(fields)
}

const levelsMax = 20
const withLosslessNumbers = new WeakSet<object>()

export function hasLosslessNumbers(value: unknown): boolean {
  return typeof value === 'object' && value !== null && withLosslessNumbers.has(value)
}

/**
 * lossless-json alone accepts equal duplicate keys, overflows the stack on deep nesting and takes almost
 * three times as long. Refusals: invalid_json, invalid_parameter.
 */
export function readJson(bytes: Uint8Array): Result<unknown> {
  if (hasMark(bytes)) return readJson(bytes.subarray(3))
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

/** Some editors and .NET programs write a byte order mark. */
function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const element of value) {
      if (typeof element === 'object') members += countMembers(element)
    }
    return members
  }
  // This sees only own keys, because results of JSON.parse inherit nothing enumerable.
  for (const key in value) {
    members++
    const member = (value as Record<string, unknown>)[key]
    if (typeof member === 'object') members += countMembers(member)
  }
  return members
}

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

/** A double keeps a number of at most this many characters unchanged, if it has no exponent. */
const safeNumberLength = 15

interface Scan {
  members: number
  levels: number
  longNumber: boolean
  /** Whether there is a `\u` escape. Only with one can a text contain NUL or half of a surrogate pair. */
  unicodeEscape: boolean
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

/** Counts correctly for valid JSON. `JSON.parse` rejects invalid JSON afterwards. */
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

function endOfString(bytes: Uint8Array, start: number, scan: Scan): number {
  let index = start
  for (; index < bytes.length && bytes[index] !== quote; index++) {
    if (bytes[index] !== backslash) continue
    index++
    if (bytes[index] === 0x75) scan.unicodeEscape = true
  }
  return index
}

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

/** Sorts keys, drops whitespace, keeps numbers exact (10, 10.0, 1e1 are equal). `leaveOut` drops members. */
export function canonicalJson(
  value: unknown,
  leaveOut?: (key: string, parent: string | undefined, value: unknown) => boolean,
  parent?: string,
): string {
  if (typeof value === 'number' || isLosslessNumber(value)) return canonicalNumber(String(value))
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value))
    return `[${value.map((element) => canonicalJson(element, leaveOut, parent)).join(',')}]`
  const members = value as Record<string, unknown>
  let text = ''
  for (const key of Object.keys(members).sort()) {
    if (leaveOut?.(key, parent, members[key]) === true) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(members[key], leaveOut, key)}`
  }
  return `{${text}}`
}

export function canonicalNumber(literal: string): string {
  const { sign, digits, exponent } = splitNumber(literal)
  return digits === '0' ? '0' : `${sign}${digits}e${exponent}`
}
