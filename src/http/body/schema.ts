// JSON schemas: their type, walks over fields and values, and paths for messages.

/** How to read a field. So idempotency/key.ts gives one fingerprint to all spellings of a value, such as `1` and `"1.00"`. */
export type ReadAs =
  /** An amount such as `1`, `"1"`, `"1.00"` or `0.99999999`. */
  | 'number'
  | 'rate'
  /** A fraction such as `0.6` or `"3/5"`. */
  | 'fraction'
  | 'word'
  | 'moment'
  | 'phone'
  | 'decimal'
  | 'pasted'
  | 'digits'
  | 'filled'
  | 'implied'

export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly minLength?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly 'x-aliases'?: readonly string[]
  readonly 'x-also-as'?: 'number' | 'numeric text'
  readonly 'x-read-as'?: ReadAs
  readonly 'x-never-refused'?: boolean
  readonly 'x-expected'?: string
  readonly 'x-card-data'?: boolean
  readonly 'x-or-empty-list'?: boolean
  readonly 'x-lowered-to'?: number
}

export function ownProperty({ properties }: Schema, name: string): Schema | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
}

type Step = string | number

const each = -1

interface Field {
  readonly holder: readonly Step[]
  readonly name: string
  readonly schema: Schema
}

export function* fieldsOf(schema: Schema, holder: readonly Step[] = []): Generator<Field> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield { holder, name, schema: field }
    yield* fieldsOf(field, [...holder, name])
  }
  if (schema.items !== undefined) yield* fieldsOf(schema.items, [...holder, each])
}

export function withHolders(
  value: unknown,
  [step, ...rest]: readonly Step[],
  work: (fields: Record<string, unknown>) => void,
): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    if (step === each) for (const element of value) withHolders(element, rest, work)
  } else if (step === undefined) work(value as Record<string, unknown>)
  else if (Object.hasOwn(value, step)) withHolders((value as Record<string, unknown>)[step], rest, work)
}

export function pathOf(steps: readonly Step[]): string {
  return steps.reduce((path: string, step) => (step === each ? `${path}[]` : pathTo(path, step)), '')
}

export function ofEach(steps: readonly Step[]): Step[] {
  return steps.map((step) => (typeof step === 'number' ? each : step))
}

export const leave = Symbol('leave')

type Visitor<Found> = (
  schema: Schema | undefined,
  value: unknown,
  steps: readonly Step[],
  parent: Schema | undefined,
) => Found | typeof leave | undefined

/** Returns the first result of `visit`. It visits an object before its fields. An unknown field has no schema. */
export function findWithin<Found>(schema: Schema, value: unknown, visit: Visitor<Found>): Found | undefined {
  return findFrom(schema, value, visit, [], undefined)
}

function findFrom<Found>(
  schema: Schema | undefined,
  value: unknown,
  visit: Visitor<Found>,
  steps: Step[],
  parent: Schema | undefined,
): Found | undefined {
  const found = visit(schema, value, steps, parent)
  if (found !== undefined) return found === leave ? undefined : found
  if (schema === undefined || typeof value !== 'object' || value === null) return undefined
  const depth = steps.length
  const below = Array.isArray(value)
    ? schema.items && inElements(schema, schema.items, value, visit, steps)
    : schema.properties && inFields(schema, schema.properties, value, visit, steps)
  steps.length = depth
  return below
}

function inElements<Found>(
  list: Schema,
  items: Schema,
  value: readonly unknown[],
  visit: Visitor<Found>,
  steps: Step[],
): Found | undefined {
  const depth = steps.length
  for (let index = 0; index < value.length; index++) {
    steps[depth] = index
    const below = findFrom(items, value[index], visit, steps, list)
    if (below !== undefined) return below
  }
  return undefined
}

function inFields<Found>(
  holder: Schema,
  properties: NonNullable<Schema['properties']>,
  value: object,
  visit: Visitor<Found>,
  steps: Step[],
): Found | undefined {
  const depth = steps.length
  // This sees only own keys, because bodies inherit nothing enumerable.
  for (const key in value) {
    steps[depth] = key
    const field = Object.hasOwn(properties, key) ? properties[key] : undefined
    const below = findFrom(field, (value as Record<string, unknown>)[key], visit, steps, holder)
    if (below !== undefined) return below
  }
  return undefined
}

/** Known paths are shorter, but an unknown key may be as long as a body. */
const pathLengthMax = 120
/** An unknown key may be a card number, and no answer may repeat one. */
const manyDigits = /\d(?:\D?\d){11,}/g

export function pathTo(path: string, place: string | number): string {
  if (typeof place === 'number') return `${path}[${place}]`
  const shown = place.replace(manyDigits, '…')
  const key = /^[\w-]+$/.test(shown) ? shown : JSON.stringify(shown)
  const longer = path === '' ? key : `${path}.${key}`
  return longer.length > pathLengthMax ? `${longer.slice(0, pathLengthMax)}…` : longer
}

export function pathOfPointer(pointer: string, value: unknown): string {
  let path = ''
  let here = value
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    path = pathTo(path, Array.isArray(here) ? Number(key) : key)
    here = (here as Record<string, unknown> | undefined)?.[key]
  }
  return path
}
