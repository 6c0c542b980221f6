// A small gateway for tests: one route of each kind, fixed callers, raw sockets.
import { connect } from 'node:net'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { Type } from 'typebox'
import { request } from 'undici'
import { expect } from 'vitest'
import {
  type App,
  amountSchema,
  callerOf,
  createApp,
  drain,
  errorTable,
  type HttpConfig,
  type HttpDeps,
  idOf,
  limitPerMinute,
  pageQuery,
  parseAmount,
  parsePage,
  sendText,
  serveSite,
  textSchema,
} from '../../src/http/index.ts'
import { readKey } from '../../src/idempotency/key.ts'
import { isUuid, systemRandomness } from '../../src/kernel/random.ts'
import { deny, ok, type RefusalKind, refuse, unwrap } from '../../src/kernel/result.ts'
import { systemClock } from '../../src/kernel/time.ts'
import { type Caller, permissions, rights } from '../../src/kernel/values/permissions.ts'

export const keys = {
  all: 'key-of-demo-shop',
  plain: 'key-of-plain-shop',
  slow: 'key-not-in-memory',
} as const
export const esbToken = 'esb-token-of-demo-shop'

const demoShop: Caller = {
  walletId: 1n,
  keyId: 'demo',
  permissions: new Set(permissions),
  rights: new Set(rights),
}
const plainShop: Caller = { walletId: 2n, keyId: 'plain', permissions: new Set(), rights: new Set() }

const thing = Type.Object({
  payment: Type.Object({
    amount: amountSchema,
    currency: Type.String({ maxLength: 3 }),
    store: Type.Optional(Type.Integer({ minimum: 1 })),
    instant: Type.Optional(Type.Boolean()),
    notes: Type.Optional(textSchema(20)),
    items: Type.Optional(
      Type.Array(
        Type.Object({
          qt: Type.Optional(Type.Integer()),
          ref: Type.Optional(Type.Union([Type.String(), Type.Number()])),
        }),
        {
          maxItems: 3,
        },
      ),
    ),
    client: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
  }),
  request_id: Type.Optional(Type.String()),
})

const thingMade = Type.Object({
  cents: Type.String(),
  id: Type.Optional(Type.String()),
  wallet: Type.String(),
})

export const validBody = { payment: { amount: 10.5, currency: 'EUR' } }

export interface Gateway {
  readonly app: App
  readonly url: string
  readonly port: number
  readonly logged: { readonly details: object; readonly message: string }[]
  readonly received: unknown[]
  /** GET /held answers after `until`. */
  hold(until: Promise<void>): void
  lookedUp(): number
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>
  /** Sends bytes. Returns everything that arrives until the gateway is silent or closes. */
  say(...chunks: (string | Uint8Array)[]): Promise<string>
  close(): Promise<void>
}

export interface AskOptions {
  /** Default: a key with all permissions. */
  readonly key?: string | null
  readonly headers?: Record<string, string>
  /** JSON, unless it is text or bytes. */
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
  readonly json: unknown
}

