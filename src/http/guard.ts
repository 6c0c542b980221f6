// The guard of a route: credentials, limits, rights, permissions, ESB token.
import { ok, type Refusal, type Result, refuse } from '../kernel/result.ts'
import type { Caller } from '../kernel/values/permissions.ts'
import { beginRequest, malformedRequest, sendRefusal } from './answers.ts'
import { keyHolders } from './body/unexpected-fields.ts'
import type { HttpContext } from './context.ts'
import { addressSubject, type Limiter, limitHeaders } from './rate-limits.ts'
import type { App, AppReply, AppRequest, RouteAuth } from './types.ts'

type Done = () => void

export interface Guard {
  beforeBody(request: AppRequest, reply: AppReply, done: Done): void
  afterBody(request: AppRequest, reply: AppReply, done: Done): void
  /** Checks again after the body or a wait, because the key may have been revoked meanwhile. */
  again(request: AppRequest, reply: AppReply, done: Done): void
}

/** Checks in this order: credentials (20001, 20005), limit (10029), rights (20002), ESB token (20004). */
export function createGuard(context: HttpContext, auth: RouteAuth): Guard {
  const { authenticate, config } = context.deps
  const keyIn = keyReader(config.authSchemes)

  function admit(
    request: AppRequest,
    reply: AppReply,
    done: Done,
    result: Result<Caller>,
    isCounted: boolean,
  ): void {
    if (!result.ok) {
      if (isCounted) sendRefusal(reply, result.refusal)
      else rejectUnauthenticated(context, request, reply, result.refusal)
      return
    }
    if (isCounted) context.limiters?.address.uncount(addressSubject(request.ip))
    const caller = result.value
    if (context.limiters !== undefined && !isWithin(context.limiters.key, caller.keyId, reply)) return
    // With the caller set, later refusals appear in the caller's request log.
    request.caller = caller
    const lacking = lackingOf(caller, auth, request.method)
    if (lacking !== undefined) return void sendRefusal(reply, lacking)
    if (auth.esb === true) checkEsbToken(request, reply, done, caller)
    else done()
  }

  function checkEsbToken(request: AppRequest, reply: AppReply, done: Done, caller: Caller): void {
    if (isRepeated(request, 'proxy-authorization')) {
      return rejectUnauthenticated(context, request, reply, sentTwice('Proxy-Authorization'))
    }
    const { 'proxy-authorization': usual, [plainEsbHeader]: plain } = request.headers
    if (isRepeated(request, plainEsbHeader) || (plain !== undefined && usual !== undefined)) {
      return rejectUnauthenticated(context, request, reply, oneEsbToken)
    }
    const token = esbTokenOf(request)
    if (!token.ok) return void sendRefusal(reply, token.refusal)
    const settle = (matches: boolean) => {
      if (matches) done()
      else rejectUnauthenticated(context, request, reply, wrongEsbToken)
    }
    whenKnown(authenticate.esbTokenMatches(caller.walletId, token.value), settle, reply)
  }

  function present(request: AppRequest, reply: AppReply, done: Done, key: string): void {
    let counted: boolean | undefined
    // Unknown keys count against the address before they reach the database.
    const mayAsk = () => {
      counted = admitAddress(request, reply, context.limiters?.address)
      return counted
    }
    const result = authenticate.byApiKey(key, mayAsk)
    if (counted === false) return
    whenKnown(result, (known) => admit(request, reply, done, known, counted === true), reply)
  }

  return {
    beforeBody(request, reply, done) {
      const { authorization } = request.headers
      if (authorization === undefined) {
        if (!hasBody(request))
          return rejectUnauthenticated(context, request, reply, noCredentials(config.authSchemes))
        // The body of a request from an address over its limit is not read.
        const { limiters } = context
        if (limiters !== undefined && !isWithin(limiters.address, addressSubject(request.ip), reply, 'peek'))
          return
        return done()
      }
      if (isRepeated(request, 'authorization')) {
        return rejectUnauthenticated(context, request, reply, sentTwice('Authorization'))
      }
      const key = keyIn(authorization)
      if (key.ok) present(request, reply, done, key.value)
      else rejectUnauthenticated(context, request, reply, key.refusal)
    },
    again(request, reply, done) {
      if (authenticate.isCurrent(request.caller)) return done()
      const settle = (refusal: Refusal | undefined) => {
        if (refusal === undefined) done()
        else rejectUnauthenticated(context, request, reply, refusal)
      }
      whenKnown(refusalByNow(request), settle, reply)
    },
    afterBody(request, reply, done) {
      const key = keyInBody(request.body)
      if (key === undefined) rejectUnauthenticated(context, request, reply, noCredentials(config.authSchemes))
      else present(request, reply, done, key)
    },
  }
}

