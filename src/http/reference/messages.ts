// OpenAPI parameters, bodies, responses and headers of a route.
import { plainSchema } from './plain.ts'

export interface DescribedSchema {
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, DescribedSchema>>
  readonly required?: readonly string[]
  readonly content?: Readonly<Record<string, object>>
}

const text = { type: 'string' } as const

export const answerHeaders = {
  'X-Request-Id': {
    description: 'Id of this request in the logs of the gateway. Equals `tid` in errors.',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the stored answer to an earlier request with the same `request_id`.',
    schema: text,
  },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: text },
  RateLimit: {
    description:
      'Remaining requests (`r`) of the limit closest to its end, and seconds until it is full again (`t`).',
    schema: text,
  },
}

function headers(...names: (keyof typeof answerHeaders)[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The `request_id`, for clients that do not send it in the body.',
  schema: { type: 'string', format: 'uuid' },
} as const

export function parametersOf(place: 'path' | 'query', schema: DescribedSchema | undefined): object[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, examples, ...plain } = plainSchema(property) as DescribedSchema
    return {
      name,
      in: place,
      required: place === 'path' || schema?.required?.includes(name) === true,
      description,
      schema: plain,
      ...exampleOf(examples),
    }
  })
}

export function requestBodyOf(schema: DescribedSchema): object {
  const { required = [] } = plainSchema(schema) as DescribedSchema
  return { required: required.length > 0, content: { 'application/json': mediaOf(schema) } }
}

export function responsesOf(
  answers: Readonly<Record<string, DescribedSchema>>,
  refusals: Readonly<Record<string, object>>,
  isRepeatable: boolean,
): Record<string, object> {
  const done = Object.entries(answers).map(([status, answer]) => [status, responseOf(answer, isRepeatable)])
  const refused = Object.entries(refusals).map(([status, refusal]) => [
    status,
    { ...refusal, headers: headers('X-Request-Id', ...(status === '429' ? refusedForNow : [])) },
  ])
  return { 200: { description: 'Done' }, ...Object.fromEntries([...refused, ...done]) }
}

const refusedForNow = ['Retry-After', 'RateLimit'] as const

function responseOf(answer: DescribedSchema, isRepeatable: boolean): object {
  const { description = 'Done', content } = answer
  const isEmpty = (answer as { type?: string }).type === 'null'
  return {
    description,
    headers: headers('X-Request-Id', ...(isRepeatable ? (['Idempotent-Replayed'] as const) : [])),
    ...(!isEmpty && { content: content ?? { 'application/json': mediaOf(answer) } }),
  }
}

function mediaOf(schema: DescribedSchema): object {
  const { examples, ...plain } = plainSchema(schema) as DescribedSchema
  return { schema: plain, ...exampleOf(examples) }
}

function exampleOf(examples: readonly unknown[] | undefined): object {
  return examples === undefined ? {} : { example: examples[0] }
}
