// The idempotency key of a request: its id, and the fingerprint, one for all ways of writing the same request.

import { createHmac, createSecretKey } from 'node:crypto'
import {
  type AppRequest,
  canonicalJson,
  canonicalNumber,
  literalOf,
  parseInstant,
  type ReadAs,
  type Schema,
} from '../http/index.ts'
import { readDecimal } from '../kernel/money.ts'
import { isUuid } from '../kernel/random.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { deriveKey, type Keyring } from '../kernel/sealing.ts'
import { withoutMarks } from '../kernel/values/pasted.ts'
import { parsePhone } from '../kernel/values/phones.ts'
import { parseRational } from '../kernel/values/rational.ts'

/** Under what id, and with what meaning, something is asked for. Ids are a wallet's own. */
export interface IdempotencyKey {
  /** UUID in lower case. */
  readonly requestId: string
  /** Digest, under a key of the gateway, of method, path and what the body means. */
  readonly fingerprint: Uint8Array
}

const innerPlaces = ['payment', 'authorization', 'subscription'] as const

/**
 * The key of a request: `request_id` at the top of the body, else inside `payment`, `authorization` or
 * `subscription`, else the header `Idempotency-Key`; undefined where none is given. Where several are given, the first
 * of these counts and the others are not looked at. Paths are the same in either case, with or without a slash at
 * their end.
 *
 * @param fingerprint see {@link fingerprinting}
 *
 * Refusals: invalid_parameter when it is no UUID.
 */
export function readKey(
  request: AppRequest,
  fingerprint: (meaning: string) => Uint8Array,
): Result<IdempotencyKey | undefined> {
  const given = givenId(request.body, request.headers['idempotency-key'])
  if (given === undefined) return ok(undefined)
  const { place, id } = given
  if (typeof id !== 'string' || !isUuid(id)) return refuse('invalid_parameter', `${place} must be a UUID`)
  const path = request.url.split('?', 1)[0]?.replace(/\/$/, '').toLowerCase()
  const body = canonicalBody(request.routeOptions.schema?.body, request.body ?? {})
  return ok({
    requestId: id.toLowerCase(),
    fingerprint: fingerprint(`${request.method} ${path}\n${body}`),
  })
}

/** The id under which a request makes something, for whoever writes down who asked; undefined where it has none. */
export function requestIdOf(request: AppRequest): string | undefined {
  const { id } = givenId(request.body, request.headers['idempotency-key']) ?? {}
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : undefined
}

function givenId(body: unknown, header: unknown): { place: string; id: unknown } | undefined {
  const top = member(body, 'request_id')
  if (top !== undefined) return { place: 'request_id', id: top }
  for (const inner of innerPlaces) {
    const id = member(member(body, inner), 'request_id')
    if (id !== undefined) return { place: `${inner}.request_id`, id }
  }
  return header === undefined ? undefined : { place: 'the header Idempotency-Key', id: header }
}

/** An own member of an object; null counts as absent. */
function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key] ?? undefined
}

/**
 * Makes the fingerprint of what a request means. It outlives the request, so it is a digest under a key of the gateway:
 * a plain hash of a body with a card number would be undone by trying them all.
 */
export function fingerprinting(keyring: Keyring): (meaning: string) => Uint8Array {
  const key = createSecretKey(deriveKey(keyring, 'request fingerprints'))
  return (meaning) => createHmac('sha256', key).update(meaning).digest()
}

/** Writes one value; undefined for what counts as absent. */
type Writer = (value: unknown) => string | undefined

const writers = new WeakMap<object, Writer>()

/**
 * `body` in canonical form. Keys may come in any order; null, what the schema does not know and what it gives as
 * the default are absent; fields with `x-read-as` are one however they are written, others by their exact value.
 * The id itself, the key inside `merchant`, the security code of a card and the ciphertexts of `newCardSecure`,
 * which differ each time the same card is encrypted, do not belong to it.
 *
 * Written by functions made once per schema, a checkout's body takes 4 µs, as much as sorting its keys did.
 *
 * @param schema of the route; without one everything that was sent counts
 */
function canonicalBody(schema: unknown, body: unknown): string {
  if (typeof schema !== 'object' || schema === null) return canonicalJson(body, isIgnored)
  let write = writers.get(schema)
  if (write === undefined) {
    write = writerOf(schema)
    writers.set(schema, write)
  }
  return write(body) ?? ''
}