export async function openGateway(
  config: Partial<HttpConfig> = {},
  change: Partial<HttpDeps> = {},
): Promise<Gateway> {
  const logged: Gateway['logged'] = []
  const received: unknown[] = []
  let lookedUp = 0
  const log = (details: object, message: string) => void logged.push({ details, message })
  const logError = (details: { readonly route?: string; readonly err?: unknown }, message: string) => {
    log(details, message)
    // Prints unexpected errors.
    if (details.err !== undefined && details.route !== '/api/v2/faults/:kind') console.error(details.err)
  }
  const app = createApp({
    config: {
      baseUrl: 'https://pay.example',
      mode: 'sandbox',
      authSchemes: ['Comporta', 'Old'],
      rateLimits: false,
      trustProxy: 'loopback',
      ...config,
    },
    clock: systemClock,
    random: systemRandomness,
    authenticate: {
      byApiKey(key, mayAsk = () => true) {
        if (key === keys.all) return ok(demoShop)
        if (key === keys.plain) return ok(plainShop)
        const isKey = key.startsWith('key-')
        if (isKey && !mayAsk()) return refuse('too_many_requests', 'too many unknown API keys')
        if (isKey) lookedUp += 1
        if (key === keys.slow) return new Promise((resolve) => setTimeout(resolve, 5, ok(demoShop)))
        return isKey
          ? refuse('invalid_api_key', 'the API key is unknown or revoked')
          : refuse('authentication_required', 'an API key looks like key-…')
      },
      isCurrent: (caller) => caller === demoShop || caller === plainShop,
      esbTokenMatches: async (_walletId, token) => token === esbToken,
    },
    ready: async () => undefined,
    metrics: new Registry(),
    logger: { error: logError, info: log },
    ...change,
  })
  declareRoutes(app, received)
  let held = Promise.resolve()
  app.get('/held', { config: { auth: 'none' }, schema: { hide: true } }, async () => {
    await held
    return { held: true }
  })
  app.get('/held-page', { config: { auth: 'none', page: true }, schema: { hide: true } }, async () => {
    await held
    return 'held'
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const port = Number(new URL(url).port)
  return {
    app,
    url,
    port,
    logged,
    received,
    hold: (until) => {
      held = until
    },
    lookedUp: () => lookedUp,
    ask: (method, path, options = {}) => ask(url, method, path, options),
    say: (...chunks) => say(port, chunks),
    close: () => drain(app, { graceMs: 2_000 }),
  }
}

function declareRoutes(app: App, received: unknown[]): void {
  const limitReads = limitPerMinute('thing reads', 30)
  app.post(
    '/api/v2/things',
    {
      config: { auth: { permission: 'checkout' }, refusals: ['missing_parameter', 'invalid_parameter'] },
      schema: {
        summary: 'Make a thing',
        body: thing,
        response: { 200: thingMade },
      },
    },
    async (incoming) => {
      const amount = unwrap(parseAmount(incoming.body.payment.amount, 'payment.amount'))
      const key = unwrap(readKey(incoming, Buffer.from))
      received.push(incoming.body)
      return {
        cents: String(amount),
        id: key?.requestId,
        wallet: String(callerOf(incoming).walletId),
      } as never
    },
  )
  app.get(
    '/api/v2/things',
    {
      config: { auth: { permission: 'operations' } },
      schema: {
        querystring: Type.Object({
          ...pageQuery,
          ref: Type.Optional(Type.String()),
          all: Type.Optional(Type.Boolean()),
        }),
      },
    },
    async (incoming) => ({
      ...unwrap(parsePage(incoming.query)),
      ref: incoming.query.ref,
      all: incoming.query.all,
    }),
  )
  app.get(
    '/api/v2/things/:id',
    { schema: { params: Type.Object({ id: Type.String({ format: 'uuid' }) }) } },
    async (incoming, reply) => {
      unwrap(limitReads(incoming, reply, incoming.params.id))
      return sendText(reply, `{"id":"${unwrap(idOf(incoming.params.id, 'thing'))}"}`)
    },
  )
  app.delete(
    '/api/v2/things/:id',
    { schema: { params: Type.Object({ id: Type.String() }) } },
    async (incoming) => {
      received.push(incoming.body)
      return unwrap(idOf(incoming.params.id, 'thing')) !== ''
    },
  )
  app.post(
    '/api/v2/things/:id/poke',
    { schema: { body: Type.Object({ how: Type.Optional(Type.String()) }) } },
    async (incoming) => ({
      how: incoming.body.how ?? 'softly',
    }),
  )
  app.post(
    '/prows/v2/things',
    { config: { auth: { permission: 'card', rights: ['partner'], esb: true } } },
    async () => ({}),
  )
  app.get('/api/v2/faults/:kind', { config: { auth: 'none' }, schema: { hide: true } }, async (incoming) => {
    const { kind } = incoming.params as { kind: string }
    if (kind === 'database')
      throw Object.assign(new Error('connect ECONNREFUSED'), { name: 'DatabaseUnavailable' })
    if (kind === 'odd') throw Object.assign(new Error('odd'), { statusCode: 418 })
    if (kind in errorTable)
      return deny(kind as RefusalKind, 'because', kind === 'card_declined' ? '0199' : undefined)
    throw new Error('card 4176660000000027 broke it')
  })
  app.post(
    '/page/:id',
    { config: { auth: 'none', page: true }, schema: { hide: true } },
    async (incoming, reply) =>
      reply.type('text/html; charset=utf-8').send(`<p>${JSON.stringify(incoming.body ?? null)}`),
  )
  serveSite(app, join(import.meta.dirname, 'nothing-built-here'), 'https://pay.example')
  app.get(
    '/guide/*',
    { config: { auth: 'none', page: true }, schema: { hide: true } },
    async (_incoming, reply) => reply.type('text/html; charset=utf-8').send('<p>'),
  )
}

async function ask(url: string, method: string, path: string, options: AskOptions): Promise<Answer> {
  const { key = keys.all, headers = {}, body } = options
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const answer = await request(url + path, {
    method: method as 'GET',
    headers: {
      ...(key === null ? {} : { authorization: `Comporta ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : isRaw ? (body as string) : JSON.stringify(body),
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, headers: answer.headers, text, json: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Waits in short steps, because on a slow machine one long pause shows nothing. */
const quietStepMs = 100
const quietSteps = 4

function say(port: number, chunks: readonly (string | Uint8Array)[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1')
  let quiet = 0
  const watch = setInterval(() => {
    quiet += 1
    if (quiet >= quietSteps) socket.destroy()
  }, quietStepMs)
  socket.on('data', (chunk) => {
    quiet = 0
    answer += chunk
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    clearInterval(watch)
    resolve(answer)
  })
  socket.on('connect', () => {
    for (const chunk of chunks) socket.write(chunk)
  })
  return promise
}

export function firstAnswer(answer: string): {
  status: number
  json: { code?: number; reason?: string; tid?: string }
} {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
  const body = Buffer.from(rest.join('\r\n\r\n'), 'latin1').subarray(0, length).toString()
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]),
    json: (parsed(body) ?? {}) as { code?: number },
  }
}

export function refused(kind: RefusalKind, reason?: RegExp | string) {
  const { code, status, message } = errorTable[kind]
  return {
    status,
    json: {
      code,
      message,
      reason: reason instanceof RegExp ? expect.stringMatching(reason) : (reason ?? expect.any(String)),
      link: `https://pay.example/docs/errors#${code}`,
      tid: expect.toSatisfy(isUuid),
    },
  }
}
