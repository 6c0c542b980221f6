// Fields of bodies: the small ones that many share, what may be put on a field's schema, and how what clients write
// differently from the specification is put into the form of the schema. docs/compatibility.md lists what is accepted.
import { isLosslessNumber, type LosslessNumber } from 'lossless-json'
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { isUuid } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { described, documented } from '../reference/fields.ts'
import { fieldsOf, pathOf, pathTo, type ReadAs, type Schema, withHolders } from './schema.ts'

/**
 * Put on the schema of a field: where its value is looked for when the field is not there, null or empty. Paths
 * begin at the object that has the field, and the first that holds something counts.
 */
export function aliases(...paths: readonly string[]): { readonly 'x-aliases': readonly string[] } {
  return { 'x-aliases': paths }
}

/** Put on the schema of a text: a number is taken as its decimal text, such as `42` as `"42"`. */
export const coerceNumberToString = { 'x-also-as': 'number' } as const

/** Put on the schema of a number: a numeric text is taken as the number, such as `"2.0000"` as `2`. */
export const coerceStringToNumber = { 'x-also-as': 'numeric text' } as const

/**
 * Put on the schema of an optional object that must not hold up a payment: parts that do not fit are left out, with a
 * `Warning`, and so is an object with nothing in it.
 */
export const neverRefused = { 'x-never-refused': true } as const

/** Whether `schema` has a use for `number`, which has more digits than a double carries. */
export function takesLongNumber(schema: Schema, number: LosslessNumber): boolean {
  return (
    schema['x-also-as'] === 'number' ||
    schema['x-read-as'] === 'number' ||
    (schema['x-also-as'] === 'numeric text' && typeof numberOf(number.value) === 'number') ||
    schema.anyOf?.some((branch) => takesLongNumber(branch, number)) === true
  )
}

/**
 * What brings the fields of {@link aliases} to their place in a body. Made once per schema; undefined for a schema
 * without such fields. It runs for every body, because a field that may be left out is not missed by the schema.
 */
export function aliasResolver(schema: Schema): ((value: unknown) => void) | undefined {
  const moved = [...fieldsOf(schema)].flatMap(({ holder, name, schema: { 'x-aliases': places } }) =>
    places === undefined ? [] : [{ holder, name, paths: places.map((place) => place.split('.')) }],
  )
  if (moved.length === 0) return undefined
  return (value) => {
    for (const { holder, name, paths } of moved)
      withHolders(value, holder, (fields) => fill(fields, name, paths))
  }
}

function fill(fields: Record<string, unknown>, name: string, paths: readonly (readonly string[])[]): void {
  if (!isNothing(ownMember(fields, name))) return
  for (const path of paths) {
    const found = path.reduce(ownMember, fields as unknown)
    if (isNothing(found)) continue
    fields[name] = found
    return
  }
}

type LeaveOut = (value: unknown, leftOut: string[]) => void

/**
 * What takes out of a body what does not fit in objects that are {@link neverRefused}, and says so in `leftOut`. Made
 * once per schema; undefined for a schema without such objects.
 */
export function leavingOutUnfit(schema: Schema): LeaveOut | undefined {
  const parts = [...fieldsOf(schema)].flatMap(({ holder, name, schema: field }) =>
    field['x-never-refused'] === true
      ? [{ holder, name, leaveOut: fitting(field, pathOf([...holder, name])) }]
      : [],
  )
  if (parts.length === 0) return undefined
  return (value, leftOut) => {
    for (const { holder, name, leaveOut } of parts)
      withHolders(value, holder, (fields) => {
        if (!Object.hasOwn(fields, name)) return
        leaveOut(fields[name], leftOut)
        if (!hasWords(fields[name])) delete fields[name]
      })
  }
}

