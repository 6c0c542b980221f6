// Routes for signing in and out, and for a person's own account.
import { Type } from 'typebox'
import {
  type App,
  type AppReply,
  type AppRequest,
  addressSubject,
  isFromOtherSite,
  limitPerMinute,
} from '../../../http/index.ts'
import { deny, type Refusal, unwrap } from '../../../kernel/result.ts'
import { after, minute, toTimestamp } from '../../../kernel/time.ts'
import type { Core } from '../../../module.ts'
import type { Person } from '../../access/person.ts'
import { confirmSchema, signInAnswer, signInSchema } from '../../contract/session.ts'
import { type Auth, authPath } from '../auth.ts'
import { endSessionsBefore, markConfirmed, markSignedIn } from '../store.ts'
import { weaknessOf } from '../weak-passwords.ts'
import { bodyOf, type Endpoint, openEndpoints, ownEndpoints } from './auth-endpoints.ts'
import { cookieRules, passCookies } from './cookies.ts'
import type { KnownDevices } from './known-devices.ts'
import { createLibrary, pass, type SignedIn, serverError } from './library.ts'
import type { SignInLimits, Try } from './sign-in-limits.ts'
import type { SignInLog } from './sign-in-log.ts'
import { endWaiting, takeCode, whoseCodeIsAsked } from './two-factor-codes.ts'

export interface AuthRoutesDeps extends Pick<Core, 'database' | 'clock' | 'baseUrl'> {
  readonly auth: () => Promise<Auth>
  readonly limits: SignInLimits
  readonly devices: KnownDevices
  readonly log: SignInLog
  readonly personOf: (request: AppRequest, reply: AppReply) => Promise<Person | undefined>
}

/** The limit is low, because the library stores each challenge for up to five minutes. */
const passkeyOptionsPerMinute = 30

