// Sources of the SDK from the OpenAPI document.
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { errorTable } from '../../src/http/errors/errors.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its keys
type Json = any

const opening = 'Made by `npm run generate -w sdk` of the OpenAPI document; do not edit.'

export async function generatedSources(document: Json): Promise<Readonly<Record<string, string>>> {
  return { 'schema.d.ts': await schemaSource(document), 'tables.ts': tablesSource(document) }
}

const amount = ts.factory.createTypeReferenceNode('Amount')
const amountOrNumber = ts.factory.createTypeReferenceNode('AmountInput')

async function schemaSource(document: Json): Promise<string> {
  const nodes = await openapiTS(lean(document), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A request may leave out a field that has a default.
    defaultNonNullable: false,
    inject: `import type { Amount, AmountInput } from '../core/amounts.ts'`,
    transform: (schema) => {
      if (isAmountInput(schema)) return amountOrNumber
      return isAmount(schema as Json) ? amount : undefined
    },
  })
  const used = nodes.filter((node) => !(ts.isInterfaceDeclaration(node) && unused.has(node.name.text)))
  return `// Every body, parameter and answer of the API. ${opening}\n${astToString(used)}`
}

const unused = new Set(['paths', 'webhooks'])

function lean(document: Json): Json {
  const { schemas } = document.components
  return JSON.parse(JSON.stringify({ ...document, webhooks: {}, components: { schemas } }), (key, value) => {
    if (key === 'responses') return { 200: withoutHeaders(value['200']) }
    if (key === 'parameters') return value.filter((one: Json) => one.in !== 'header')
    return key === 'example' || key === 'examples' ? undefined : value
  })
}

function withoutHeaders({ headers: _, ...response }: Json): Json {
  return response
}

/** A number is an amount. The format `double` marks other numbers, such as quantities. */
function isAmount({ type, format }: Json): boolean {
  return type === 'number' && format !== 'double'
}

function isAmountInput(schema: Json): boolean {
  const types = schema.anyOf?.map((one: Json) => one.type)
  return types?.length === 2 && types.includes('number') && types.includes('string')
}

function tablesSource(document: Json): string {
  const errors = Object.values(errorTable).map(({ code, status, message }) => [code, { status, message }])
  return [
    `// Every operation of the API, the fields that are amounts, and every error code. ${opening}`,
    constant('endpoints', endpointsOf(document)),
    constant('amountFields', amountFieldsOf(document)),
    constant('errorCodes', Object.fromEntries(errors)),
  ].join('\n\n')
}

function constant(name: string, value: unknown): string {
  const text = JSON.stringify(value, null, 2).replaceAll(/"(\d+)":/g, '$1:')
  return `export const ${name} = ${text} as const\n`
}

function endpointsOf({ paths }: Json): Record<string, object> {
  const endpoints = Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => {
      const { operationId, parameters = [], responses, security } = operation
      const keyed = parameters.some(
        (one: Json) => one.name === 'Idempotency-Key' || one.$ref?.endsWith('Idempotency-Key'),
      )
      const esb = security.some((one: Json) => 'esbToken' in one)
      const [type] = Object.keys(responses['200'].content ?? {})
      const answer = answerOf(type)
      const endpoint = { method: method.toUpperCase(), path, keyed, esb, answer }
      return [operationId, endpoint] as const
    }),
  )
  return Object.fromEntries(endpoints.sort(([one], [other]) => (one < other ? -1 : 1)))
}

function answerOf(type: string | undefined): 'json' | 'text' | 'bytes' | 'none' {
  if (type === undefined) return 'none'
  return type.startsWith('image/') ? 'bytes' : type === 'text/csv' ? 'text' : 'json'
}

/** The names of amounts in answers and callbacks. Throws if an integer elsewhere has the same name. */
function amountFieldsOf(document: Json): string[] {
  const [amounts, integers] = [new Set<string>(), new Set<string>()]
  function visit(value: Json): void {
    if (typeof value !== 'object' || value === null) return
    for (const [name, { type, format }] of Object.entries<Json>(value.properties ?? {})) {
      if (isAmount({ type, format })) amounts.add(name)
      if (type === 'integer') integers.add(name)
    }
    for (const member of Object.values(value)) visit(member)
  }
  visit([document.components.schemas, document.paths])
  const both = [...amounts].filter((name) => integers.has(name))
  if (both.length > 0) throw new Error(`${both.join(', ')} is an amount in one place and a count in another`)
  return [...amounts].sort()
}
