// Signing in and out, and what somebody does about their own account: the library's endpoints, those that are wanted.
import { Type } from 'typebox'
import {
  type App,
  type AppReply,
  type AppRequest,
  isFromOtherSite,
  sendRefusal,
} from '../../../http/index.ts'
import { type Refusal, type RefusalKind, refuse, unwrap } from '../../../kernel/result.ts'
import { after, type Clock, minute, toTimestamp } from '../../../kernel/time.ts'
import type { Database } from '../../../storage/index.ts'
import type { Person } from '../../access/person.ts'
import { confirmSchema, signInAnswer, signInSchema } from '../../contract/session.ts'
import { type Auth, addressHeader, authPath } from '../auth.ts'
import { markConfirmed, markSignedIn } from '../store.ts'
import { bodyOf, type Endpoint, openEndpoints, ownEndpoints } from './auth-endpoints.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import { takeCode, whoseCodeIsAsked } from './two-factor-codes.ts'

export interface AuthRoutesDeps {
  readonly database: Database
  readonly clock: Clock
  readonly baseUrl: string
  readonly auth: () => Promise<Auth>
  readonly limits: SignInLimits
  readonly personOf: (request: AppRequest, reply: AppReply) => Promise<Person | undefined>
}

export function authRoutes(deps: AuthRoutesDeps): (app: App) => void {
  const { limits, database, clock } = deps
  const { origin, protocol } = new URL(deps.baseUrl)

  /** Hands a request to the library; what another page sent does not reach it. */
  async function ask(request: AppRequest, path: string, body?: unknown): Promise<Response> {
    const headers = new Headers({ origin, [addressHeader]: request.ip, host: new URL(origin).host })
    for (const name of ['cookie', 'user-agent'] as const) {
      const value = request.headers[name]
      if (value !== undefined) headers.set(name, value)
    }
    const { method } = request
    if (method === 'GET')
      return (await deps.auth()).handler(new Request(`${origin}${authPath}${path}`, { headers }))
    headers.set('content-type', 'application/json')
    const init = { method, headers, body: JSON.stringify(body ?? {}) }
    return (await deps.auth()).handler(new Request(`${origin}${authPath}${path}`, init))
  }

  async function pass(reply: AppReply, response: Response): Promise<AppReply> {
    for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
    const text = await response.text()
    if (response.ok) return reply.type('application/json; charset=utf-8').send(text === '' ? '{}' : text)
    return sendRefusal(reply, { kind: kindOf(response.status), reason: reasonOf(text) })
  }

  /** The session of whoever has been signed in counts as one that is confirmed. */
  async function signIn(request: AppRequest, reply: AppReply) {
    const { email, password } = request.body as { email: string; password: string }
    const wait = await limits.begin(email, request.ip)
    if (wait !== undefined) return sendRefusal(reply, wait)
    const response = await ask(request, '/sign-in/email', { email: email.trim(), password })
    if (response.status >= serverError) return pass(reply, response)
    if (!response.ok) {
      const reason = 'e-mail and password do not belong together'
      return sendRefusal(reply, { kind: 'authentication_required', reason })
    }
    for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
    const { twoFactorRedirect, user } = (await response.json()) as SignedIn
    if (twoFactorRedirect !== true) await signedIn(request, email, user?.id)
    return reply.send({ two_factor: twoFactorRedirect === true })
  }

  async function signedIn(request: AppRequest, account: string | undefined, userId: string | undefined) {
    await limits.succeeded(account, request.ip)
    if (userId !== undefined) await markSignedIn(database, userId, clock.now())
  }

  /** Whose code it is: of who has shown their password, or is signed in and begins to use an app. */
  async function asked(request: AppRequest, reply: AppReply) {
    const waiting = await whoseCodeIsAsked(database, request.headers.cookie, protocol === 'https:')
    if (waiting !== undefined) return waiting
    const person = await deps.personOf(request, reply)
    return person && { id: person.userId, email: person.email }
  }

  async function open(endpoint: Endpoint, request: AppRequest, reply: AppReply) {
    if (endpoint.method === 'GET') return pass(reply, await ask(request, endpoint.path))
    const isCode = endpoint.path.startsWith('/two-factor/')
    const user = isCode ? await asked(request, reply) : undefined
    if (isCode && user === undefined) {
      return sendRefusal(reply, { kind: 'authentication_required', reason: 'show your password first' })
    }
    const account = user?.email
    const refusal = (await limits.begin(account, request.ip)) ?? (await usedBefore(user?.id, request.body))
    if (refusal !== undefined) return sendRefusal(reply, refusal)
    if (!isCode && !wasVerified(request.body)) {
      const reason = 'the device must ask for its PIN, a finger or a face before it uses the passkey'
      return sendRefusal(reply, { kind: 'authentication_required', reason })
    }
    const response = await ask(request, endpoint.path, bodyOf(endpoint, request))
    if (response.ok) {
      const { user: whose, session } = (await response.clone().json()) as SignedIn
      await signedIn(request, account, whose?.id ?? session?.userId)
    }
    return pass(reply, response)
  }

  /** Codes work once, also when they are read over a shoulder and typed within their half minute. */
  async function usedBefore(userId: string | undefined, body: unknown): Promise<Refusal | undefined> {
    const { code } = body as { code?: string }
    if (userId === undefined || code === undefined) return undefined
    if (await takeCode(database, clock, userId, code)) return undefined
    return { kind: 'authentication_required', reason: 'code was used: wait for the next one' }
  }

  async function own(endpoint: Endpoint, request: AppRequest, reply: AppReply) {
    const { path } = endpoint
    const { person } = request
    if (path === '/two-factor/enable' && person?.hasTwoFactor === true) {
      return sendRefusal(reply, { kind: 'illegal_state', reason: 'stop using the authenticator app first' })
    }
    const sent = bodyOf(endpoint, request)
    const takesPassword = 'password' in sent || 'currentPassword' in sent
    if (person !== undefined && takesPassword) {
      const wait = await limits.begin(`confirm ${person.email}`, request.ip)
      if (wait !== undefined) return sendRefusal(reply, wait)
    }
    const response = await ask(request, path, sent)
    if (person !== undefined && takesPassword && response.ok) {
      await limits.succeeded(`confirm ${person.email}`, request.ip)
    }
    return pass(reply, response)
  }

  async function confirm(request: AppRequest, reply: AppReply) {
    const { person } = request
    if (person === undefined) return unwrap(refuse('authentication_required', 'sign in first'))
    const { password, code } = request.body as { password?: string; code?: string }
    const refusal =
      (await limits.begin(`confirm ${person.email}`, request.ip)) ??
      (await usedBefore(person.userId, request.body))
    if (refusal !== undefined) return sendRefusal(reply, refusal)
    const isRight =
      code === undefined && !person.hasTwoFactor
        ? (await ask(request, '/verify-password', { password: password ?? '' })).ok
        : code !== undefined &&
          person.hasTwoFactor &&
          (await ask(request, '/two-factor/verify-totp', { code })).ok
    if (!isRight) {
      const reason =
        code === undefined && !person.hasTwoFactor
          ? 'password is not yours'
          : 'code is wrong, or its half minute is over'
      return sendRefusal(reply, { kind: 'invalid_parameter', reason })
    }
    await limits.succeeded(`confirm ${person.email}`, request.ip)
    await markConfirmed(database, person.sessionId, clock.now())
    return reply.send({ confirmed_until: toTimestamp(after(clock.now(), 10 * minute)) })
  }

  return (app) => {
    app.post(
      '/backoffice/api/sign-in',
      {
        config: { auth: 'none' },
        preHandler: refuseOtherPages,
        schema: { body: signInSchema, response: { 200: signInAnswer } },
      },
      (request, reply) => signIn(request, reply) as never,
    )
    app.post(
      '/backoffice/api/confirm',
      {
        config: { people: { isPrivate: true } },
        schema: { body: confirmSchema, response: { 200: Type.Unknown() } },
      },
      (request, reply) => confirm(request, reply) as never,
    )
    for (const one of openEndpoints) {
      app.route({
        method: one.method,
        url: authPath + one.path,
        config: { auth: 'none' },
        preHandler: refuseOtherPages,
        schema: { hide: true, ...(one.body && { body: one.body }) },
        handler: (request, reply) => open(one, request as AppRequest, reply as AppReply) as never,
      })
    }
    for (const one of ownEndpoints) {
      app.route({
        method: one.method,
        url: authPath + one.path,
        config: {
          people:
            one.isConfirmed === true ? { confirmed: 'always' } : { isPrivate: one.summary === undefined },
        },
        schema: {
          hide: true,
          ...(one.summary && { summary: one.summary }),
          ...(one.body && { body: one.body }),
        },
        handler: (request, reply) => own(one, request as AppRequest, reply as AppReply) as never,
      })
    }
  }
}

