// The OpenAPI document for tests.
import { Compile } from 'typebox/compile'
import type { Json, World } from '../../world.ts'

export interface Operation {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly described: Json
}

export interface ReferenceDocument {
  readonly json: Json
  readonly text: string
  readonly operations: readonly Operation[]
  /** With all references resolved. */
  schema(schema: Json): Json
}

export async function readDocument(world: World): Promise<ReferenceDocument> {
  const { text, body: json } = await world.request('/openapi.json')
  const operations = Object.entries<Json>(json.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, described]) => ({
      method,
      path,
      operationId: described.operationId,
      described,
    })),
  )
  return { json, text, operations, schema: (schema) => whole(json, schema) }
}

function whole(json: Json, schema: Json): Json {
  if (Array.isArray(schema)) return schema.map((one) => whole(json, one))
  if (typeof schema !== 'object' || schema === null) return schema
  if (typeof schema.$ref === 'string') {
    const parts = schema.$ref.slice('#/'.length).split('/')
    return whole(
      json,
      parts.reduce((place: Json, part: string) => place[part], json),
    )
  }
  return Object.fromEntries(Object.entries(schema).map(([key, member]) => [key, whole(json, member)]))
}

/** Missing parts of an operation, and properties without a description. */
export function lackingIn(
  document: ReferenceDocument,
  { described, operationId, path, method }: Operation,
): string[] {
  const name = operationId ?? `${method} ${path}`
  const missing = ['operationId', 'summary', 'description', 'tags'].filter((part) => !described[part])
  const { parameters = [], requestBody, responses } = described
  const tags = new Set(document.json.tags.map((tag: Json) => tag.name))
  const media = requestBody?.content['application/json']
  const answers = Object.values<Json>(responses['200'].content ?? {})
  return [
    ...missing,
    ...(described.tags ?? []).filter((tag: string) => !tags.has(tag)).map((tag: string) => `group ${tag}`),
    ...parameters.filter((one: Json) => !one.description).map((one: Json) => `parameter ${one.name}`),
    ...(media === undefined || 'example' in media ? [] : ['example of the request']),
    ...Object.keys(responses).filter((status) => status[0] === '4' && !hasCodes(document, responses[status])),
    ...(responses['200'].content?.['application/json'] &&
    !('example' in responses['200'].content['application/json'])
      ? ['example of the answer']
      : []),
    ...[media, ...answers].flatMap((one) => (one ? undescribed(document.schema(one.schema), '') : [])),
  ].map((part) => `${name}: ${part}`)
}

/** An error has codes with examples. The answer `false` is not an error. */
function hasCodes(document: ReferenceDocument, response: Json): boolean {
  const { schema, example, examples = {} } = response.content['application/json']
  if (example === false) return true
  const codes: number[] = document.schema(schema).allOf[1].properties.code.enum
  return codes.length > 0 && codes.every((code) => examples[code] !== undefined)
}

/** Paths of properties without a description. */
export function undescribed(schema: Json, path: string): string[] {
  const properties = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description || path === '/code' || name === 'code' ? [] : [`${path}/${name}`]),
    ...undescribed(property, `${path}/${name}`),
  ])
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])].filter(Boolean)
  return [...properties, ...parts.flatMap((part) => undescribed(part, path))]
}

/** Differences between `value` and `schema`, with unknown fields. */
export function differences(document: ReferenceDocument, schema: Json, value: Json): string[] {
  const known = document.schema(schema)
  const errors = Compile(known).Errors(value) as { instancePath: string; message: string }[]
  return [
    ...errors.map(({ instancePath, message }) => `${instancePath} ${message}`),
    ...unknown(known, value, ''),
  ]
}

function unknown(schema: Json, value: Json, path: string): string[] {
  if (Array.isArray(value))
    return value.flatMap((one, index) => unknown(schema.items ?? {}, one, `${path}/${index}`))
  if (typeof value !== 'object' || value === null) return []
  const { properties } = schema
  if (properties === undefined || Object.keys(properties).length === 0) return []
  return Object.entries(value).flatMap(([name, member]) =>
    properties[name] === undefined
      ? [`${path}/${name} is not in the reference`]
      : unknown(properties[name], member, `${path}/${name}`),
  )
}

/** Sorted names of all fields in `value`. */
export function fieldsOf(value: Json, path = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => fieldsOf(one, `${path}[]`)))].sort()
  if (typeof value !== 'object' || value === null) return []
  return Object.entries<Json>(value)
    .flatMap(([name, member]) => [`${path}/${name}`, ...fieldsOf(member, `${path}/${name}`)])
    .sort()
}
