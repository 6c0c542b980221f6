// Who may pass on routes of the backoffice: signed in, in the team, with a role that allows it, from our own pages.

import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type AppReply,
  type AppRequest,
  isBlockedWhenSuspended,
  isFromOtherSite,
  type PeopleGuard,
  type RouteAuth,
} from '../../http/index.ts'
import { ok, type Refusal, type Result, refuse } from '../../kernel/result.ts'
import { deriveKey } from '../../kernel/sealing.ts'
import { day, type Instant, instant, minute } from '../../kernel/time.ts'
import { type Permission, permissions } from '../../kernel/values/permissions.ts'
import type { Core } from '../../module.ts'
import { type Wallet, whileSuspended } from '../../wallets/index.ts'
import type { Auth } from '../accounts/auth.ts'
import { cookieRules, endCookie, passCookies, signedInName } from '../accounts/sign-in/cookies.ts'
import { endSession, factsOfSession, markSeen } from '../accounts/store.ts'
import type { ActionLog } from './action-log.ts'
import { confirmationOf, type PeopleAuth, type Person } from './person.ts'
import { type Ability, abilitiesOf, ownAbilities, type Role } from './role-rules.ts'
import { isIdle, needsTwoFactor, type SignInRules } from './sign-in-rules.ts'
import { whatWasAsked } from './what-was-asked.ts'
import { whatWasMade } from './what-was-made.ts'

const apiPrefix = '/backoffice/api/'
const operatorPrefix = `${apiPrefix}operator/`
const csrfHeader = 'x-csrf-token'
/** After this long somebody shows again that it is them, before money leaves or a key is made. */
const confirmedForMs = 10 * minute
/** Refunds above it ask for that too, in cents. */
const confirmAboveCents = 500_00n
/** That a session is used is written down at most this often. */
const seenEveryMs = minute
/** However much it is used, a session ends after so long. */
const sessionMsMax = 14 * day

export interface GuardDeps extends Pick<Core, 'database' | 'clock' | 'keyring' | 'baseUrl' | 'onError'> {
  readonly auth: () => Promise<Auth>
  readonly findWallet: (walletId: bigint) => Promise<Wallet | undefined>
  /** Amount of an operation and what was refunded of it, in cents; nothing where there is no such operation. */
  readonly refundsOf: (
    walletId: bigint,
    operationId: string,
  ) => Promise<{ readonly whole: bigint; readonly refunded: bigint }>
  readonly log: ActionLog
  readonly signInRules: SignInRules
}

export interface BackofficeGuard extends PeopleGuard {
  /** What pages of a session send with everything that changes something. */
  csrfTokenOf(sessionId: string): string
  /** Who is signed in, by the cookie; sets the cookie anew where the session was prolonged. */
  personOf(request: AppRequest, reply: AppReply): Promise<Person | undefined>
}

