// Access to routes of the backoffice: session, team, role and origin of the request.
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
import { day, instant, minute } from '../../kernel/time.ts'
import { type Permission, permissions } from '../../kernel/values/permissions.ts'
import type { Core } from '../../module.ts'
import { type Wallet, whileSuspended } from '../../wallets/index.ts'
import type { Auth } from '../accounts/auth.ts'
import { cookieRules, endCookie, passCookies, signedInName } from '../accounts/sign-in/cookies.ts'
import { endSession, factsOfSession, markSeen } from '../accounts/store.ts'
import { type ActionHooksDeps, createActionHooks } from './action-hooks.ts'
import { apiPrefix, confirmationOf, type PeopleAuth, type Person, walletIn, walletPrefix } from './person.ts'
import { type Ability, abilitiesOf, type Role } from './role-rules.ts'
import { isIdle, needsTwoFactor, type SignInRules } from './sign-in-rules.ts'

const operatorPrefix = `${apiPrefix}operator/`
const csrfHeader = 'x-csrf-token'
/** Payouts and new keys need a confirmation that is not older than this. */
const confirmedForMs = 10 * minute
/** Refunds that total more than this need a confirmation too. */
const confirmAboveCents = 500_00n
const seenEveryMs = minute
/** A session ends after this time, even if it is used. */
const sessionMsMax = 14 * day

export interface GuardDeps extends ActionHooksDeps, Pick<Core, 'keyring' | 'baseUrl'> {
  readonly auth: () => Promise<Auth>
  /** Amount and refunds of an operation in cents; 0 if there is no such operation. */
  readonly refundsOf: (
    walletId: bigint,
    operationId: string,
  ) => Promise<{ readonly whole: bigint; readonly refunded: bigint }>
  readonly signInRules: SignInRules
}

export interface BackofficeGuard extends PeopleGuard {
  csrfTokenOf(sessionId: string): string
  /** The signed-in person. If the session was prolonged, it also sets the cookie. */
  personOf(request: AppRequest, reply: AppReply): Promise<Person | undefined>
}

export function createBackofficeGuard(deps: GuardDeps): BackofficeGuard {
  const { database, clock } = deps
  const cookies = cookieRules(deps.baseUrl)
  const hooks = createActionHooks(deps)
  const csrfKey = deriveKey(deps.keyring, 'backoffice requests')

  function csrfTokenOf(sessionId: string): string {
    return createHmac('sha256', csrfKey).update(sessionId).digest('base64url')
  }

  const personOf = (request: AppRequest, reply: AppReply) => sessionPerson(deps, request, reply)

  function isFromOurPages(request: AppRequest, { sessionId }: Person): boolean {
    if (isFromOtherSite(request)) return false
    const token = request.headers[csrfHeader]
    const wanted = Buffer.from(csrfTokenOf(sessionId))
    const got = Buffer.from(typeof token === 'string' ? token : '')
    return got.length === wanted.length && timingSafeEqual(got, wanted)
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
    return decide(deps, request, person)
  }

  async function beforeHandler(request: AppRequest): Promise<Refusal | undefined> {
    const { person } = request
    if (person === undefined) return undefined
    if (request.method === 'GET') return hooks.noteReading(request, person)
    if (isDryRun(request)) return undefined
    const refusal = await confirmationFor(deps, request, person)
    if (refusal !== undefined || request.routeOptions.config.people?.isPrivate === true) return refusal
    return hooks.begin(request, person)
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
      const result = await decide(deps, request, { ...person, isOperator, hasTwoFactor, confirmedAt })
      return result.ok ? undefined : result.refusal
    },
    beforeHandler,
    beforeAnswer: hooks.beforeAnswer,
    afterAnswer: hooks.afterAnswer,
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

async function confirmationFor(
  deps: GuardDeps,
  request: AppRequest,
  person: Person,
): Promise<Refusal | undefined> {
  const { config, url = '' } = request.routeOptions
  const confirmed = confirmationOf(url, config.people)
  if (confirmed === undefined || deps.clock.now() - person.confirmedAt < confirmedForMs) return undefined
  if (confirmed === 'above_limit' && (await amountOf(deps, request)) <= confirmAboveCents) {
    // The refund is counted again when it is created, because parallel refunds may exceed the limit together.
    request.refundCeiling = { max: confirmAboveCents, refusal: confirmationRequired }
    return undefined
  }
  return confirmationRequired
}

async function amountOf(deps: GuardDeps, request: AppRequest): Promise<bigint> {
  const { amount } = (request.body ?? {}) as { amount?: unknown }
  const { id = '' } = request.params as { id?: string }
  const cents = Math.round(Number(amount) * 100)
  const isNamed = amount !== undefined && amount !== null && Number.isSafeInteger(cents)
  const { whole, refunded } = await deps.refundsOf(request.caller.walletId, id)
  return isNamed ? refunded + BigInt(cents) : whole
}

interface Asked {
  readonly changes: boolean
  readonly ability: Ability | undefined
  readonly people: PeopleAuth
  readonly auth: RouteAuth
  readonly method: string
}

async function sessionPerson(
  deps: GuardDeps,
  request: AppRequest,
  reply: AppReply,
): Promise<Person | undefined> {
  const { database, clock } = deps
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

async function decide(deps: GuardDeps, request: AppRequest, person: Person): Promise<Result<void>> {
  request.person = person
  const { people = {}, auth } = request.routeOptions.config
  const changes = request.method !== 'GET'
  const isOperators = request.routeOptions.url?.startsWith(operatorPrefix) === true
  if ((people.operator === true || isOperators) && !person.isOperator) {
    return refuse('access_denied', 'only operators of the gateway may do this')
  }
  if (isOperators && lacksTwoFactor(deps, request, person)) return twoFactorRequired
  if (request.routeOptions.url?.startsWith(walletPrefix) !== true) return ok(undefined)
  const asked = auth === 'none' || auth === undefined ? {} : auth
  const ability = people.ability ?? asked.permission
  return admitToWallet(deps, request, person, {
    changes,
    ability,
    people,
    auth: asked,
    method: request.method,
  })
}

async function admitToWallet(
  deps: GuardDeps,
  request: AppRequest,
  person: Person,
  asked: Asked,
): Promise<Result<void>> {
  const { wallet: text = '' } = request.params as { wallet?: string }
  const walletId = walletIn(request)
  const { role } = request
  if (walletId === undefined || (role === undefined && !person.isOperator)) return notOfTheTeam(text)
  const wallet = await deps.findWallet(walletId)
  if (wallet?.kind !== 'merchant') return notOfTheTeam(text)
  if (lacksTwoFactor(deps, request, person)) return twoFactorRequired
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

function lacksTwoFactor(
  { signInRules }: GuardDeps,
  { role, teamAsksTwoFactor }: AppRequest,
  person: Person,
): boolean {
  return !person.hasTwoFactor && needsTwoFactor(signInRules.twoFactor, role, teamAsksTwoFactor)
}

/** Another team's wallet gets the same message as a missing one, so nobody learns which wallets exist. */
function notOfTheTeam(text: string): Result<never> {
  return refuse('access_denied', `you are not in the team of a wallet ${text.slice(0, 20)}`)
}

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