/**
 * Whether the device had made sure of its owner (WebAuthn, the flag UV): else whoever finds a security key could sign in
 * with it alone.
 */
function wasVerified(body: unknown): boolean {
  const { response } = body as { response?: { response?: { authenticatorData?: unknown } } }
  const data = response?.response?.authenticatorData
  const flags = typeof data === 'string' ? Buffer.from(data, 'base64url')[flagsAt] : undefined
  return flags !== undefined && (flags & userVerifiedFlag) !== 0
}

const flagsAt = 32
const userVerifiedFlag = 0x04

/** Of the library's answers, what is read. */
interface SignedIn {
  readonly twoFactorRedirect?: boolean
  readonly user?: { readonly id: string }
  readonly session?: { readonly userId: string }
}

async function refuseOtherPages(request: Parameters<typeof isFromOtherSite>[0]) {
  if (isFromOtherSite(request)) {
    unwrap(refuse('access_denied', "another site's page must not sign anybody in"))
  }
}

const serverError = 500

function kindOf(status: number): RefusalKind {
  if (status === 401) return 'authentication_required'
  if (status === 403) return 'access_denied'
  if (status === 404) return 'not_found'
  if (status === 429) return 'too_many_requests'
  // What it throws: the database is away, or too many sign in at once.
  return status < serverError ? 'invalid_parameter' : 'service_unavailable'
}

function reasonOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: string }
    if (typeof message === 'string' && message !== '') return message
  } catch {
    // Not every refusal has a body.
  }
  return 'this was refused'
}
