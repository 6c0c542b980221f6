// Common body fields, and tolerant reading of clients' variants (docs/compatibility.md).
import { isLosslessNumber, type LosslessNumber } from 'lossless-json'
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { isUuid } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { described, documented } from '../reference/fields.ts'
import { fieldsOf, pathOf, pathTo, type ReadAs, type Schema, withHolders } from './schema.ts'

/** Schema keyword: other paths of the field, relative to its object. The first path with a value counts. */
export function aliases(...paths: readonly string[]): { readonly 'x-aliases': readonly string[] } {
  return { 'x-aliases': paths }
}

/** Schema keyword of a text: a number is accepted too, so `42` becomes `"42"`. */
export const coerceNumberToString = { 'x-also-as': 'number' } as const

/** Schema keyword of a number: a numeric text is accepted too, so `"2.0000"` becomes `2`. */
export const coerceStringToNumber = { 'x-also-as': 'numeric text' } as const

/** Schema keyword of an optional object: invalid parts are dropped with a `Warning` and not refused. */
export const dropIfInvalid = { 'x-never-refused': true } as const

/** Whether `schema` accepts a number with more digits than a double can hold. */
export function takesLongNumber(schema: Schema, number: LosslessNumber): boolean {
  return (
    schema['x-also-as'] === 'number' ||
    schema['x-read-as'] === 'number' ||
    (schema['x-also-as'] === 'numeric text' && typeof numberOf(number.value) === 'number') ||
    schema.anyOf?.some((branch) => takesLongNumber(branch, number)) === true
  )
}

/** Moves values from aliases. It must run for valid bodies too. Undefined if the schema has no alias. */
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

type DropUnfit = (value: unknown, leftOut: string[]) => void

/** Drops invalid parts of {@link dropIfInvalid} objects; adds them to `leftOut`. Create once per schema. */
export function dropUnfit(schema: Schema): DropUnfit | undefined {
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
        if (!hasContent(fields[name])) delete fields[name]
      })
  }
}

function fitting(schema: Schema, path: string): DropUnfit {
  const parts = Object.entries(schema.properties ?? {})
  return (value, leftOut) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      if (!isNothing(value) && !isEmptyMap(value)) leftOut.push(`${path} is ignored: it must be an object`)
      return
    }
    const fields = value as Record<string, unknown>
    for (const [name, part] of parts) {
      if (!Object.hasOwn(fields, name)) continue
      const sent = fields[name]
      fields[name] = coerceBody(part, sent)
      if (sent !== null && Value.Check(part as TSchema, fields[name])) continue
      delete fields[name]
      if (!isNothing(sent)) leftOut.push(`${pathTo(path, name)} is ignored: it must be ${part['x-expected']}`)
    }
  }
}

function hasContent(value: unknown): boolean {
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
 * Coerces an invalid body in place: removes empty optional fields, and converts texts and numbers. It reads
 * `[]` as an empty map, because PHP writes that. It guesses no flags and no amounts.
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

/** Returns a text if the reader keeps every digit, otherwise a double. */
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

function isEmptyMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** Whether the field's own reader handles an empty text, as it does for flags and amounts. */
function takesEmptyText({ type, minLength = 0 }: Schema): boolean {
  if (type === undefined) return true
  const types = [type].flat()
  return types.includes('boolean') || (types.includes('string') && minLength === 0)
}

export function dropEmptyParameters(schema: Schema, query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    const filled = Array.isArray(value) ? value.filter((one) => one !== '') : value
    if (Array.isArray(filled) && filled.length > 0) query[name] = filled
    else if ((filled === '' || Array.isArray(filled)) && schema.properties?.[name]?.type !== 'boolean') {
      delete query[name]
    }
  }
}

function decimalText(value: unknown): unknown {
  const text = String(value)
  return /e/i.test(text) ? value : text
}

/** The most decimal digits that a double always keeps exactly. */
const significantDigitsMax = 15
/** 17 digits are enough for every double. PHP prints 2.35 as 2.3500000000000001. */
const printedDigitsMax = 17
const numericTextLengthMax = 40

function numberOf(text: string): unknown {
  const trimmed = text.length > numericTextLengthMax ? '' : text.trim()
  const [, whole, decimals = ''] = /^-?0*(\d+)(?:\.(\d+?)0*)?$/.exec(trimmed) ?? []
  const digits = whole === '0' ? decimals.replace(/^0+/, '') : `${whole}${decimals}`
  const digitsMax = decimals === '' ? significantDigitsMax : printedDigitsMax
  return whole === undefined || digits.length > digitsMax ? text : Number(trimmed)
}

export function textSchema(lengthMax: number, options: object = {}) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: lengthMax, ...options })
}

export function filledSchema(lengthMax: number) {
  return textSchema(lengthMax, readAs('filled'))
}

export function referenceSchema(lengthMax: number) {
  return textSchema(lengthMax, { ...readAs('filled'), ...coerceNumberToString })
}

const momentLengthMax = 40

export const momentSchema = textSchema(momentLengthMax, {
  minLength: 1,
  ...readAs('moment'),
  ...documented({ examples: ['2026-12-31T23:59:59+0000'] }),
})

const phoneLengthMax = 40
const phoneOptions = {
  description: 'Phone number with + and country code, such as +351911234567.',
  ...readAs('phone'),
  ...coerceNumberToString,
  ...documented({ examples: ['+351911234567'] }),
}

export const phoneSchema = textSchema(phoneLengthMax, phoneOptions)

export const requiredPhoneSchema = Type.String({ maxLength: phoneLengthMax, ...phoneOptions })

export function wordSchema(options: object = {}) {
  return Type.String({ ...options, ...readAs('word') })
}

export function oneOfSchema(words: readonly string[], description: string) {
  return wordSchema({ description, ...documented({ enum: [...words] }) })
}

export const currencySchema = oneOfSchema(['EUR'], 'Currency (ISO 4217). Only `EUR`.')

export function impliedWordSchema(word: string, others: readonly string[] = []) {
  const words = [word, ...others]
  const description =
    others.length === 0 ? `Always ${word}. Optional.` : `${words.join(' or ')}. Default: ${word}.`
  const options = { ...readAs('word'), minLength: 1, default: word, description }
  return Type.Optional(textSchema(20, { ...options, ...documented({ type: 'string', enum: words }) }))
}

export const requestIdSchema = described(
  textSchema(36),
  'Your own UUID for this request. A repeated request with the same body gets the first answer again. Another body gets error 10015. Kept for 30 days.',
  { format: 'uuid' },
)

export function parseImpliedWord(sent: string | null | undefined, word: string, field: string): Result<void> {
  return (sent ?? word).toUpperCase() === word
    ? ok(undefined)
    : refuse('invalid_parameter', `${field} must be ${word}`)
}

export function flagOf(description: string) {
  return Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], default: false, description })
}

/** The id in a path, in lower case. Refusals: not_found, for an invalid id as well as an unknown one. */
export function idOf(text: string, noun: string): Result<string> {
  return isUuid(text) ? ok(text.toLowerCase()) : refuse('not_found', `no such ${noun}: its id is a UUID`)
}

export function readAs(how: ReadAs): { readonly 'x-read-as': ReadAs } {
  return { 'x-read-as': how }
}