export function admitAddress(request: AppRequest, reply: AppReply, limiter: Limiter | undefined): boolean {
  return limiter === undefined || isWithin(limiter, addressSubject(request.ip), reply)
}

function isWithin(
  limiter: Limiter,
  subject: string,
  reply: AppReply,
  how: 'take' | 'peek' = 'take',
): boolean {
  const allowance = limiter[how](subject)
  reply.headers(limitHeaders(limiter.limit, allowance))
  if (allowance.allowed) return true
  const { burst, perSecond } = limiter.limit
  sendRefusal(reply, {
    kind: 'too_many_requests',
    reason: `at most ${perSecond} requests per second, ${burst} at once: try again in ${allowance.retrySeconds} s`,
  })
  return false
}

/** Wrong credentials count against the address, so that nobody can guess keys fast. */
function rejectUnauthenticated(
  context: HttpContext,
  request: AppRequest,
  reply: AppReply,
  refusal: Refusal,
): void {
  if (admitAddress(request, reply, context.limiters?.address)) sendRefusal(reply, refusal)
}

function whenKnown<T>(answer: T | Promise<T>, next: (value: T) => void, reply: AppReply): void {
  if (answer instanceof Promise) {
    answer.then(next).catch((error: unknown) => {
      reply.send(error)
    })
  } else {
    next(answer)
  }
}

function lackingOf(caller: Caller, auth: RouteAuth, method: string): Refusal | undefined {
  for (const right of auth.rights ?? []) {
    if (!caller.rights.has(right)) {
      return {
        kind: 'access_denied',
        reason: `the wallet lacks the right ${right}, which the operator gives`,
      }
    }
  }
  if (auth.permission !== undefined && !caller.permissions.has(auth.permission)) {
    return { kind: 'access_denied', reason: `the API key lacks the permission ${auth.permission}` }
  }
  return caller.suspended !== undefined && isBlockedWhenSuspended(auth, method)
    ? { kind: 'access_denied', reason: caller.suspended }
    : undefined
}

/** Whether suspension forbids the request (API and backoffice). A merchant can still read, end and refund. */
export function isBlockedWhenSuspended({ permission, whileSuspended }: RouteAuth, method: string): boolean {
  return permission !== undefined && whileSuspended !== true && method !== 'GET' && method !== 'DELETE'
}

/** Refuses requests that a proxy may read differently (two hosts, chunks in HTTP/1.0), and closes. */
export function refuseAmbiguousRequests(app: App, { apiHeaders }: HttpContext): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { httpVersion, headers } = request.raw
    const isAmbiguous =
      isRepeated(request, 'host') || (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined)
    if (!isAmbiguous) return done()
    beginRequest(request, reply, apiHeaders)
    sendRefusal(reply.header('connection', 'close'), malformedRequest)
  })
}

/** Node keeps the first of two equal headers, but a proxy may use the last. */
function isRepeated({ raw: { rawHeaders } }: AppRequest, name: string): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string
    if (header.length === name.length && header.toLowerCase() === name) count += 1
  }
  return count > 1
}

