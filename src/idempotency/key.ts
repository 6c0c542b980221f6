// The idempotency key of a request: id and fingerprint.
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

export interface IdempotencyKey {
  readonly requestId: string
  readonly fingerprint: Uint8Array
}

const innerPlaces = ['payment', 'authorization', 'subscription'] as const

/**
 * Reads the id: the body's counts before that in `payment`, `authorization` or `subscription`, and that
 * before the header's. Refusals: invalid_parameter.
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

function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key] ?? undefined
}

/** The hash has a key: without one, a card number in the body could be found by trying all numbers. */
export function fingerprinting(keyring: Keyring): (meaning: string) => Uint8Array {
  const key = createSecretKey(deriveKey(keyring, 'request fingerprints'))
  return (meaning) => createHmac('sha256', key).update(meaning).digest()
}

type Writer = (value: unknown) => string | undefined

const writers = new WeakMap<object, Writer>()

/**
 * Equal requests give equal texts: members in any order, null and defaults left out, `x-read-as` by meaning.
 * Left out are the id, the API key, security codes and ciphertexts. It takes 4 µs for a checkout.
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
  // No digest of a security code may be stored (PCI DSS 3.3.1).
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

/** If a reader does not understand a value, the value stays as it is. */
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

/** Removes floating-point noise, as the readers of amounts and rates do. */
function canonicalDecimal(value: unknown, decimals: 2 | 4): string {
  const literal = literalOf(value) ?? ''
  if (!numberPattern.test(literal)) return canonicalJson(value)
  const units = readDecimal(literal, decimals)
  return canonicalNumber(typeof units === 'bigint' ? `${units}e-${decimals}` : literal)
}

function textOfField(how: ReadAs, value: unknown): string | undefined {
  return texts[how](value)
}
