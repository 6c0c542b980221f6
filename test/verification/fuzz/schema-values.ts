// Random values for a JSON schema, valid or with one error.
import fc from 'fast-check'
import { oddValue } from './values.ts'

// biome-ignore lint/suspicious/noExplicitAny: schemas are read as they come
export type Schema = any

/** Usual values of a field by its name, for schemas that require only a text or a number. */
const usual: Readonly<Record<string, readonly unknown[]>> = {
  amount: [10, '10.50', 0.5, 1000],
  currency: ['EUR'],
  phone: ['351#911234567', '351911234567'],
  email: ['ana@example.com', '{{unique}}@example.com'],
  iban: ['PT50000201231234567890154'],
  url_confirm: ['https://shop.example/thanks'],
  url_cancel: ['https://shop.example/cart'],
  request_id: ['{{uuid}}', '{{once}}'],
  merchant_wallet: ['{{own.public}}', '{{other.public}}'],
  token: ['{{own.token}}', '{{other.token}}'],
  password: ['{{password}}', 'correct horse battery staple'],
}

function idsOf(kind: string): fc.Arbitrary<string> {
  return fc.constantFrom(`{{own.${kind}}}`, `{{own.${kind}}}`, `{{other.${kind}}}`, '{{uuid}}')
}

export function validFor(schema: Schema, name = '', depth = 0): fc.Arbitrary<unknown> {
  if (typeof schema !== 'object' || schema === null || depth > 8) return fc.constant(null)
  const { 'x-documented': documented, ...rest } = schema
  const known: Schema = { ...rest, ...documented }
  if (known.const !== undefined) return fc.constant(known.const)
  if (Array.isArray(known.enum)) return fc.constantFrom(...known.enum)
  const choices: Schema[] | undefined = known.anyOf ?? known.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((one) => validFor(one, name, depth + 1)))
  if (Array.isArray(known.examples) && depth > 0) return fc.constantFrom(...known.examples)
  const [first] = [known.type].flat()
  switch (first) {
    case 'object':
      return objectFor(known, depth)
    case 'array':
      return fc.array(validFor(known.items, name, depth + 1), {
        minLength: Math.min(known.minItems ?? 0, 3),
        maxLength: Math.min(known.maxItems ?? 3, 3),
      })
    case 'integer':
      return fc.integer({
        min: Number(known.minimum ?? 0),
        max: Math.min(Number(known.maximum ?? 100), 2 ** 31),
      })
    case 'number':
      return fc
        .integer({
          min: Math.ceil(Number(known.minimum ?? 0) * 100),
          max: Math.min(known.maximum ?? 1000, 1e6) * 100,
        })
        .map((cents) => cents / 100)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return textFor(known, name)
  }
}

function objectFor({ properties = {}, required = [] }: Schema, depth: number): fc.Arbitrary<unknown> {
  const members = Object.entries<Schema>(properties).map(([key, member]) => [
    key,
    validFor(member, key, depth + 1),
  ])
  return fc.record(Object.fromEntries(members), { requiredKeys: required, noNullPrototype: true })
}

function textFor(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const known = usual[name]
  if (known !== undefined) return fc.constantFrom(...known)
  if (schema.format === 'uuid') return fc.constantFrom('operation', 'checkout', 'subscription').chain(idsOf)
  if (schema.format === 'date') return fc.constantFrom('2026-11-23', '2027-01-31', '2024-02-29')
  if (schema.format === 'date-time')
    return fc.constantFrom('2026-11-23T10:00:00+0000', '2027-01-31T23:59:59Z')
  if (typeof schema.pattern === 'string') {
    try {
      return fc.stringMatching(new RegExp(schema.pattern, 'u'), { size: 'small' })
    } catch {
      // fast-check cannot make texts for this pattern.
    }
  }
  const maxLength = Math.min(Number(schema.maxLength ?? 20), 300)
  return fc.string({ minLength: Math.min(Number(schema.minLength ?? 0), maxLength), maxLength })
}

const edits = ['replace', 'remove', 'rename', 'wrap', 'twice', 'extra'] as const

export interface Edit {
  readonly kind: (typeof edits)[number]
  readonly place: number
  readonly value: unknown
}

export const anEdit: fc.Arbitrary<Edit> = fc.record(
  { kind: fc.constantFrom(...edits, 'replace', 'replace', 'replace'), place: fc.nat(200), value: oddValue },
  { noNullPrototype: true },
)

export function edited(value: unknown, edit: Edit): unknown {
  const copy = structuredClone(value)
  const places = placesOf(copy)
  const place = places[edit.place % Math.max(1, places.length)]
  if (place === undefined) return edit.value
  const { of, key } = place
  const old = of[key]
  if (edit.kind === 'replace') of[key] = edit.value
  if (edit.kind === 'remove') delete of[key]
  if (edit.kind === 'wrap') of[key] = [old]
  if (edit.kind === 'extra') of[`${key}x`] = edit.value
  if (edit.kind === 'rename') {
    delete of[key]
    of[key.toUpperCase()] = old
  }
  if (edit.kind === 'twice')
    of[key] = { rawJson: `${JSON.stringify(old) ?? 'null'},${JSON.stringify(key)}:1` }
  return copy
}

interface Place {
  // biome-ignore lint/suspicious/noExplicitAny: a part of any JSON value
  readonly of: any
  readonly key: string
}

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null || 'rawJson' in value) return []
  return Object.entries(value).flatMap(([key, member]) => [{ of: value, key }, ...placesOf(member)])
}
