// Error responses of a route in the reference.
import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import type { RefusalKind } from '../../kernel/result.ts'
import { type ErrorRow, errorTable } from '../errors/errors.ts'
import type { RouteAuth } from '../types.ts'
import { exampleId } from './fields.ts'

/** Of every route with a key. */
const refusalsOfKeyedRoutes: readonly RefusalKind[] = [
  'authentication_required',
  'invalid_api_key',
  'access_denied',
  'too_many_requests',
  'service_unavailable',
]
const refusalsOfBodies: readonly RefusalKind[] = ['invalid_json', 'invalid_content_type', 'body_too_large']
/** Of every route with a request id. */
const refusalsOfRequestIds: readonly RefusalKind[] = ['request_in_flight', 'request_id_reused']

const errorSchema = Type.Object(
  {
    code: Type.Integer({
      description: 'What went wrong: act on this number, which never changes its meaning.',
      examples: [10002],
    }),
    message: Type.String({
      description: 'The same for every error of a code.',
      examples: ['Invalid parameter'],
    }),
    reason: Type.String({
      description:
        'What is particular to this request: the field or the rule, and what would be accepted. For people.',
      examples: ['payment.amount must have at most 2 decimals'],
    }),
    link: Type.String({
      format: 'uri',
      description: 'Where the code is explained.',
      examples: ['https://pay.example/docs/errors#10002'],
    }),
    tid: Type.String({
      format: 'uuid',
      description: 'Names this request in the logs of the gateway: the `X-Request-Id` of the answer.',
    }),
    operation_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The operation that was made, where one was: it has the status FAIL.',
      }),
    ),
  },
  { title: 'Error', description: 'The body of every 4xx and 5xx.' },
)

export function takesRequestId(body: unknown): boolean {
  const { properties = {} } = (body ?? {}) as { readonly properties?: object }
  return 'request_id' in properties
}

/** By HTTP status, each with its codes. */
export function errorResponses(route: RouteOptions, auth: RouteAuth | 'none'): Record<string, object> {
  const { body, querystring } = (route.schema ?? {}) as { body?: unknown; querystring?: unknown }
  const kinds = new Set<RefusalKind>([
    ...(route.config?.refusals ?? []),
    ...(auth === 'none' ? [] : refusalsOfKeyedRoutes),
    ...(auth !== 'none' && auth.esb === true ? (['invalid_esb_token'] as const) : []),
    ...(body === undefined && querystring === undefined ? [] : (['invalid_parameter'] as const)),
    ...(body === undefined ? [] : refusalsOfBodies),
    ...(takesRequestId(body) ? refusalsOfRequestIds : []),
  ])
  const byStatus = Object.groupBy(
    [...kinds].map((kind) => errorTable[kind]),
    ({ status }) => status,
  )
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, rows = []]) => [status, errorResponse(rows)]),
  )
}

function errorResponse(rows: readonly ErrorRow[]): object {
  const codes = rows.map(({ code }) => code)
  return {
    description: rows.map(({ code, message }) => `${code} ${message}`).join('; '),
    content: {
      'application/json': {
        schema: { allOf: [errorSchema, { type: 'object', properties: { code: codeField(codes) } }] },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

function codeField(codes: readonly number[]): object {
  return { type: 'integer', enum: codes, description: 'One of the codes of this status.' }
}

/** By code. */
export function errorExamples(baseUrl: string): Record<string, object> {
  return Object.fromEntries(
    Object.values(errorTable).map(({ code, message, when }) => [
      code,
      {
        summary: message,
        value: { code, message, reason: when, link: `${baseUrl}/docs/errors#${code}`, tid: exampleId },
      },
    ]),
  )
}
