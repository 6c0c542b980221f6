// The OpenAPI document: made from the routes' own schemas when somebody first asks for it.
import type { FastifyInstance, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import type { RefusalKind } from '../../kernel/result.ts'
import type { HttpContext } from '../context.ts'
import { errorTable } from '../errors/errors.ts'
import type { App, RouteAuth } from '../types.ts'

const apiPrefixes = ['/api/', '/prows/']

/** What every route that needs a key may refuse. */
const refusalsOfKeyedRoutes: readonly RefusalKind[] = [
  'authentication_required',
  'invalid_api_key',
  'access_denied',
  'too_many_requests',
  'service_unavailable',
]
const refusalsOfBodies: readonly RefusalKind[] = ['invalid_json', 'invalid_content_type', 'body_too_large']
/** What every route may refuse that makes something once per request id. */
const refusalsOfRequestIds: readonly RefusalKind[] = ['request_in_flight', 'request_id_reused']

const errorSchema = Type.Object(
  {
    code: Type.Integer(),
    message: Type.String(),
    reason: Type.String(),
    link: Type.String(),
    tid: Type.String({ format: 'uuid' }),
    operation_id: Type.Optional(Type.String({ format: 'uuid' })),
  },
  { title: 'Error' },
)

/** The routes of the API as they are declared; the document is made of them. */
export type DeclaredRoutes = () => readonly RouteOptions[]

/** Remembers the API's routes. Call before the first one is declared. */
export function rememberRoutes(app: App): DeclaredRoutes {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    const isHidden = (route.schema as { hide?: boolean } | undefined)?.hide === true
    if (!isHidden && apiPrefixes.some((prefix) => route.url.startsWith(prefix))) routes.push({ ...route })
  })
  return () => routes
}

/**
 * An app of its own that serves nothing but the reference: `GET /openapi.json` and Scalar under `/docs/`.
 * Its libraries take a third of a second to load, which is nobody's business at the start.
 */
export async function createReference(
  context: HttpContext,
  declared: DeclaredRoutes,
): Promise<FastifyInstance> {
  const [{ default: fastify }, { default: swagger }, { default: scalar }] = await Promise.all([
    import('fastify'),
    import('@fastify/swagger'),
    import('@scalar/fastify-api-reference'),
  ])
  const reference = fastify({ routerOptions: { ignoreTrailingSlash: true } })
  reference.setValidatorCompiler(() => () => true)
  reference.setSerializerCompiler(() => (data) => JSON.stringify(data))
  await reference.register(swagger, { openapi: documentHead(context) })
  for (const route of declared()) reference.route(describedRoute(route))
  reference.get('/openapi.json', { schema: { hide: true } }, () => reference.swagger())
  await reference.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Comporta API',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
    },
  })
  await reference.ready()
  return reference
}

function documentHead({ baseUrl, deps }: HttpContext) {
  const [scheme] = deps.config.authSchemes
  return {
    openapi: '3.1.0' as const,
    info: {
      title: 'Comporta',
      version: 'v2',
      description: [
        `A payment gateway. Errors: [${baseUrl}/docs/errors](${baseUrl}/docs/errors).`,
        'Callbacks report what customers and banks do. What a merchant does through this API, such as a refund, sends a',
        'callback only when the operator has switched `self_events` on for the merchant; it is off by default.',
      ].join(' '),
    },
    servers: [{ url: baseUrl }],
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'Authorization',
          description: `\`${scheme} <API key>\``,
        },
        esbToken: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'Proxy-Authorization',
          description: '`ESBToken=<ESB token>`: the card API needs it in addition to the key.',
        },
      },
    },
  }
}

/** The route without anything that runs, with its security and what it may refuse. */
function describedRoute(route: RouteOptions): RouteOptions {
  const auth = route.config?.auth ?? {}
  const schema = (route.schema ?? {}) as { body?: unknown; response?: Record<string, unknown> }
  return {
    method: route.method,
    url: route.url,
    schema: {
      ...schema,
      security: auth === 'none' ? [] : [securityOf(auth)],
      response: {
        200: { description: 'Done', ...((schema.response?.[200] ?? {}) as object) },
        ...errorResponses(route, auth, schema.body),
      },
    } as NonNullable<RouteOptions['schema']>,
    handler: () => undefined,
  }
}

function takesRequestId(body: unknown): boolean {
  const { properties = {} } = (body ?? {}) as { readonly properties?: object }
  return 'request_id' in properties
}

function securityOf(auth: RouteAuth): Record<string, string[]> {
  return auth.esb === true ? { apiKey: [], esbToken: [] } : { apiKey: [] }
}

/** One response per HTTP status, listing the codes that it may carry. */
function errorResponses(
  route: RouteOptions,
  auth: RouteAuth | 'none',
  body: unknown,
): Record<number, unknown> {
  const kinds = new Set<RefusalKind>([
    ...(route.config?.refusals ?? []),
    ...(auth === 'none' ? [] : refusalsOfKeyedRoutes),
    ...(auth !== 'none' && auth.esb === true ? (['invalid_esb_token'] as const) : []),
    ...(body === undefined ? [] : refusalsOfBodies),
    ...(takesRequestId(body) ? refusalsOfRequestIds : []),
  ])
  const byStatus = Object.groupBy(
    [...kinds].map((kind) => errorTable[kind]),
    ({ status }) => status,
  )
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, rows]) => [
      status,
      {
        ...errorSchema,
        description: (rows ?? []).map(({ code, message }) => `${code} ${message}`).join('; '),
      },
    ]),
  )
}