export function createBackofficeGuard(deps: GuardDeps): BackofficeGuard {
  const { database, clock } = deps
  const cookies = cookieRules(deps.baseUrl)
  const csrfKey = deriveKey(deps.keyring, 'backoffice requests')

  function csrfTokenOf(sessionId: string): string {
    return createHmac('sha256', csrfKey).update(sessionId).digest('base64url')
  }

  async function personOf(request: AppRequest, reply: AppReply): Promise<Person | undefined> {
    const { cookie } = request.headers
    if (cookie === undefined) return undefined
    const auth = await deps.auth()
    const { headers, response } = await auth.api.getSession({
      headers: new Headers({ cookie }),
      returnHeaders: true,
    })
    if (response === null) return undefined
    passCookies(reply, headers)
    const { session, user } = response
    if (clock.now() - session.createdAt.getTime() > sessionMsMax) return undefined
    const now = clock.now()
    const facts = await factsOfSession(database, session.id, walletIn(request), now)
    if (facts === undefined) return undefined
    if (isIdle(deps.signInRules, facts.isOperator, facts.seenAt, now)) {
      await endSession(database, user.id, session.id)
      return undefined
    }
    if (now - facts.seenAt > seenEveryMs) await markSeen(database, session.id, now)
    request.role = facts.role
    request.teamAsksTwoFactor = facts.teamAsksTwoFactor
    return {
      userId: user.id,
      name: user.name,
      email: user.email,
      sessionId: session.id,
      hasTwoFactor: facts.hasTwoFactor,
      isOperator: facts.isOperator,
      confirmedAt: facts.confirmedAt ?? instant(session.createdAt.getTime()),
    }
  }

  function isFromOurPages(request: AppRequest, { sessionId }: Person): boolean {
    if (isFromOtherSite(request)) return false
    const token = request.headers[csrfHeader]
    const wanted = Buffer.from(csrfTokenOf(sessionId))
    const got = Buffer.from(typeof token === 'string' ? token : '')
    return got.length === wanted.length && timingSafeEqual(got, wanted)
  }

  function lacksTwoFactor({ role, teamAsksTwoFactor }: AppRequest, person: Person): boolean {
    return !person.hasTwoFactor && needsTwoFactor(deps.signInRules.twoFactor, role, teamAsksTwoFactor)
  }

  /** Sets who acts on the wallet of the path, as an API key of it would. */
  async function admitToWallet(request: AppRequest, person: Person, asked: Asked): Promise<Result<void>> {
    const { wallet: text = '' } = request.params as { wallet?: string }
    const walletId = walletIn(request)
    const { role } = request
    if (walletId === undefined || (role === undefined && !person.isOperator)) return notOfTheTeam(text)
    const wallet = await deps.findWallet(walletId)
    if (wallet?.kind !== 'merchant') return notOfTheTeam(text)
    if (lacksTwoFactor(request, person)) return twoFactorRequired
    const lacking = lackingOf(role, wallet, asked)
    if (lacking !== undefined) return refuse('access_denied', lacking)
    request.caller = {
      walletId,
      keyId: person.userId,
      permissions: new Set(role === undefined ? [] : abilitiesOf[role].filter(isPermission)),
      rights: new Set(wallet.rights),
    }
    return ok(undefined)
  }

  async function admitted(request: AppRequest, reply: AppReply): Promise<Result<void>> {
    const person = await personOf(request, reply)
    if (person === undefined) {
      const ended = endCookie(request.headers.cookie, signedInName(cookies), cookies)
      if (ended !== undefined) reply.header('set-cookie', ended)
      return { ok: false, refusal: signInFirst }
    }
    const changes = request.method !== 'GET'
    if (changes && !isFromOurPages(request, person)) {
      return refuse(
        'access_denied',
        `the request must come from a page of this gateway and carry ${csrfHeader}, which GET ${apiPrefix}session answers`,
      )
    }
    return decide(request, person)
  }

  /** The rights of the person as they are now. */
  async function decide(request: AppRequest, person: Person): Promise<Result<void>> {
    request.person = person
    const { people = {}, auth } = request.routeOptions.config
    const changes = request.method !== 'GET'
    const isOperators = request.routeOptions.url?.startsWith(operatorPrefix) === true
    if ((people.operator === true || isOperators) && !person.isOperator) {
      return refuse('access_denied', 'only operators of the gateway may do this')
    }
    if (isOperators && lacksTwoFactor(request, person)) return twoFactorRequired
    if (request.routeOptions.url?.startsWith(walletPrefix) !== true) return ok(undefined)
    const asked = auth === 'none' || auth === undefined ? {} : auth
    const ability = people.ability ?? asked.permission
    return admitToWallet(request, person, { changes, ability, people, auth: asked, method: request.method })
  }

  async function confirmed(request: AppRequest, person: Person): Promise<Refusal | undefined> {
    const { config, url = '' } = request.routeOptions
    const confirmed = confirmationOf(url, config.people)
    if (confirmed === undefined || clock.now() - person.confirmedAt < confirmedForMs) return undefined
    if (confirmed === 'above_limit' && (await amountOf(request)) <= confirmAboveCents) {
      // Others may be refunding of the same payment: what opens the refund counts once more.
      request.refundCeiling = { max: confirmAboveCents, refusal: confirmationRequired }
      return undefined
    }
    return confirmationRequired
  }

  /** What will have been refunded of the operation, so that many small refunds count as one. */
  async function amountOf(request: AppRequest): Promise<bigint> {
    const { amount } = (request.body ?? {}) as { amount?: unknown }
    const { id = '' } = request.params as { id?: string }
    const cents = Math.round(Number(amount) * 100)
    const isNamed = amount !== undefined && amount !== null && Number.isSafeInteger(cents)
    const { whole, refunded } = await deps.refundsOf(request.caller.walletId, id)
    return isNamed ? refunded + BigInt(cents) : whole
  }

  const entryOf = (request: AppRequest, person: Person) => ({
    at: clock.now(),
    walletId: walletOf(request),
    userId: person.userId,
    email: person.email,
    target: targetOf(request),
    tid: request.id,
    address: request.ip,
  })

  const readings = createReadings()

  /** The merchant's log notes that an operator of no team of theirs read a page, once in a while for each page. */
  async function noteReading(request: AppRequest, person: Person): Promise<undefined> {
    const entry = entryOf(request, person)
    if (entry.walletId === undefined || request.role !== undefined) return
    if (!readings.isNew(`${person.userId} ${entry.walletId} ${entry.target}`, entry.at)) return
    // A number that is nobody's begins no log.
    if ((await deps.findWallet(entry.walletId)) === undefined) return
    request.action = await deps.log.begin({ ...entry, action: 'Read as operator' }, false)
  }

  return {
    prefix: apiPrefix,
    csrfTokenOf,
    personOf,
    async admit(request, reply) {
      const result = await admitted(request, reply)
      return result.ok ? undefined : result.refusal
    },
    async admitAgain(request) {
      const { person } = request
      if (person === undefined) return signInFirst
      const facts = await factsOfSession(database, person.sessionId, walletIn(request), clock.now())
      if (facts === undefined) return signInFirst
      request.role = facts.role
      request.teamAsksTwoFactor = facts.teamAsksTwoFactor
      const { isOperator, hasTwoFactor, confirmedAt = person.confirmedAt } = facts
      const result = await decide(request, { ...person, isOperator, hasTwoFactor, confirmedAt })
      return result.ok ? undefined : result.refusal
    },
    async beforeHandler(request) {
      const { person } = request
      const { config, schema, url = '' } = request.routeOptions
      if (person === undefined) return undefined
      if (request.method === 'GET') return noteReading(request, person)
      if (isDryRun(request)) return undefined
      const refusal = await confirmed(request, person)
      if (refusal !== undefined || config.people?.isPrivate === true) return refusal
      const action = {
        ...entryOf(request, person),
        action: (schema as { summary?: string } | undefined)?.summary ?? `${request.method} ${url}`,
        ...(await whatWasAsked(database, request)),
      }
      request.action = await deps.log.begin(action, keepsValues(request))
      return undefined
    },
    beforeAnswer(request, reply, payload) {
      const { action, changes, method, routeOptions } = request
      if (action === undefined || changes !== undefined || method === 'GET') return
      if (reply.statusCode >= 400 || keepsValues(request) || typeof payload !== 'string') return
      request.changes = whatWasMade(routeOptions.url ?? '', payload)
    },
    afterAnswer(request, reply) {
      const { action, concerns, changes } = request
      if (action === undefined) return
      const isRepeated = reply.getHeader('idempotent-replayed') !== undefined
      const { statusCode } = reply.raw
      if (concerns === undefined && statusCode < 400 && mustSayWhose(request)) {
        deps.onError(new Error(`${request.routeOptions.url} has not said which merchant it concerns`))
      }
      const ended = isRepeated ? action.forget() : action.end(statusCode, concerns ?? undefined, changes)
      ended.catch(deps.onError)
    },
  }
}

