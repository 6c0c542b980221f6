// Unexpected fields: card numbers in wrong places, foreign currencies, ignored fields.
import type { RouteOptions } from 'fastify'
import { isLosslessNumber } from 'lossless-json'
import { RefusalError } from '../../kernel/result.ts'
import { holdsCardNumber } from '../../kernel/values/card-numbers.ts'
import { nearestWord } from '../../kernel/values/nearest.ts'
import { warn, warningsMax } from '../answers.ts'
import type { AppReply, AppRequest } from '../types.ts'
import { dropUnfit } from './fields.ts'
import { fieldsOf, findWithin, leave, ofEach, pathOf, pathTo, type Schema } from './schema.ts'

export const cardDataSchema = { 'x-card-data': true } as const

/** The path of the first known field that contains a card number and must not. Skips unknown fields. */
export function misplacedCardNumber(schema: Schema, value: unknown): string | undefined {
  return findWithin(schema, value, (here, part, steps) => {
    if (here === undefined || here['x-card-data'] === true) return leave
    if (typeof part !== 'string' && typeof part !== 'number') return undefined
    return holdsCardNumber(String(part)) ? pathOf(steps) : leave
  })
}

/** The path of the first `currency` that is not EUR, next to an amount without a currency field. */
export function foreignCurrency(schema: Schema, value: unknown): string | undefined {
  return findWithin(schema, value, (here, part, steps) => {
    if (here === undefined || typeof part !== 'object' || part === null) return leave
    const isCounted = !Array.isArray(part) && isForeign(here, part, part === value)
    return isCounted ? pathOf([...steps, 'currency']) : undefined
  })
}

function isForeign({ properties }: Schema, value: { currency?: unknown }, isTop: boolean): boolean {
  if (properties === undefined || properties.currency !== undefined) return false
  const isEuro = /^(eur)?$/i.test(String(value.currency ?? '').trim())
  return !isEuro && (isTop || hasAmount(properties))
}

function hasAmount(properties: object): boolean {
  return Object.keys(properties).some((name) => name.includes('amount'))
}

export function cardNumberRefusal(path: string): RefusalError {
  const reason = `${path || 'the body'} must not hold a card number`
  return new RefusalError({ kind: 'invalid_parameter', reason })
}

export function refuseCardNumbers(
  request: AppRequest,
  _reply: AppReply,
  done: (error?: Error) => void,
): void {
  const path = anyCardNumber(request.body, '')
  done(path === undefined ? undefined : cardNumberRefusal(path))
}

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

/** A client chooses the length of an unknown name. Known names are shorter. */
const nameLengthMax = 40

export const keyHolders = ['payment', 'authorization', 'subscription'] as const

type FindUnread = (value: unknown) => readonly string[]

/** The warning of ignored fields is a header, because bodies follow the specification exactly. */
export function warnOfUnreadFields({ body, querystring }: { body?: Schema; querystring?: Schema }) {
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

function findUnread(schema: Schema): FindUnread {
  const known = knownPaths(schema)

  function suggestionFor(name: string, path: string, siblings: readonly string[]): string {
    const near = name.length > nameLengthMax ? undefined : nearestWord(name, siblings)
    const meant =
      near === undefined ? [...known].find((other) => other.endsWith(`.${name}`)) : pathTo(path, near)
    return meant === undefined ? '' : `: did you mean ${meant}?`
  }

  return (value) => {
    const found = new Map<string, string>()
    findWithin(schema, value, (field, _part, steps, parent) => {
      if (field !== undefined) return undefined
      const name = String(steps.at(-1))
      const path = pathOf(ofEach(steps.slice(0, -1)))
      const here = pathTo(path, name)
      if (known.has(here) || found.has(here)) return leave
      const siblings = Object.keys(parent?.properties ?? {})
      found.set(here, `${here} is not read${suggestionFor(name, path, siblings)}`)
      return found.size >= warningsMax ? true : leave
    })
    return [...found.values()]
  }
}

function knownPaths(schema: Schema): Set<string> {
  const paths = new Set<string>()
  for (const { holder, name, schema: field } of fieldsOf(schema)) {
    const path = pathOf(holder)
    paths.add(pathTo(path, name))
    for (const place of field['x-aliases'] ?? []) paths.add(path === '' ? place : `${path}.${place}`)
  }
  return paths
}

type Hook = (request: AppRequest, reply: AppReply, done: () => void) => void

/** Schema keyword of an optional body: `[]` is accepted too, because PHP writes an empty one so. */
export const orEmptyList = { 'x-or-empty-list': true } as const

/** Schema keyword of a parameter: a larger number is read as `most`. */
export function clampedTo(most: number): { readonly 'x-lowered-to': number } {
  return { 'x-lowered-to': most }
}

export function preparationHooks({ schema = {} }: RouteOptions): Hook[] {
  const { body, querystring } = schema as { readonly body?: Schema; readonly querystring?: Schema }
  return [
    ...(body === undefined ? [] : [fillEmptyBody(body), ...leaveOutUnfit(body)]),
    ...(querystring === undefined ? [] : lowerNumbers(querystring)),
  ]
}

/** Reads an absent body as `{}`, so that the refusal names the missing field (CONTRACT section 2). */
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
  const leaveOut = dropUnfit(body)
  if (leaveOut === undefined) return []
  return [
    (request, reply, done) => {
      const leftOut: string[] = []
      leaveOut(request.body, leftOut)
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
        warn(reply, [`${name} is lowered to ${most}, the maximum`])
      }
      done()
    },
  ]
}