const ignoredKeys: ReadonlySet<string> = new Set(['request_id', 'apikey'])
const ciphertexts: ReadonlySet<string> = new Set(['number', 'name', 'vcode', 'valdate'])

function isIgnored(key: string, parent: string | undefined, value?: unknown): boolean {
  if (value === null) return true
  if (parent === 'newCardSecure') return ciphertexts.has(key)
  // Nothing of a security code may be kept, not even a digest (PCI DSS 3.3.1).
  if (parent === 'newCard') return key === 'vcode'
  return ignoredKeys.has(key)
}

function writerOf(schema: Schema, name?: string): Writer {
  const { 'x-read-as': how, default: usual } = branchOf(schema)
  const write = how === undefined ? structureOf(schema, name) : (value: unknown) => textOfField(how, value)
  const absent = usual === undefined ? undefined : write(usual)
  return (value) => {
    if (value === null || value === undefined) return undefined
    const text = write(value)
    return text === absent ? undefined : text
  }
}

/** Of a union the first branch that says how it is read, such as an amount that may be null. */
function branchOf(schema: Schema): Schema {
  return schema.anyOf?.find((branch) => branch['x-read-as'] !== undefined) ?? schema
}

function structureOf({ properties, items }: Schema, name: string | undefined): Writer {
  const writeObject = properties && objectWriter(properties, name)
  const writeItem = items && writerOf(items)
  return (value) => {
    if (typeof value !== 'object' || value === null) return canonicalJson(value)
    if (Array.isArray(value)) {
      return writeItem === undefined
        ? canonicalJson(value)
        : `[${value.map((item) => writeItem(item) ?? 'null').join(',')}]`
    }
    return writeObject === undefined ? canonicalJson(value) : writeObject(value as Record<string, unknown>)
  }
}

function objectWriter(
  properties: Readonly<Record<string, Schema>>,
  name: string | undefined,
): (fields: Record<string, unknown>) => string {
  const members = Object.entries(properties)
    .filter(([key]) => !isIgnored(key, name))
    .map(([key, schema]) => ({ key, begin: `${JSON.stringify(key)}:`, write: writerOf(schema, key) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  return (fields) => {
    const texts: string[] = []
    for (const { key, begin, write } of members) {
      const text = Object.hasOwn(fields, key) ? write(fields[key]) : undefined
      if (text !== undefined) texts.push(begin + text)
    }
    return `{${texts.join(',')}}`
  }
}

const numberPattern = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/

/** What a reader does not understand is left as it stands. */
const texts: Readonly<Record<ReadAs, (value: unknown) => string | undefined>> = {
  number: (value) => canonicalDecimal(value, 2),
  rate: (value) => canonicalDecimal(value, 4),
  fraction: (value) => parseRational(String(value).trim())?.toFraction() ?? canonicalJson(value),
  word: (value) => canonicalJson(typeof value === 'string' ? value.toUpperCase() : value),
  moment(value) {
    const moment = parseInstant(value, '')
    return canonicalJson(moment.ok ? moment.value : value)
  },
  phone(value) {
    const phone = parsePhone(value, '')
    return canonicalJson(phone.ok ? phone.value : value)
  },
  decimal: (value) => canonicalJson(typeof value === 'number' ? String(value) : value),
  pasted: (value) => canonicalJson(typeof value === 'string' ? withoutMarks(value) : value),
  digits: (value) => canonicalJson(withoutMarks(String(value)).replace(/[\s-]/g, '')),
  filled: (value) => (value === '' ? undefined : canonicalJson(value)),
  implied: () => undefined,
}

/** Without the noise of floating point, as the readers of amounts and rates take it. */
function canonicalDecimal(value: unknown, decimals: 2 | 4): string {
  const literal = literalOf(value) ?? ''
  if (!numberPattern.test(literal)) return canonicalJson(value)
  const units = readDecimal(literal, decimals)
  return canonicalNumber(typeof units === 'bigint' ? `${units}e-${decimals}` : literal)
}

/** The one text of what was written in a field with `readAs(how)`; undefined: as if the field were not there. */
function textOfField(how: ReadAs, value: unknown): string | undefined {
  return texts[how](value)
}