export function authRoutes(deps: AuthRoutesDeps): (app: App) => void {
  const { limits, database, clock, devices, log } = deps
  const { ask } = createLibrary(deps.auth, deps.baseUrl)
  const cookies = cookieRules(deps.baseUrl)
  const limitOptions = limitPerMinute('sign-ins by passkey', passkeyOptionsPerMinute)

  function tryOf({ ip, headers }: AppRequest, account: string | undefined): Try {
    return { address: ip, account, device: devices.idOf(headers.cookie, account) }
  }

  async function signIn(request: AppRequest, reply: AppReply) {
    const { email, password } = request.body as { email: string; password: string }
    const tried = tryOf(request, email)
    const wait = await limits.begin(tried)
    if (wait !== undefined) deny(wait)
    const response = await ask(request, '/sign-in/email', { email: email.trim(), password })
    if (response.status >= serverError) return pass(reply, response)
    if (!response.ok) {
      log.failed(request, 'Fail to sign in', email)
      const reason = 'e-mail and password do not belong together'
      deny('authentication_required', reason)
    }
    const { twoFactorRedirect, user } = (await response.clone().json()) as SignedIn
    if (twoFactorRedirect !== true && user !== undefined) await signedIn(request, reply, tried, user.id)
    passCookies(reply, response.headers)
    return reply.send({ two_factor: twoFactorRedirect === true })
  }

  /** After a sign-in the browser counts as a known device of the account. */
  async function signedIn(request: AppRequest, reply: AppReply, tried: Try, userId: string) {
    await limits.succeeded(tried)
    const email = await markSignedIn(database, userId, clock.now())
    const { cookie } = request.headers
    const ended = endWaiting(cookie, cookies)
    if (ended !== undefined) reply.header('set-cookie', ended)
    if (email !== undefined) reply.header('set-cookie', devices.remember(cookie, email))
    await log.done(request, 'Sign in', userId)
  }

  /** The account of a code: a sign-in waits for the code, or a person sets up an app. */
  async function asked(request: AppRequest, reply: AppReply) {
    const { cookie } = request.headers
    const waiting = unwrap(await whoseCodeIsAsked(database, cookie, cookies))
    if (waiting !== undefined) return { ...waiting, isSignedIn: false, begins: false }
    const person = await deps.personOf(request, reply)
    if (person === undefined) return deny('authentication_required', 'show your password first')
    const { userId: id, email, hasTwoFactor } = person
    return { id, email, isSignedIn: true, begins: !hasTwoFactor, cookie }
  }

  async function passkeyOptions(endpoint: Endpoint, request: AppRequest, reply: AppReply) {
    const allowed = limitOptions(request, reply, addressSubject(request.ip))
    return allowed.ok ? pass(reply, await ask(request, endpoint.path)) : deny(allowed.refusal)
  }

  async function byPasskey(endpoint: Endpoint, request: AppRequest, reply: AppReply) {
    const tried = tryOf(request, undefined)
    const wait = await limits.begin(tried)
    if (wait !== undefined) deny(wait)
    if (!wasVerified(request.body)) {
      const reason = 'the device must ask for its PIN, a finger or a face before it uses the passkey'
      deny('authentication_required', reason)
    }
    const response = await ask(request, endpoint.path, bodyOf(endpoint, request))
    if (response.ok) {
      const userId = await userIn(response)
      if (userId !== undefined) await signedIn(request, reply, tried, userId)
    }
    return pass(reply, response)
  }

  async function byCode(endpoint: Endpoint, request: AppRequest, reply: AppReply) {
    const user = await asked(request, reply)
    const tried = { ...tryOf(request, user.email), isHolder: true }
    const refusal = (await limits.begin(tried)) ?? (await usedBefore(user.id, request.body))
    if (refusal !== undefined) deny(refusal)
    const now = clock.now()
    // The code must be checked for this sign-in, not for another session in the cookies.
    const response = await ask(request, endpoint.path, bodyOf(endpoint, request), user.cookie)
    if (response.ok && (await userIn(response)) !== user.id) throw new Error("the code was another account's")
    if (!response.ok) log.failed(request, 'Fail to enter a code', user.email)
    else if (user.isSignedIn) {
      await limits.succeeded(tried)
      // Older sessions began with the password alone, so they end.
      if (user.begins) await endSessionsBefore(database, user.id, now)
      await log.done(request, 'Use an authenticator app', user.id)
    } else {
      await limits.succeeded({ ...tried, isHolder: false })
      await signedIn(request, reply, tried, user.id)
    }
    return pass(reply, response)
  }

  /** A code works once, even if someone reads and types it within its half minute. */
  async function usedBefore(userId: string, body: unknown): Promise<Refusal | undefined> {
    const { code } = body as { code?: string }
    if (code === undefined || (await takeCode(database, clock, userId, code))) return undefined
    return { kind: 'authentication_required', reason: 'code was used: wait for the next one' }
  }

  async function own(endpoint: Endpoint, request: AppRequest, reply: AppReply) {
    const { path } = endpoint
    const { person } = request
    if (path === '/two-factor/enable' && person?.hasTwoFactor === true) {
      deny('illegal_state', 'stop using the authenticator app first')
    }
    const sent = bodyOf(endpoint, request)
    const { newPassword } = sent
    const weakness = typeof newPassword === 'string' ? weaknessOf(newPassword, person?.email) : undefined
    if (weakness !== undefined) deny('invalid_parameter', weakness)
    const takesPassword = 'password' in sent || 'currentPassword' in sent
    const tried = person !== undefined && takesPassword ? confirmationOf(request, person) : undefined
    const wait = tried && (await limits.begin(tried))
    if (wait !== undefined) deny(wait)
    const response = await ask(request, path, sent)
    if (tried !== undefined && response.ok) await limits.succeeded(tried)
    return pass(reply, response)
  }

  async function confirm(request: AppRequest, reply: AppReply) {
    const { person } = request
    if (person === undefined) return deny('authentication_required', 'sign in first')
    const { password, code } = request.body as { password?: string; code?: string }
    const tried = confirmationOf(request, person)
    const refusal = (await limits.begin(tried)) ?? (await usedBefore(person.userId, request.body))
    if (refusal !== undefined) deny(refusal)
    const isRight =
      code === undefined && !person.hasTwoFactor
        ? (await ask(request, '/verify-password', { password: password ?? '' })).ok
        : code !== undefined &&
          person.hasTwoFactor &&
          (await ask(request, '/two-factor/verify-totp', { code })).ok
    if (!isRight) {
      log.failed(request, 'Fail to show that it is them', person.email)
      const reason =
        code === undefined && !person.hasTwoFactor
          ? 'password is not yours'
          : 'code is wrong, or its half minute is over'
      deny('invalid_parameter', reason)
    }
    await limits.succeeded(tried)
    await markConfirmed(database, person.sessionId, clock.now())
    return reply.send({ confirmed_until: toTimestamp(after(clock.now(), 10 * minute)) })
  }

  const handlerOf = ({ method, path }: Endpoint) => {
    if (method === 'GET') return passkeyOptions
    return path.startsWith('/two-factor/') ? byCode : byPasskey
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
        config: { auth: 'none', amongPages: true },
        preHandler: refuseOtherPages,
        schema: { hide: true, ...(one.body && { body: one.body }) },
        handler: (request, reply) => handlerOf(one)(one, request as AppRequest, reply as AppReply) as never,
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

function confirmationOf({ ip }: AppRequest, { email }: Person): Try {
  return { address: ip, account: `confirm ${email}`, isHolder: true }
}

async function userIn(response: Response): Promise<string | undefined> {
  const { user, session } = (await response.clone().json()) as SignedIn
  return user?.id ?? session?.userId
}

/** Checks WebAuthn's flag UV. Without it anyone who finds a security key could sign in. */
function wasVerified(body: unknown): boolean {
  const { response } = body as { response?: { response?: { authenticatorData?: unknown } } }
  const data = response?.response?.authenticatorData
  const flags = typeof data === 'string' ? Buffer.from(data, 'base64url')[flagsAt] : undefined
  return flags !== undefined && (flags & userVerifiedFlag) !== 0
}

const flagsAt = 32
const userVerifiedFlag = 0x04

async function refuseOtherPages(request: Parameters<typeof isFromOtherSite>[0]) {
  if (isFromOtherSite(request)) {
    deny('access_denied', "another site's page must not sign anybody in")
  }
}
