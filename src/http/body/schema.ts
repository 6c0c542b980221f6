// A JSON schema as far as it is looked into, the walks along it through its fields and through what was sent, and the names of places there.

/**
 * A way of reading a field. Requests that are repeated under one idempotency key are compared by it: the text by which
 * all ways of writing are the same is made in idempotency/key.ts.
 */
export type ReadAs =
  /** Amounts: `1`, `"1"`, `"1.00"`, `0.99999999`. */
  | 'number'
  /** The same with four decimals. */
  | 'rate'
  /** `0.6`, `"3/5"`. */
  | 'fraction'
  /** Words and ids in any case. */
  | 'word'
  /** One second in any zone. */
  | 'moment'
  | 'phone'
  /** A number and its decimal text. */
  | 'decimal'
  /** Text in which marks that nobody sees do not count. */
  | 'pasted'
  /** Digits in groups. */
  | 'digits'
  /** Texts of which an empty one is none. */
  | 'filled'
  /** What other fields say already. */
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
  /** A number where the schema wants text, or a numeric text where it wants a number. */
  readonly 'x-also-as'?: 'number' | 'numeric text'
  readonly 'x-read-as'?: ReadAs
  readonly 'x-never-refused'?: boolean
  readonly 'x-expected'?: string
  readonly 'x-card-data'?: boolean
  readonly 'x-or-empty-list'?: boolean
  readonly 'x-lowered-to'?: number
}

/** The schema of a field, by its own name alone. */
export function ownProperty({ properties }: Schema, name: string): Schema | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
}

/** The member of an object (text) or the element of a list (number) that a path goes to next. */
type Step = string | number

/** In the path of a field: each element of a list. */
const each = -1

/** A field that a schema knows. */
interface Field {
  /** Of the object that has it. */
  readonly holder: readonly Step[]
  readonly name: string
  readonly schema: Schema
}

/** Every field of `schema` at any depth, an object before what is in it. */
export function* fieldsOf(schema: Schema, holder: readonly Step[] = []): Generator<Field> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield { holder, name, schema: field }
    yield* fieldsOf(field, [...holder, name])
  }
  if (schema.items !== undefined) yield* fieldsOf(schema.items, [...holder, each])
}

/** Does `work` with each object of `value` that lies along the path of a {@link Field}. */
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

/** A path in words, such as `payment.items[0].qt`; of any element `payment.items[].qt`. */
export function pathOf(steps: readonly Step[]): string {
  return steps.reduce((path: string, step) => (step === each ? `${path}[]` : pathTo(path, step)), '')
}

/** The same path for every element of a list. */
export function ofEach(steps: readonly Step[]): Step[] {
  return steps.map((step) => (typeof step === 'number' ? each : step))
}

/** Nothing is found at a place, nor in what lies there. */
export const leave = Symbol('leave')

/** @param steps to the place; they change afterwards. @param parent the schema of the object that has it */
type Look<Found> = (
  schema: Schema | undefined,
  value: unknown,
  steps: readonly Step[],
  parent: Schema | undefined,
) => Found | typeof leave | undefined

/**
 * The first that `look` finds in `value`, outer places before inner ones: undefined sends it on into what lies there.
 * It goes where the schema knows fields or elements, and shows fields that the schema does not know without a schema.
 */
export function findWithin<Found>(schema: Schema, value: unknown, look: Look<Found>): Found | undefined {
  return findFrom(schema, value, look, [], undefined)
}

function findFrom<Found>(
  schema: Schema | undefined,
  value: unknown,
  look: Look<Found>,
  steps: Step[],
  parent: Schema | undefined,
): Found | undefined {
  const found = look(schema, value, steps, parent)
  if (found !== undefined) return found === leave ? undefined : found
  if (schema === undefined || typeof value !== 'object' || value === null) return undefined
  const depth = steps.length
  const below = Array.isArray(value)
    ? schema.items && inElements(schema, schema.items, value, look, steps)
    : schema.properties && inFields(schema, schema.properties, value, look, steps)
  steps.length = depth
  return below
}

function inElements<Found>(
  list: Schema,
  items: Schema,
  value: readonly unknown[],
  look: Look<Found>,
  steps: Step[],
): Found | undefined {
  const depth = steps.length
  for (let index = 0; index < value.length; index++) {
    steps[depth] = index
    const below = findFrom(items, value[index], look, steps, list)
    if (below !== undefined) return below
  }
  return undefined
}

function inFields<Found>(
  holder: Schema,
  properties: NonNullable<Schema['properties']>,
  value: object,
  look: Look<Found>,
  steps: Step[],
): Found | undefined {
  const depth = steps.length
  // Own keys and no others: bodies inherit nothing enumerable.
  for (const key in value) {
    steps[depth] = key
    const field = Object.hasOwn(properties, key) ? properties[key] : undefined
    const below = findFrom(field, (value as Record<string, unknown>)[key], look, steps, holder)
    if (below !== undefined) return below
  }
  return undefined
}

/** Longer than any known path; an unknown key may be as long as a body. */
const pathLengthMax = 120
/** An unknown key may be a card number, which no answer repeats. */
const manyDigits = /\d(?:\D?\d){11,}/g

/** The path of a member (text) or an element (number) of what lies at `path`. */
export function pathTo(path: string, place: string | number): string {
  if (typeof place === 'number') return `${path}[${place}]`
  const shown = place.replace(manyDigits, '…')
  const key = /^[\w-]+$/.test(shown) ? shown : JSON.stringify(shown)
  const longer = path === '' ? key : `${path}.${key}`
  return longer.length > pathLengthMax ? `${longer.slice(0, pathLengthMax)}…` : longer
}

/** The path that a JSON pointer (`/payment/items/0/qt`) leads along through `value`. */
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
