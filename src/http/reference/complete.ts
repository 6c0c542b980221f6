// Examples and descriptions for every property of the document.
import { exampleDay, exampleId } from './fields.ts'

// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Json = any

/** Takes examples from the route's answers, which tests check. Without one it makes them by type. */
export function completeProperties(document: Json): void {
  const { schemas } = document.components
  const resolved = (schema: Json): Json =>
    schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)]
  const shown = new Map<Json, unknown>()
  const byName = new Map<string, unknown>()

  function remember(schema: Json, value: Json): void {
    const { items, properties = {}, allOf = [], anyOf = [] } = resolved(schema) ?? {}
    for (const part of [...allOf, ...anyOf]) remember(part, value)
    if (Array.isArray(value)) for (const one of value) remember(items, one)
    else if (typeof value === 'object' && value !== null && !isOther(properties, value))
      for (const [name, property] of Object.entries<Json>(properties)) keep(name, property, value[name])
  }

  function keep(name: string, property: Json, example: Json): void {
    if (example === undefined || example === null) return
    if (!shown.has(property)) shown.set(property, example)
    if (!byName.has(name)) byName.set(name, example)
    remember(property, example)
  }

  function complete(schema: Json): void {
    for (const [name, property] of Object.entries<Json>(schema.properties ?? {})) {
      const { description } = resolved(property)
      if (property.description === undefined && description !== undefined) property.description = description
      const example = shown.get(property) ?? exampleOf(property) ?? ofType(property, byName.get(name))
      if (isSingle(resolved(property)) && property.$ref === undefined)
        property.examples ??= example === undefined ? undefined : [example]
    }
  }

  for (const operation of members(document.paths).concat(members(document.webhooks)))
    for (const { schema, example, examples } of mediaOf(operation)) {
      if (example !== undefined) remember(schema, example)
      for (const { value } of Object.values<Json>(examples ?? {})) remember(schema, value)
    }
  everySchema({ schemas, paths: document.paths, webhooks: document.webhooks }, complete)
}

function isOther(properties: Json, value: Json): boolean {
  return Object.entries<Json>(properties).some(
    ([name, { const: word }]) => word !== undefined && name in value && word !== value[name],
  )
}

function members(paths: Json): Json[] {
  return Object.values<Json>(paths).flatMap((path) => Object.values<Json>(path))
}

function mediaOf({ requestBody, responses }: Json): Json[] {
  return [requestBody, ...Object.values<Json>(responses)].flatMap(({ content } = {}) =>
    Object.values<Json>(content ?? {}),
  )
}

const isData: ReadonlySet<string> = new Set(['example', 'examples', 'enum', 'default'])

function everySchema(value: Json, visit: (schema: Json) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (typeof value.properties === 'object') visit(value)
  for (const [key, member] of Object.entries(value)) if (!isData.has(key)) everySchema(member, visit)
}

function isSingle({ type, items, properties }: Json): boolean {
  if (properties !== undefined) return false
  return type === 'array' ? items?.$ref === undefined && isSingle(items ?? {}) : type !== 'object'
}

function ofType({ type, anyOf = [{ type }] }: Json, value: unknown): unknown {
  const types = anyOf.flatMap((one: Json) => one.type)
  const isNumber = typeof value === 'number' && (types.includes('number') || types.includes('integer'))
  return isNumber || types.includes(typeof value) ? value : undefined
}

const exampleByFormat: Readonly<Record<string, string>> = {
  uuid: exampleId,
  date: exampleDay,
  uri: 'https://shop.example/',
}

function exampleOf({ type, const: word, enum: words, default: usual, format }: Json): unknown {
  if (word !== undefined) return word
  if (words !== undefined) return words[0]
  if (usual !== undefined) return usual
  if ([type].flat().includes('boolean')) return true
  return exampleByFormat[format]
}
