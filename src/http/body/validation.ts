// Validation of requests by TypeBox schemas; refusals name the field.
import fastJsonStringify, { type AnySchema } from 'fast-json-stringify'
import type {
  FastifyRouteSchemaDef,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
} from 'fastify/types/schema.js'
import { isLosslessNumber } from 'lossless-json'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { isUuid } from '../../kernel/random.ts'
import { RefusalError, type RefusalKind } from '../../kernel/result.ts'
import { aliasResolver, coerceBody, dropEmptyParameters, takesLongNumber } from './fields.ts'
import { hasLosslessNumbers } from './json.ts'
import { isStorable } from './json-faults.ts'
import { findWithin, leave, ownProperty, pathOf, pathOfPointer, pathTo, type Schema } from './schema.ts'
import { cardNumberRefusal, foreignCurrency, misplacedCardNumber } from './unexpected-fields.ts'

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

/** Compiles the schema at a route's first request. */
export const compileValidator: FastifySchemaCompiler<TSchema> = (route) => {
  let validate: ReturnType<typeof validatorOf> | undefined
  return (value: unknown) => {
    validate ??= validatorOf(route)
    return validate(value)
  }
}

/** TypeBox compiles a body of twelve fields in 1 ms and checks it in 40 ns. Ajv takes 6 ms and 110 ns. */
function validatorOf({
  schema,
  httpPart,
}: FastifyRouteSchemaDef<TSchema>): (value: unknown) => { error: RefusalError } | { value: unknown } {
  const compiled = Compile(schema)
  if (httpPart === 'body') {
    const fill = aliasResolver(schema as object)
    return (sent: unknown) => {
      const error = hasLosslessNumbers(sent) ? tooManyDigits(schema as Schema, sent) : undefined
      if (error !== undefined) return { error }
      fill?.(sent)
      let value = sent
      // Only invalid bodies are coerced, so a valid one costs no more.
      if (!compiled.Check(value)) {
        value = coerceBody(schema as object, sent)
        if (!compiled.Check(value)) return { error: refusalOf(compiled.Errors(value), value) }
      }
      const misplaced = misplacedCardNumber(schema as Schema, value)
      if (misplaced !== undefined) return { error: cardNumberRefusal(misplaced) }
      const currency = foreignCurrency(schema as Schema, value)
      return currency === undefined
        ? { value }
        : { error: wrong('invalid_parameter', `${currency} must be EUR`) }
    }
  }
  const inPath = httpPart === 'params'
  return (value: unknown) => {
    if (inPath && isOnlyIds(value) && compiled.Check(value)) return { value }
    const error = unstorableParameter(schema as Schema, value)
    if (error !== undefined) return { error: inPath ? notFound() : error }
    if (!inPath) dropEmptyParameters(schema as object, value as Record<string, unknown>)
    const converted = textConverted(schema, value as Record<string, unknown>)
    if (!compiled.Check(converted)) {
      if (inPath) return { error: notFound() }
      const errors = compiled.Errors(converted)
      return { error: repeatedParameter(schema as Schema, converted, errors) ?? refusalOf(errors, converted) }
    }
    const misplaced = misplacedCardNumber(schema as Schema, value)
    if (misplaced === undefined) return { value: converted }
    return { error: inPath ? notFound() : cardNumberRefusal(misplaced) }
  }
}

/** Reads numbers and booleans from queries and paths, which are text. An invalid integer stays text. */
function textConverted(schema: TSchema, sent: Record<string, unknown>): unknown {
  const integers = Object.entries((schema as Schema).properties ?? {}).flatMap(([name, { type }]) =>
    type === 'integer' && Object.hasOwn(sent, name) ? [[name, sent[name]] as const] : [],
  )
  const converted = Value.Convert(schema, sent) as Record<string, unknown>
  // TypeBox would cut off decimals, and read `true` as 1.
  for (const [name, text] of integers) if (!Number.isInteger(Number(text))) converted[name] = text
  return converted
}

function isOnlyIds(parameters: unknown): boolean {
  return Object.values(parameters as Record<string, string>).every(isUuid)
}

function notFound(): RefusalError {
  return new RefusalError({ kind: 'not_found', reason: 'the id in the path is unknown' })
}

function wrong(kind: RefusalKind, reason: string): RefusalError {
  return new RefusalError({ kind, reason })
}

