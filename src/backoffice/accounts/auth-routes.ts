// Signing in and out, and what somebody does about their own account: the library's endpoints, those that are wanted.
import { Type } from 'typebox'
import { type App, type AppReply, type AppRequest, isFromOtherSite, sendRefusal } from '../../http/index.ts'
import { type RefusalKind, refuse, unwrap } from '../../kernel/result.ts'
import { type Clock, minute } from '../../kernel/time.ts'
import type { Database } from '../../storage/index.ts'
import { confirmSchema, signInAnswer, signInSchema } from '../contract/session.ts'
import { type Auth, addressHeader, authPath } from './auth.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import { markConfirmed } from './store.ts'

export interface AuthRoutesDeps {
  readonly database: Database
  readonly clock: Clock
  readonly baseUrl: string
  readonly auth: () => Promise<Auth>
  readonly limits: SignInLimits
}

/** Endpoints of the library for who is not signed in yet; each counts as a try to sign in. */
const openPaths = [
  'POST /two-factor/verify-totp',
  'POST /two-factor/verify-backup-code',
  'GET /passkey/generate-authenticate-options',
  'POST /passkey/verify-authentication',
] as const
/** Those for who is. */
const ownPaths = [
  'POST /sign-out',
  'POST /change-password',
  'POST /update-user',
  'GET /list-sessions',
  'POST /revoke-session',
  'POST /revoke-other-sessions',
  'POST /two-factor/enable',
  'POST /two-factor/disable',
  'POST /two-factor/generate-backup-codes',
  'GET /passkey/generate-register-options',
  'POST /passkey/verify-registration',
  'GET /passkey/list-user-passkeys',
  'POST /passkey/delete-passkey',
  'POST /passkey/update-passkey',
] as const
/** Of those, what changes how somebody signs in, which a session left open at a desk must not. */
const confirmedPaths: ReadonlySet<string> = new Set([
  'POST /two-factor/disable',
  'POST /two-factor/generate-backup-codes',
  'POST /passkey/verify-registration',
  'POST /passkey/delete-passkey',
])

export function authRoutes(deps: AuthRoutesDeps): (app: App) => void {
  const { limits } = deps
  const origin = new URL(deps.baseUrl).origin

  /** Hands a request to the library; what another page sent does not reach it. */
  async function ask(request: AppRequest, path: string, body: unknown = request.body): Promise<Response> {
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
    if (isFromOtherSite(request))
      unwrap(refuse('access_denied', "another site's page must not sign anybody in"))
    const { email, password } = request.body as { email: string; password: string }
    const wait = await limits.begin(email, request.ip)
    if (wait !== undefined) return sendRefusal(reply, wait)
    const response = await ask(request, '/sign-in/email', { email: email.trim(), password })
    if (!response.ok) {
      const reason = 'e-mail and password do not belong together'
      return sendRefusal(reply, { kind: 'authentication_failed', reason })
    }
    for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
    const { twoFactorRedirect } = (await response.json()) as { twoFactorRedirect?: boolean }
    if (twoFactorRedirect !== true) await limits.succeeded(email)
    return reply.send({ two_factor: twoFactorRedirect === true })
  }

  async function open(request: AppRequest, reply: AppReply) {
    if (isFromOtherSite(request))
      unwrap(refuse('access_denied', "another site's page must not sign anybody in"))
    if (request.method !== 'GET') {
      const wait = await limits.begin(`code ${request.ip}`, request.ip)
      if (wait !== undefined) return sendRefusal(reply, wait)
    }
    const response = await ask(request, pathOf(request))
    if (response.ok && request.method !== 'GET') await limits.succeeded(`code ${request.ip}`)
    return pass(reply, response)
  }

  async function confirm(request: AppRequest, reply: AppReply) {
    const { person } = request
    if (person === undefined) return unwrap(refuse('authentication_required', 'sign in first'))
    const { password, code } = request.body as { password?: string; code?: string }
    const wait = await limits.begin(`confirm ${person.email}`, request.ip)
    if (wait !== undefined) return sendRefusal(reply, wait)
    const response =
      code !== undefined
        ? await ask(request, '/two-factor/verify-totp', { code })
        : await ask(request, '/verify-password', { password: password ?? '' })
    if (!response.ok) {
      const what = code === undefined ? 'password is not yours' : 'code is wrong, or its half minute is over'
      return sendRefusal(reply, { kind: 'authentication_failed', reason: what })
    }
    await limits.succeeded(`confirm ${person.email}`)
    await markConfirmed(deps.database, person.sessionId, deps.clock.now())
    return reply.send({ confirmed_until: new Date(deps.clock.now() + 10 * minute).toISOString() })
  }

  return (app) => {
    app.post(
      '/backoffice/api/sign-in',
      { config: { auth: 'none' }, schema: { body: signInSchema, response: { 200: signInAnswer } } },
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
    for (const one of openPaths) {
      const [method, path] = one.split(' ') as ['GET' | 'POST', string]
      app.route({
        method,
        url: authPath + path,
        config: { auth: 'none' },
        schema: { hide: true },
        handler: (request, reply) => open(request, reply) as never,
      })
    }
    for (const one of ownPaths) {
      const [method, path] = one.split(' ') as ['GET' | 'POST', string]
      app.route({
        method,
        url: authPath + path,
        config: {
          people: confirmedPaths.has(one) ? { confirmed: 'always' } : { isPrivate: one === 'POST /sign-out' },
        },
        schema: { summary: summaries[path] ?? path.slice(1), hide: true },
        handler: async (request, reply) => pass(reply, await ask(request, pathOf(request))) as never,
      })
    }
  }
}

/** As the log of who did what names them. */
const summaries: Readonly<Record<string, string>> = {
  '/change-password': 'Change their password',
  '/update-user': 'Change their name',
  '/revoke-session': 'End one of their sessions',
  '/revoke-other-sessions': 'End their other sessions',
  '/two-factor/enable': 'Begin to use an authenticator app',
  '/two-factor/disable': 'Stop using an authenticator app',
  '/two-factor/generate-backup-codes': 'Make new backup codes',
  '/passkey/verify-registration': 'Add a passkey',
  '/passkey/delete-passkey': 'Remove a passkey',
  '/passkey/update-passkey': 'Rename a passkey',
}

function pathOf(request: AppRequest): string {
  return request.url.slice(authPath.length)
}

function kindOf(status: number): RefusalKind {
  if (status === 401) return 'authentication_failed'
  if (status === 403) return 'access_denied'
  if (status === 404) return 'not_found'
  if (status === 429) return 'too_many_requests'
  return status < 500 ? 'invalid_parameter' : 'internal_error'
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
