// Schemas for the reference: without internal keywords, titled ones once.

type Json = unknown
type Schema = Readonly<Record<string, Json>>

/** Adds the `documented` keywords. Empty defaults are dropped, because only idempotency uses them. */
export function plainSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(plainSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  const { 'x-documented': documented = {}, ...checked } = schema as Schema
  const entries = Object.entries({ ...checked, ...(documented as Schema) })
  return Object.fromEntries(
    entries
      .filter(([key, value]) => (!key.startsWith('x-') || key === here) && !isEmptyDefault(key, value))
      .map(([key, value]) => [key, holdsData.has(key) ? value : plainMembers(key, value)]),
  )
}

const here = 'x-here'
const holdsData: ReadonlySet<string> = new Set([
  'examples',
  'example',
  'enum',
  'const',
  'default',
  'required',
])

function plainMembers(key: string, value: Json): Json {
  if (key !== 'properties' && key !== 'patternProperties') return plainSchema(value)
  return Object.fromEntries(
    Object.entries(value as Schema).map(([name, member]) => [name, plainSchema(member)]),
  )
}

function isEmptyDefault(key: string, value: Json): boolean {
  return key === 'default' && typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** Moves titled schemas to the components. Throws if two different schemas share a title. */
export function hoistTitled<Document extends object>(document: Document): Document {
  const components = new Map<string, { readonly schema: Json; readonly text: string }>()

  function hoisted(value: Json): Json {
    if (Array.isArray(value)) return value.map(hoisted)
    if (typeof value !== 'object' || value === null) return value
    const { [here]: description, ...schema } = value as Schema
    const members = Object.entries(schema).map(([key, member]): [string, Json] => [
      key,
      holdsData.has(key) ? member : hoisted(member),
    ])
    const own = Object.fromEntries(members)
    return isTitled(schema) ? reference(schema.title, own, description) : own
  }

  function reference(title: string, schema: Json, description: Json): Json {
    const text = JSON.stringify(schema)
    const known = components.get(title)
    if (known !== undefined && known.text !== text) throw new Error(`two schemas are called ${title}`)
    if (known === undefined) components.set(title, { schema, text })
    const $ref = `#/components/schemas/${title}`
    return description === undefined ? { $ref } : { $ref, description }
  }

  const { components: declared = {}, ...rest } = document as { components?: { schemas?: object } }
  const hoistedRest = hoisted(rest) as object
  const schemas = Object.fromEntries(
    [...components]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, { schema }]) => [name, schema]),
  )
  return { ...hoistedRest, components: { ...declared, schemas } } as Document
}

function isTitled(schema: Schema): schema is Schema & { readonly title: string } {
  return typeof schema.title === 'string' && ('type' in schema || 'allOf' in schema || 'anyOf' in schema)
}