/** Of one such object. */
function fitting(schema: Schema, path: string): LeaveOut {
  const parts = Object.entries(schema.properties ?? {})
  return (value, leftOut) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      if (!isNothing(value) && !isEmptyMap(value)) leftOut.push(`${path} is left out: it must be an object`)
      return
    }
    const fields = value as Record<string, unknown>
    for (const [name, part] of parts) {
      if (!Object.hasOwn(fields, name)) continue
      const sent = fields[name]
      fields[name] = coerceBody(part, sent)
      if (sent !== null && Value.Check(part as TSchema, fields[name])) continue
      delete fields[name]
      if (!isNothing(sent))
        leftOut.push(`${pathTo(path, name)} is left out: it must be ${part['x-expected']}`)
    }
  }
}

/** Whether any part of the object says something. */
function hasWords(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).some((part) => !isNothing(part))
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function ownMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/**
 * `value` in the form of `schema`, for a body that does not match it, at any depth. Objects are changed in place:
 *
 * - an optional field that is null is taken out;
 * - so is `""` where the field takes no empty text, except flags and amounts that move money: what an empty one
 *   means is not guessed;
 * - so are `{}` and `[]` where an optional object is expected: PHP writes its empty map as `[]`;
 * - {@link coerceNumberToString} and {@link coerceStringToNumber}.
 *
 * Required fields and fields that the schema does not know stay as they are.
 */
export function coerceBody(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined ? value : value.map((item) => coerceBody(items, item))
  }
  if (isLosslessNumber(value)) return longNumber(schema, value)
  if (typeof value === 'number') {
    const fits = schema.anyOf?.some(({ type }) => type === 'number') === true
    return schema['x-also-as'] === 'number' && !fits ? decimalText(value) : value
  }
  if (typeof value === 'string') return schema['x-also-as'] === 'numeric text' ? numberOf(value) : value
  if (typeof value === 'object' && value !== null) mendFields(schema, value as Record<string, unknown>)
  return value
}

/** A number that a double would change: as text where every digit is read, else as the double that was meant. */
function longNumber(schema: Schema, number: LosslessNumber): unknown {
  if (schema['x-also-as'] === 'number') return decimalText(number)
  if (schema['x-also-as'] === 'numeric text') return numberOf(number.value)
  return takesLongNumber(schema, number) ? number.value : number
}

function mendFields(schema: Schema, fields: Record<string, unknown>): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(fields, name)) continue
    const isOptional = schema.required?.includes(name) !== true
    if (isOptional && isBlank(field, fields[name])) delete fields[name]
    else fields[name] = coerceBody(field, fields[name])
  }
}

function isBlank(field: Schema, value: unknown): boolean {
  if (value === null) return true
  if (value === '') return !takesEmptyText(field)
  return field.type === 'object' && isEmptyMap(value)
}

/** `{}`, and `[]` as PHP writes it. */
function isEmptyMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** Texts without a least length; and flags, amounts and whatever has a reader of its own, which judges an empty text. */
function takesEmptyText({ type, minLength = 0 }: Schema): boolean {
  if (type === undefined) return true
  const types = [type].flat()
  return types.includes('boolean') || (types.includes('string') && minLength === 0)
}

/** Takes empty parameters out of a query: a filter left empty narrows nothing. What an empty flag means is not guessed. */
export function dropEmptyParameters(schema: Schema, query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    const filled = Array.isArray(value) ? value.filter((one) => one !== '') : value
    if (Array.isArray(filled) && filled.length > 0) query[name] = filled
    else if ((filled === '' || Array.isArray(filled)) && schema.properties?.[name]?.type !== 'boolean') {
      delete query[name]
    }
  }
}

/** The digits as they were written, as far as no exponent was needed. */
function decimalText(value: unknown): unknown {
  const text = String(value)
  return /e/i.test(text) ? value : text
}

/** More digits than these a double does not carry. */
const significantDigitsMax = 15
/** So many print every double, and PHP prints all of them: 2.35 as 2.3500000000000001. */
const printedDigitsMax = 17
const numericTextLengthMax = 40

