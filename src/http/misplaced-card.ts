// Card numbers where none belongs: refused before they are stored, echoed or told to anybody (CONTRACT section 8).
import { holdsCardNumber } from '../kernel/card-numbers.ts'
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
  if (schema === undefined || schema['x-card-data'] === true) return undefined
  if (typeof value === 'string') return holdsCardNumber(value) ? path : undefined
  if (typeof value === 'number') return holdsCardNumber(String(value)) ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [step, inner, of] of partsOf(schema, value)) {
    const found = misplacedCardNumber(of, inner, pathTo(path, step))
    if (found !== undefined) return found
  }
  return undefined
}

/** What is in an array or object, as far as its schema knows it: step of the path, value, schema. */
function partsOf(schema: Schema, value: object): [string | number, unknown, Schema | undefined][] {
  if (Array.isArray(value)) return value.map((element, index) => [index, element, schema.items])
  const fields = value as Record<string, unknown>
  return Object.entries(schema.properties ?? {})
    .filter(([key]) => Object.hasOwn(fields, key))
    .map(([key, of]) => [key, fields[key], of])
}
