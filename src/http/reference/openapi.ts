// The OpenAPI document, made from the routes' schemas on first request.
import type { RouteOptions } from 'fastify'
import type { HttpContext } from '../context.ts'
import type { App, RouteAuth } from '../types.ts'
import { completeProperties } from './complete.ts'
import {
  answerHeaders,
  type DescribedSchema,
  idempotencyKey,
  parametersOf,
  requestBodyOf,
  responsesOf,
} from './messages.ts'
import { hoistTitled } from './plain.ts'
import { errorExamples, errorResponses, takesRequestId } from './refusals.ts'
import { tags } from './tags.ts'
import { webhooksOf } from './webhooks.ts'

const apiPrefixes = ['/api/', '/prows/']

export type DeclaredRoutes = () => readonly RouteOptions[]

/** Call before the first route is declared. Response schemas are documentation here and do not serialize. */
export function rememberRoutes(app: App): DeclaredRoutes {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (!apiPrefixes.some((prefix) => route.url.startsWith(prefix))) return
    route.serializerCompiler = () => JSON.stringify
    const isHidden = (route.schema as { hide?: boolean } | undefined)?.hide === true
    if (!isHidden) routes.push({ ...route })
  })
  return () => routes
}

/** `@fastify/swagger` repeats titled schemas, keeps our `x-` keywords and does not know refusals. */
export function createDocument(context: HttpContext, declared: DeclaredRoutes): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of declared()) {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}')
    for (const method of [route.method].flat()) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(route) }
    }
  }
  const head = documentHead(context)
  const examples = referredExamples(errorExamples(context.baseUrl), paths)
  const document = hoistTitled({ ...head, components: { ...head.components, examples }, paths })
  completeProperties(document)
  return document
}

/** Unreferenced errors appear on the page of errors only. */
function referredExamples(examples: Record<string, object>, paths: object): Record<string, object> {
  const text = JSON.stringify(paths)
  const referred = Object.entries(examples).filter(([name]) =>
    text.includes(`"#/components/examples/${name}"`),
  )
  return Object.fromEntries(referred)
}

function documentHead({ baseUrl, deps, webhooks }: HttpContext) {
  const [scheme] = deps.config.authSchemes
  return {
    openapi: '3.1.0' as const,
    info: {
      title: 'Comporta',
      version: 'v2',
      description: overview(baseUrl),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags,
    webhooks: webhooksOf(webhooks),
    components: {
      headers: answerHeaders,
      securitySchemes: {
        apiKey: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'Authorization',
          description: `\`${scheme} <API key>\`. Where a client cannot set it, a body may hold the key as \`merchant.apikey\`.`,
        },
        esbToken: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'Proxy-Authorization',
          description:
            '`ESBToken=<ESB token>`: the card API needs it in addition to the key. Where a client or proxy lets no `Proxy-Authorization` pass, such as a browser, the header `X-ESB-Token` holds the token alone.',
        },
      },
    },
  }
}

function overview(baseUrl: string): string {
  return [
    `A payment gateway. How to begin: [guides](${baseUrl}/docs/). What to do about each code: [errors](${baseUrl}/docs/errors).`,
    'Bodies are JSON. Amounts are numbers in euros with at most 2 decimals; a numeric string is read as well. Dates are',
    'written `YYYY-MM-DDThh:mm:ss+0000`; any ISO 8601 form is read, without a zone as UTC. Words of an enumeration and',
    'ids are read in any case, and fields that are not known are ignored: in the sandbox a header `Warning` names them.',
    'Bodies hold at most 64 KiB.',
    '',
    'A request with a `request_id` (a UUID), or with a header `Idempotency-Key`, happens once: repeated, it is answered',
    'with the first answer again. Lists are read page by page, newest first.',
    '',
    'Callbacks report what becomes of payments, cards, mandates and subscriptions. Four calls send one only when the operator',
    'has switched `self_events` on for the merchant, which is off by default: a refund that is decided at once, voiding a',
    'checkout, voiding a subscription, and deleting a reference.',
  ].join('\n')
}

interface RouteSchema {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly body?: DescribedSchema
  readonly documentedBody?: DescribedSchema
  readonly querystring?: DescribedSchema
  readonly params?: DescribedSchema
  readonly response?: Readonly<Record<string, DescribedSchema>>
}

function operationOf(route: RouteOptions): object {
  const auth = route.config?.auth ?? {}
  const { operationId, summary, description, tags, ...schema } = (route.schema ?? {}) as RouteSchema
  const { body = schema.documentedBody } = schema
  const isRepeatable = takesRequestId(body)
  const parameters = [
    ...parametersOf('path', schema.params),
    ...parametersOf('query', schema.querystring),
    ...(isRepeatable ? [idempotencyKey] : []),
  ]
  return {
    operationId,
    summary,
    description,
    tags,
    security: auth === 'none' ? [] : [securityOf(auth)],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBodyOf(body) }),
    responses: responsesOf(schema.response ?? {}, errorResponses(route, auth), isRepeatable),
  }
}

function securityOf(auth: RouteAuth): Record<string, string[]> {
  return auth.esb === true ? { apiKey: [], esbToken: [] } : { apiKey: [] }
}
