// Card numbers where none belongs: refused before they are stored, echoed or told to anybody (CONTRACT section 8).
import { isLosslessNumber } from 'lossless-json'
import { RefusalError } from '../../kernel/result.ts'
import { holdsCardNumber } from '../../kernel/values/card-numbers.ts'
import type { AppReply, AppRequest } from '../types.ts'
import { pathTo } from './field-path.ts'

/** Put on the schema of an object that is a card; its reader judges what is in it. */
export const cardDataSchema = { 'x-card-data': true } as const

/** A JSON schema as far as it is looked into here. */
interface Schema {
  readonly 'x-card-data'?: boolean
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