const signInFirst: Refusal = { kind: 'authentication_required', reason: 'sign in at /backoffice/sign-in' }

const twoFactorRequired: Result<never> = {
  ok: false,
  refusal: {
    kind: 'access_denied',
    reason: 'two-factor is required: begin to use an authenticator app under Security',
  },
}

const confirmationRequired: Refusal = {
  kind: 'confirmation_required',
  reason: `show that it is you: POST ${apiPrefix}confirm with your password or a code of your authenticator app`,
}

/** Under which the routes of one wallet are. */
export const walletPrefix = `${apiPrefix}wallets/:wallet/`

interface Asked {
  readonly changes: boolean
  readonly ability: Ability | undefined
  readonly people: PeopleAuth
  /** What the same route asks of an API key. */
  readonly auth: RouteAuth
  readonly method: string
}

/** The same for a wallet that is another's and for one that does not exist. */
function notOfTheTeam(text: string): Result<never> {
  return refuse('access_denied', `you are not in the team of a wallet ${text.slice(0, 20)}`)
}

/** Why not, as whoever asks reads it; undefined where they may. */
function lackingOf(role: Role | undefined, wallet: Wallet, asked: Asked): string | undefined {
  const { changes, ability, people, auth } = asked
  if (changes || people.ability !== undefined) {
    if (role === undefined) return 'operators read the backoffice of merchants and change nothing there'
    if (ability === undefined) return 'this can be asked with an API key only'
    if (!abilitiesOf[role].includes(ability)) return `the role ${role} may not do this: it lacks ${ability}`
  }
  const right = changes
    ? auth.rights?.find((one) => !(wallet.rights as readonly string[]).includes(one))
    : undefined
  if (right !== undefined) return `the wallet lacks the right ${right}, which the operator gives`
  const isMoney = ability === 'payouts' || isBlockedWhenSuspended(auth, asked.method)
  return changes && wallet.suspendedAt !== undefined && isMoney ? whileSuspended : undefined
}