function sentTwice(header: 'Authorization' | 'Proxy-Authorization'): Refusal {
  const kind = header === 'Authorization' ? 'authentication_required' : 'invalid_esb_token'
  return { kind, reason: `the header ${header} must be sent once` }
}

function noCredentials([scheme]: readonly string[]): Refusal {
  return { kind: 'authentication_required', reason: `the header Authorization must be "${scheme} <API key>"` }
}

function keyReader(schemes: readonly string[]): (header: string) => Result<string> {
  const usual = `${schemes[0]} `
  const accepted = new Set(schemes.map((scheme) => scheme.toLowerCase()))
  return (header) => {
    if (header.startsWith(usual) && !header.includes(' ', usual.length)) return ok(header.slice(usual.length))
    const [, scheme, key] = /^(\S+)\s+(\S+)\s*$/.exec(header) ?? []
    if (scheme === undefined || key === undefined || !accepted.has(scheme.toLowerCase())) {
      return { ok: false, refusal: noCredentials(schemes) }
    }
    return ok(key)
  }
}

/** Browsers and some proxies drop Proxy-Authorization, so the token is accepted here too. */
const plainEsbHeader = 'x-esb-token'
const oneEsbToken: Refusal = {
  kind: 'invalid_esb_token',
  reason: 'the ESB token must be sent once: in Proxy-Authorization, or in X-ESB-Token',
}

const wrongEsbToken: Refusal = {
  kind: 'invalid_esb_token',
  reason: 'Proxy-Authorization must carry the ESB token of the wallet that the API key belongs to',
}

function esbTokenOf({ headers }: AppRequest): Result<string> {
  const { 'proxy-authorization': usual, [plainEsbHeader]: plain } = headers
  return plain === undefined ? esbTokenIn(usual) : ok(String(plain).trim())
}

/** Reads the three spellings that clients use (CONTRACT section 4). */
function esbTokenIn(header: string | undefined): Result<string> {
  const token = header === undefined ? undefined : /^ESB ?Token(?: *= *| +)(\S+)\s*$/i.exec(header)?.[1]
  return token === undefined
    ? refuse(
        'invalid_esb_token',
        'the header Proxy-Authorization must be "ESBToken=<ESB token>", or X-ESB-Token the token alone',
      )
    : ok(token)
}

export function hasBody({ headers, method }: AppRequest): boolean {
  if (method === 'GET') return false
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

/** Reads `merchant.apikey`, also inside the request's object (SPEC.md Authentication 3). */
function keyInBody(body: unknown): string | undefined {
  const { merchant, ...fields } = (body ?? {}) as Record<string, { merchant?: unknown } | null>
  for (const holder of [merchant, ...keyHolders.map((name) => fields[name]?.merchant)]) {
    const key = (holder as { apikey?: unknown } | null | undefined)?.apikey
    if (typeof key === 'string') return key
  }
  return undefined
}

export async function refusalByNow(request: AppRequest): Promise<Refusal | undefined> {
  const { authenticate, config } = request.server.http.deps
  const { auth } = request.routeOptions.config
  const { authorization } = request.headers
  const inBody = authorization === undefined ? keyInBody(request.body) : undefined
  const key = inBody === undefined ? keyReader(config.authSchemes)(authorization ?? '') : ok(inBody)
  const caller = key.ok ? await authenticate.byApiKey(key.value) : key
  if (!caller.ok) return caller.refusal
  request.caller = caller.value
  if (auth === undefined || auth === 'none') return undefined
  const lacking = lackingOf(caller.value, auth, request.method)
  if (lacking !== undefined || auth.esb !== true) return lacking
  const token = esbTokenOf(request)
  if (!token.ok) return token.refusal
  return (await authenticate.esbTokenMatches(caller.value.walletId, token.value)) ? undefined : wrongEsbToken
}

export function callerOf(request: AppRequest): Caller {
  if (request.caller === undefined)
    throw new Error(`${request.routeOptions.url} lets callers in without a key`)
  return request.caller
}
