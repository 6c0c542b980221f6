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
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const found = misplacedCardNumber(schema.items, element, pathTo(path, index))
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, key)) continue
    const found = misplacedCardNumber(inner, (value as Record<string, unknown>)[key], pathTo(path, key))
    if (found !== undefined) return found
  }
  return undefined
}