/** Only where the route knows dry runs: any other does what it is asked, whatever stands beside it. */
function isDryRun({ body, query, routeOptions }: AppRequest): boolean {
  const { schema } = routeOptions
  return asksDryRun(schema?.body, body) || asksDryRun(schema?.querystring, query)
}

function asksDryRun(schema: unknown, sent: unknown): boolean {
  const { properties = {} } = (schema ?? {}) as { properties?: object }
  const { dry_run: asked } = (sent ?? {}) as { dry_run?: unknown }
  return 'dry_run' in properties && (asked === true || asked === 'true')
}

function isPermission(ability: Ability): ability is Permission {
  return (permissions as readonly string[]).includes(ability)
}

/** The wallet that the path of a route of a team names. */
function walletIn({ params, routeOptions: { url = '' } }: AppRequest): bigint | undefined {
  const { wallet = '' } = (params ?? {}) as { wallet?: string }
  return url.startsWith(walletPrefix) && /^\d{1,18}$/.test(wallet) ? BigInt(wallet) : undefined
}

/** Whose backoffice it was, or which merchant an operator changed; undefined where the handler will say so. */
function walletOf({ caller, params, query, routeOptions }: AppRequest): bigint | undefined {
  const { url = '', config } = routeOptions
  if (url.startsWith(walletPrefix)) return caller.walletId
  const { id } = (params ?? {}) as { id?: string }
  const { wallet_id } = (query ?? {}) as { wallet_id?: string | number }
  const named = { gateway: undefined, answer: undefined, path: id, query: wallet_id }
  const text = String(named[config.people?.concerns ?? 'gateway'] ?? '')
  return /^\d{1,18}$/.test(text) ? BigInt(text) : undefined
}

/** Whether it changes settings, keys or the team of a merchant: their old and new values are in the log. */
function keepsValues({ routeOptions: { config } }: AppRequest): boolean {
  const { ability, concerns } = config.people ?? {}
  return (
    concerns === 'path' || concerns === 'answer' || (ownAbilities as readonly unknown[]).includes(ability)
  )
}

function mustSayWhose({ routeOptions: { config } }: AppRequest): boolean {
  return config.people?.concerns === 'answer'
}

/** A page asks for the same again and again: each counts once in this time. */
const readingMs = 10 * minute
const readingsMax = 10_000

function createReadings() {
  /** The oldest first. */
  const seen = new Map<string, Instant>()
  return {
    isNew(key: string, now: Instant): boolean {
      const last = seen.get(key)
      if (last !== undefined && now - last < readingMs) return false
      seen.delete(key)
      seen.set(key, now)
      const [oldest] = seen.keys()
      if (seen.size > readingsMax && oldest !== undefined) seen.delete(oldest)
      return true
    },
  }
}

/** The path that was asked, without what would pay: the token of a stored card. */
function targetOf(request: AppRequest): string {
  const [path = ''] = request.url.split('?')
  const { token } = (request.params ?? {}) as { token?: string }
  return token === undefined ? path : path.replace(encodeURIComponent(token), ':token')
}
