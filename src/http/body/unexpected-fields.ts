// Fields that a schema does not expect: those that can be put right are, before it judges them; card numbers where none belongs are refused before they are stored or echoed (CONTRACT section 8); in the sandbox the header Warning names fields that nobody reads, which would else be missed in silence.
import type { RouteOptions } from 'fastify'
import { isLosslessNumber } from 'lossless-json'
import { RefusalError } from '../../kernel/result.ts'
import { holdsCardNumber } from '../../kernel/values/card-numbers.ts'
import { nearestWord } from '../../kernel/values/nearest.ts'
import { warn, warningsMax } from '../answers.ts'
import type { AppReply, AppRequest } from '../types.ts'
import { pathTo } from './field-path.ts'
import { leavingOutUnfit, otherPlaces } from './fields.ts'

/** Put on the schema of an object that is a card; its reader judges what is in it. */
export const cardDataSchema = { 'x-card-data': true } as const

/** A JSON schema as far as it is looked into here. */
interface Schema {
  readonly 'x-card-data'?: boolean
  readonly 'x-or-empty-list'?: boolean
  readonly 'x-lowered-to'?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/**
 * The path of the first field of `value`, which matches `schema`, that holds a card number. Fields that the
 * schema does not know are read by nobody, and go nowhere.
 */
export function misplacedCardNumber(
  schema: Schema | undefined,
  value: unknown,
  path: string,
): string | undefined {
  return misplacedIn(schema, value)?.reduce((above: string, step) => pathTo(above, step), path)
}

type Step = string | number

/** The steps of the path to it: paths are only written for a field that an answer names. */
function misplacedIn(schema: Schema | undefined, value: unknown): Step[] | undefined {
  if (schema === undefined || schema['x-card-data'] === true) return undefined
  if (typeof value === 'string') return holdsCardNumber(value) ? [] : undefined
  if (typeof value === 'number') return holdsCardNumber(String(value)) ? [] : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const found = misplacedIn(schema.items, element)
      if (found !== undefined) return [index, ...found]
    }
    return undefined
  }
  return misplacedInFields(schema.properties ?? {}, value as Record<string, unknown>)
}

function misplacedInFields(
  properties: Readonly<Record<string, Schema>>,
  fields: Readonly<Record<string, unknown>>,
): Step[] | undefined {
  for (const key of Object.keys(fields)) {
    if (!Object.hasOwn(properties, key)) continue
    const found = misplacedIn(properties[key], fields[key])
    if (found !== undefined) return [key, ...found]
  }
  return undefined
}

/**
 * The path of the first `currency` of `value` that is not EUR, beside amounts whose schema has no such field: whoever
 * sends one means another amount than is read.
 */
export function foreignCurrency(schema: Schema, value: unknown): string | undefined {
  return foreignIn(schema, value, true)?.reduce((above: string, step) => pathTo(above, step), '')
}

function foreignIn(schema: Schema, value: unknown, isTop = false): Step[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  if (!isList && isForeign(schema, value, isTop)) return ['currency']
  const { properties = {}, items } = schema
  for (const [name, member] of Object.entries(value)) {
    const inner = isList ? items : Object.hasOwn(properties, name) ? properties[name] : undefined
    const found = inner && foreignIn(inner, member)
    if (found !== undefined) return [isList ? Number(name) : name, ...found]
  }
  return undefined
}

function isForeign({ properties }: Schema, value: { currency?: unknown }, isTop: boolean): boolean {
  if (properties === undefined || properties.currency !== undefined) return false
  const isEuro = /^(eur)?$/i.test(String(value.currency ?? '').trim())
  return !isEuro && (isTop || hasAmount(properties))
}

function hasAmount(properties: object): boolean {
  return Object.keys(properties).some((name) => name.includes('amount'))
}

/** Says which field holds a card number, and not which one. */
export function cardNumberRefusal(path: string): RefusalError {
  const reason = `${path || 'the body'} must not hold a card number`
  return new RefusalError({ kind: 'invalid_parameter', reason })
}

/** A hook for routes whose body has no schema: refuses a body in which any field holds a card number. */
export function refuseCardNumbers(
  request: AppRequest,
  _reply: AppReply,
  done: (error?: Error) => void,
): void {
  const path = anyCardNumber(request.body, '')
  done(path === undefined ? undefined : cardNumberRefusal(path))
}

/** The path of the first field of a body that holds a card number. Bytes are left to who reads them. */
function anyCardNumber(value: unknown, path: string): string | undefined {
  if (typeof value === 'string' || typeof value === 'number' || isLosslessNumber(value))
    return holdsCardNumber(String(value)) ? path : undefined
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const found = anyCardNumber(inner, pathTo(path, Array.isArray(value) ? Number(key) : key))
    if (found !== undefined) return found
  }
  return undefined
}

/** Longer names are not compared: no field is called so, and strangers choose the length. */
const nameLengthMax = 40

/** Inside these, too, `merchant` may hold the key. */
export const keyHolders = ['payment', 'authorization', 'subscription'] as const

type FindUnread = (value: unknown) => readonly string[]

/**
 * A hook that answers with `Warning: 299 - "payment.itmes is not read: did you mean payment.items?"`. A header, because
 * answers have exactly the fields of the specification (decision 0038).
 */
export function warnOfUnreadFields({ body, querystring }: { body?: Schema; querystring?: Schema }) {
  // The key that `merchant` may hold is read before any schema is.
  const findInBody = body && findUnread(withMerchant(body))
  const findInQuery = querystring && findUnread(querystring)
  return (request: AppRequest, reply: AppReply, done: () => void): void => {
    warn(reply, [...(findInBody?.(request.body) ?? []), ...(findInQuery?.(request.query) ?? [])])
    done()
  }
}

