// Error responses of a route in the reference.
import type { RouteOptions } from 'fastify'
import { Type } from 'typebox'
import type { RefusalKind } from '../../kernel/result.ts'
import { type ErrorRow, errorTable } from '../errors/errors.ts'
import type { RouteAuth } from '../types.ts'
import { exampleId } from './fields.ts'

const refusalsOfKeyedRoutes: readonly RefusalKind[] = [
  'authentication_required',
  'invalid_api_key',
  'access_denied',
  'too_many_requests',
  'service_unavailable',
]
const refusalsOfBodies: readonly RefusalKind[] = ['invalid_json', 'invalid_content_type', 'body_too_large']
const refusalsOfRequestIds: readonly RefusalKind[] = ['request_in_flight', 'request_id_reused']

const errorSchema = Type.Object(
  {
    code: Type.Integer({
      description: 'Error code. Use this number in your program: its meaning never changes.',
      examples: [10002],
    }),
    message: Type.String({
      description: 'Title of the error. The same for every error with this code.',
      examples: ['Invalid parameter'],
    }),
    reason: Type.String({
      description: 'Details for people: the field or rule, and the accepted values. The text can change.',
      examples: ['payment.amount must have at most 2 decimals'],
    }),
    link: Type.String({
      format: 'uri',
      description: 'Address of the page that explains the code.',
      examples: ['https://pay.example/docs/errors#10002'],
    }),
    tid: Type.String({
      format: 'uuid',
      description: 'Id of this request in the logs of the gateway. Equals the header `X-Request-Id`.',
    }),
    operation_id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Id of the failed operation, if the request created one.',
      }),
    ),
  },
  { title: 'Error', description: 'Body of every 4xx and 5xx answer.' },
)

export function takesRequestId(body: unknown): boolean {
  const { properties = {} } = (body ?? {}) as { readonly properties?: object }
  return 'request_id' in properties
}

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
  return { type: 'integer', enum: codes, description: 'One of the codes with this status.' }
}

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
