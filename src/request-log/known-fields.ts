// Known fields of a request. Others are not logged, because they may contain secrets.

import type { Schema } from '../http/index.ts'

/** The part of `value` that `schema` knows; undefined without a schema. */
export function knownFields(schema: Schema | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  if (typeof value !== 'object' || value === null) return value
  const forms = formsOf(schema)
  if (Array.isArray(value)) {
    const items = forms.find(({ items }) => items !== undefined)?.items
    return items === undefined ? [] : value.map((element) => knownFields(items, element))
  }
  if ('isLosslessNumber' in value) return value
  const known: Record<string, unknown> = {}
  for (const form of forms) keepNamed(known, value as Fields, form)
  return known
}

type Fields = Readonly<Record<string, unknown>>

function keepNamed(known: Record<string, unknown>, fields: Fields, form: Schema): void {
  const { properties = {}, patternProperties = {} } = form
  for (const [name, field] of Object.entries(properties)) {
    for (const place of [name, ...(field['x-aliases'] ?? [])]) keepAt(known, fields, place.split('.'), field)
  }
  for (const field of Object.values(patternProperties)) {
    for (const name of Object.keys(fields)) keepAt(known, fields, [name], field)
  }
}

function formsOf(schema: Schema): Schema[] {
  const { anyOf = [], allOf = [] } = schema
  return [schema, ...[...anyOf, ...allOf].flatMap(formsOf)]
}

function keepAt(
  known: Record<string, unknown>,
  fields: Fields,
  [name = '', ...rest]: readonly string[],
  field: Schema,
): void {
  if (!Object.hasOwn(fields, name)) return
  const value = fields[name]
  if (rest.length === 0) known[name] ??= knownFields(field, value)
  else if (typeof value === 'object' && value !== null) {
    const inner = (known[name] ?? {}) as Record<string, unknown>
    known[name] = inner
    keepAt(inner, value as Fields, rest, field)
  }
}