function numberOf(text: string): unknown {
  const trimmed = text.length > numericTextLengthMax ? '' : text.trim()
  const [, whole, decimals = ''] = /^-?0*(\d+)(?:\.(\d+?)0*)?$/.exec(trimmed) ?? []
  const digits = whole === '0' ? decimals.replace(/^0+/, '') : `${whole}${decimals}`
  const digitsMax = decimals === '' ? significantDigitsMax : printedDigitsMax
  return whole === undefined || digits.length > digitsMax ? text : Number(trimmed)
}

/** A text of at most `lengthMax` characters, or null for none. */
export function textSchema(lengthMax: number, options: object = {}) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: lengthMax, ...options })
}

/** A text of which an empty one is none. */
export function filledSchema(lengthMax: number) {
  return textSchema(lengthMax, readAs('filled'))
}

/** A merchant's own reference: a text, of which an empty one is none; a number is taken as its decimal text. */
export function referenceSchema(lengthMax: number) {
  return textSchema(lengthMax, { ...readAs('filled'), ...coerceNumberToString })
}

const momentLengthMax = 40

/** A moment as `parseInstant` reads it; null or an empty text for none. */
export const momentSchema = textSchema(momentLengthMax, {
  minLength: 1,
  ...readAs('moment'),
  ...documented({ examples: ['2026-12-31T23:59:59+0000'] }),
})

const phoneLengthMax = 40
const phoneOptions = {
  description: 'With + and its country code, such as +351911234567.',
  ...readAs('phone'),
  ...coerceNumberToString,
  ...documented({ examples: ['+351911234567'] }),
}

/** A phone number as `parsePhone` reads it, or null for none. */
export const phoneSchema = textSchema(phoneLengthMax, phoneOptions)

/** A phone number that must be there. */
export const requiredPhoneSchema = Type.String({ maxLength: phoneLengthMax, ...phoneOptions })

/** A word of an enumeration, or an id, which is read in any case. */
export function wordSchema(options: object = {}) {
  return Type.String({ ...options, ...readAs('word') })
}

/** One of `words`, read in any case. */
export function oneOfSchema(words: readonly string[], description: string) {
  return wordSchema({ description, ...documented({ enum: [...words] }) })
}

/** The currency of the amounts beside it, in any case. */
export const currencySchema = oneOfSchema(['EUR'], 'ISO 4217 code of the currency: EUR.')

/** A word which may be left out, empty or null, and then is `word`: nothing else is possible, or one of `others`. */
export function impliedWordSchema(word: string, others: readonly string[] = []) {
  const words = [word, ...others]
  const description =
    others.length === 0
      ? `${word}: nothing else is possible, so it may be left out.`
      : `${words.join(' or ')}; ${word} where it is left out.`
  const options = { ...readAs('word'), minLength: 1, default: word, description }
  return Type.Optional(textSchema(20, { ...options, ...documented({ type: 'string', enum: words }) }))
}

/** The key under which a request happens once, in the body of everything that makes something. */
export const requestIdSchema = described(
  textSchema(36),
  'A UUID of your own, under which the request happens once: sent again with the same body it is answered with the first answer again, with another one it is refused with 10015. Kept for 30 days.',
  { format: 'uuid' },
)

/** Whether `sent` is the word of an {@link impliedWordSchema}. Refusals: invalid_parameter naming `field`. */
export function parseImpliedWord(sent: string | null | undefined, word: string, field: string): Result<void> {
  return (sent ?? word).toUpperCase() === word
    ? ok(undefined)
    : refuse('invalid_parameter', `${field} must be ${word}`)
}

/** True or false, false where it is null or not there. */
export function flagOf(description: string) {
  return Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], default: false, description })
}

/**
 * The identifier in a path, in lower case. Refusals: not_found for what is no UUID, as for one that was
 * never given out.
 */
export function idOf(text: string, noun: string): Result<string> {
  return isUuid(text)
    ? ok(text.toLowerCase())
    : refuse('not_found', `there is no such ${noun}: its id is a UUID`)
}

export function readAs(how: ReadAs): { readonly 'x-read-as': ReadAs } {
  return { 'x-read-as': how }
}
