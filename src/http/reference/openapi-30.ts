// The document in OpenAPI 3.0: no webhooks, one error schema.

// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Json = any

export function inOpenApi30(document: Json): Json {
  const { webhooks: _, ...rest } = document
  const { license, ...info } = document.info
  return olderMembers({ ...rest, openapi: '3.0.3', info: { ...info, license: { name: license.name } } })
}

const isData: ReadonlySet<string> = new Set(['example', 'enum', 'default'])
const isMap: ReadonlySet<string> = new Set([
  'properties',
  'schemas',
  'paths',
  'responses',
  'headers',
  'content',
])

function olderMembers(value: Json, isMapHere = false): Json {
  if (Array.isArray(value)) return value.map((one) => older(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries<Json>(value).map(([key, member]) => [
      key,
      !isMapHere && isMap.has(key) ? olderMembers(member, true) : isData.has(key) ? member : older(member),
    ]),
  )
}

function older(value: Json): Json {
  if (Array.isArray(value)) return value.map(older)
  if (typeof value !== 'object' || value === null) return value
  if (value.$ref !== undefined) return { $ref: value.$ref }
  // OpenAPI 3.0 cannot limit the error schema to some codes, so the description lists them.
  if (value.allOf?.[0]?.$ref !== undefined) return older(value.allOf[0])
  if (Array.isArray(value.anyOf)) return olderUnion(value)
  const { type, const: constant, examples, ...schema } = value
  const isNullable = Array.isArray(type)
  const [kind] = [type].flat().filter((one: unknown) => one !== 'null')
  return olderMembers({
    ...(kind !== undefined && { type: kind }),
    // Without `double`, generators use 32 bits.
    ...(kind === 'number' && { format: 'double' }),
    ...schema,
    ...(isNullable && { nullable: true }),
    ...(constant !== undefined && { enum: [constant] }),
    ...(Array.isArray(examples) ? { example: examples[0] } : examples !== undefined && { examples }),
  })
}

function olderUnion({ anyOf, examples, ...rest }: Json): Json {
  const kinds = anyOf.filter(({ type }: Json) => type !== 'null').map(older)
  const isNullable = kinds.length < anyOf.length
  const [first, second] = kinds
  const isAmount = first.type === 'number' && second?.pattern !== undefined
  const kind = kinds.length === 1 || isAmount ? first : { anyOf: kinds }
  return {
    ...('$ref' in kind ? { allOf: [kind] } : kind),
    ...rest,
    ...(isNullable && { nullable: true }),
    ...(examples !== undefined && { example: examples[0] }),
  }
}
