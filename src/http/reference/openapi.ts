// The OpenAPI document, made from the routes' schemas on first request.
import type { RouteOptions } from 'fastify'
import { programVersion } from '../../kernel/project-root.ts'
import type { HttpContext } from '../context.ts'
import { limits } from '../rate-limits.ts'
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

/** Call it before the first route is declared. Response schemas are documentation and serialize nothing. */
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

/** `@fastify/swagger` would repeat titled schemas, keep our `x-` keywords and omit refusals. */
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
      version: programVersion(),
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
          description: `\`${scheme} <API key>\`. If your client cannot set this header, send the key in the body as \`merchant.apikey\`.`,
        },
        esbToken: {
          type: 'apiKey' as const,
          in: 'header' as const,
          name: 'Proxy-Authorization',
          description:
            '`ESBToken=<ESB token>`. The card API needs it in addition to the key. Browsers and some proxies drop this header: send the token alone in `X-ESB-Token` instead.',
        },
      },
    },
  }
}

function overview(baseUrl: string): string {
  const { key, address } = limits
  return `A payment gateway. Start with the [guides](${baseUrl}/docs/). [Errors](${baseUrl}/docs/errors) explains every code.

**Format.** Bodies are JSON of at most 64 KiB. Amounts are in euros: a number or a numeric string with at most 2 decimals.
The gateway writes dates as \`YYYY-MM-DDThh:mm:ss+0000\`. It accepts any ISO 8601 form; without a zone it means UTC. Ids and
words of an enumeration may be in any case. Unknown fields are ignored.

**Environments.** The sandbox simulates all payment networks: no money moves, and no contract is needed. In production the
same API moves money, at another address and with other keys. Only the sandbox adds the header \`Warning\`, which names
ignored fields.

**Versioning.** The version is in the path: \`/api/v2\`, \`/prows/v2\`. Releases of the gateway follow semantic versioning. A new
release may add fields and enumeration values to answers: your program should ignore unknown ones.

**Rate limits.** Each API key may send ${key.perSecond} requests per second, and ${key.burst} at once. Each address without a valid
key may send ${address.perSecond} per second, and ${address.burst} at once. The headers \`RateLimit-Policy\` and \`RateLimit\` show
the limit and the remaining requests. Over the limit the answer is 429 with code 10029: wait for the seconds in \`Retry-After\`.

**Rights.** The operator gives rights to a wallet. \`partner\` means that the merchant may use the card API, Multibanco
references and mandates. \`pci_dss\` allows plain card data, and \`marketplace\` allows splits. A call without its right gets
403 with code 20002.

**Idempotency.** Send a \`request_id\` (a UUID), or the header \`Idempotency-Key\`. If you repeat the request, you get the first
answer again. Lists are divided into pages, newest records first.

**Callbacks** report new states of payments, cards, mandates and subscriptions. Four calls send one only if the operator
has set \`self_events\` (default: off). They are an immediate refund, voiding a checkout or a subscription, and deleting a reference.`
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