function withMerchant(body: Schema): Schema {
  const inner = keyHolders.flatMap((name) => {
    const holder = body.properties?.[name]
    return holder === undefined
      ? []
      : [[name, { ...holder, properties: { ...holder.properties, merchant: {} } }]]
  })
  return { ...body, properties: { ...body.properties, ...Object.fromEntries(inner), merchant: {} } }
}

/** Tells of each field that `schema` does not know, once however many lines have it. */
function findUnread(schema: Schema): FindUnread {
  const known = pathsOf(schema, '')

  function suggestionFor(name: string, path: string, siblings: readonly string[]): string {
    const near = name.length > nameLengthMax ? undefined : nearestWord(name, siblings)
    const meant =
      near === undefined ? [...known].find((other) => other.endsWith(`.${name}`)) : pathTo(path, near)
    return meant === undefined ? '' : `: did you mean ${meant}?`
  }

  return (value) => {
    if (readsAll(schema, value)) return []
    const found = new Map<string, string>()
    for (const { path, name, siblings } of unknownMembers(schema, value, '')) {
      const here = pathTo(path, name)
      if (known.has(here) || found.has(here)) continue
      found.set(here, `${here} is not read${suggestionFor(name, path, siblings)}`)
      if (found.size >= warningsMax) break
    }
    return [...found.values()]
  }
}

/** Whether `schema` knows every field of `value`: of most bodies, which cost nothing more than this look. */
function readsAll({ properties, items }: Schema, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return items === undefined || value.every((element) => readsAll(items, element))
  if (properties === undefined) return true
  for (const name of Object.keys(value)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (field === undefined || !readsAll(field, (value as Record<string, unknown>)[name])) return false
  }
  return true
}

interface UnknownMember {
  /** Of the object that has it, such as `payment.items[]`. */
  readonly path: string
  readonly name: string
  /** The fields that the schema knows there. */
  readonly siblings: readonly string[]
}

function* unknownMembers(schema: Schema, value: unknown, path: string): Generator<UnknownMember> {
  if (typeof value !== 'object' || value === null) return
  const { properties, items } = schema
  if (Array.isArray(value)) {
    if (items !== undefined) for (const element of value) yield* unknownMembers(items, element, `${path}[]`)
    return
  }
  if (properties === undefined) return
  for (const [name, member] of Object.entries(value)) {
    if (Object.hasOwn(properties, name))
      yield* unknownMembers(properties[name] as Schema, member, pathTo(path, name))
    else yield { path, name, siblings: Object.keys(properties) }
  }
}

/** All that the schema reads, such as `payment.items[].qt`, also under another name. */
function pathsOf(schema: Schema, path: string): Set<string> {
  const paths = new Set(otherPlaces(schema).map((place) => (path === '' ? place : `${path}.${place}`)))
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const here = pathTo(path, name)
    paths.add(here)
    for (const inner of pathsOf(field, here)) paths.add(inner)
  }
  if (schema.items !== undefined) for (const inner of pathsOf(schema.items, `${path}[]`)) paths.add(inner)
  return paths
}

type Hook = (request: AppRequest, reply: AppReply, done: () => void) => void

/** Put on the schema of a body that may be left out: PHP writes an empty one as `[]`. */
export const orEmptyList = { 'x-or-empty-list': true } as const

/** Put on the schema of a parameter: a larger number counts as this one. */
export function loweredTo(most: number): { readonly 'x-lowered-to': number } {
  return { 'x-lowered-to': most }
}

/** The hooks of a route, as far as its schemas need them; to run before validation. */
export function tidyingHooks({ schema = {} }: RouteOptions): Hook[] {
  const { body, querystring } = schema as { readonly body?: Schema; readonly querystring?: Schema }
  return [
    ...(body === undefined ? [] : [fillEmptyBody(body), ...leaveOutUnfit(body)]),
    ...(querystring === undefined ? [] : lowerNumbers(querystring)),
  ]
}

/** An absent body is an empty one, so that a refusal names the field that is missing (CONTRACT section 2). */
function fillEmptyBody(body: Schema): Hook {
  const isEmptyList = (sent: unknown) => Array.isArray(sent) && sent.length === 0
  return (request, _reply, done) => {
    const { body: sent } = request
    if (sent === undefined || sent === null || (body['x-or-empty-list'] === true && isEmptyList(sent)))
      request.body = {}
    done()
  }
}

function leaveOutUnfit(body: Schema): Hook[] {
  const leaveOut = leavingOutUnfit(body)
  if (leaveOut === undefined) return []
  return [
    (request, reply, done) => {
      const leftOut: string[] = []
      leaveOut(request.body, '', leftOut)
      warn(reply, leftOut)
      done()
    },
  ]
}

function lowerNumbers({ properties = {} }: Schema): Hook[] {
  const bounds = Object.entries(properties).flatMap(([name, { 'x-lowered-to': most }]) =>
    most === undefined ? [] : [{ name, most }],
  )
  if (bounds.length === 0) return []
  return [
    (request, reply, done) => {
      const query = request.query as Record<string, unknown>
      for (const { name, most } of bounds) {
        const sent = query[name]
        if (typeof sent !== 'string' || !/^\d{1,30}$/.test(sent) || Number(sent) <= most) continue
        query[name] = String(most)
        warn(reply, [`${name} is ${most}, the most that is answered at once`])
      }
      done()
    },
  ]
}