function unstorableParameter(schema: Schema, value: unknown): RefusalError | undefined {
  for (const [name, text] of Object.entries(value as Record<string, unknown>)) {
    for (const one of Array.isArray(text) ? text : [text]) {
      if (typeof one === 'string' && !isStorable(one)) {
        const known = ownProperty(schema, name) === undefined ? 'the query' : pathTo('', name)
        return wrong('invalid_parameter', `${known} must be text without NUL`)
      }
    }
  }
  return undefined
}

function repeatedParameter(
  schema: Schema,
  value: unknown,
  [first]: readonly SchemaError[],
): RefusalError | undefined {
  const name = first === undefined ? '' : pathOfPointer(first.instancePath, value)
  if (first?.keyword !== 'type' || !Array.isArray((value as Record<string, unknown>)[name])) return undefined
  const { description = 'one value' } = ownProperty(schema, name) ?? {}
  const wanted = description.charAt(0).toLowerCase() + description.slice(1).replace(/\.$/, '')
  return wrong('invalid_parameter', `${name} must be given once: ${wanted}`)
}

function tooManyDigits(schema: Schema, value: unknown): RefusalError | undefined {
  const path = longNumberIn(schema, value)
  return path === undefined
    ? undefined
    : wrong('invalid_parameter', `${path || 'the body'} must be a number of at most 15 significant digits`)
}

function longNumberIn(
  schema: Schema,
  value: unknown,
  above: readonly (string | number)[] = [],
): string | undefined {
  return findWithin(schema, value, (here, part, steps) => {
    if (here === undefined || typeof part !== 'object' || part === null) return leave
    const { type, anyOf = [] } = here
    if (isLosslessNumber(part)) {
      const readsAnything = takesLongNumber(here, part) || (type === undefined && here.anyOf === undefined)
      return readsAnything ? leave : pathOf([...above, ...steps])
    }
    for (const branch of anyOf) {
      const found = longNumberIn(branch, part, [...above, ...steps])
      if (found !== undefined) return found
    }
    return undefined
  })
}

function refusalOf(errors: readonly SchemaError[], value: unknown): RefusalError {
  const [first] = errors
  if (first === undefined) return wrong('invalid_parameter', 'the request must match its schema')
  const path = pathOfPointer(first.instancePath, value)
  if (first.keyword === 'required') {
    const [missing = 'a field'] = first.params.requiredProperties as string[]
    return wrong('missing_parameter', `${pathTo(path, missing)} is required`)
  }
  const name = path === '' ? 'the body' : path
  return wrong('invalid_parameter', `${name} must be ${expected(first, errors)}`)
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

function expected(error: SchemaError, errors: readonly SchemaError[]): string {
  const alternatives = errors.filter(({ instancePath }) => instancePath === error.instancePath)
  if (alternatives.some(({ keyword }) => keyword === 'anyOf')) return oneOfSeveral(alternatives)
  const { keyword, params } = error
  switch (keyword) {
    case 'type':
      return typesOf(params).join(' or ')
    case 'enum':
      return `one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'const':
      return String(params.allowedValue)
    case 'maxLength':
      return `at most ${params.limit} characters long`
    case 'minLength':
      return `at least ${params.limit} characters long`
    case 'maxItems':
      return `an array of at most ${params.limit} items`
    case 'minItems':
      return `an array of at least ${params.limit} items`
    case 'minimum':
      return `at least ${params.limit}`
    case 'maximum':
      return `at most ${params.limit}`
    case 'exclusiveMinimum':
      return `more than ${params.limit}`
    case 'exclusiveMaximum':
      return `less than ${params.limit}`
    case 'multipleOf':
      return `a multiple of ${params.multipleOf}`
    case 'format':
      return params.format === 'uuid' ? 'a UUID' : `a valid ${params.format}`
    case 'pattern':
      return `text that matches ${params.pattern}`
    default:
      return `right: it ${error.message}`
  }
}

function oneOfSeveral(alternatives: readonly SchemaError[]): string {
  const branches = alternatives.filter(({ keyword }) => keyword !== 'anyOf')
  const words = branches.map((branch) =>
    branch.keyword === 'type' ? typesOf(branch.params).join(' or ') : expected(branch, []),
  )
  return [...new Set(words)].join(' or ')
}

function typesOf({ type }: Readonly<Record<string, unknown>>): string[] {
  return [type].flat().map((name) => typeNames[String(name)] ?? String(name))
}

export const compileSerializer: FastifySerializerCompiler<unknown> = ({ schema }) => {
  let write: ((answer: unknown) => string) | undefined
  return (answer) => {
    write ??= fastJsonStringify(schema as AnySchema)
    return write(answer)
  }
}
