// Attempts to pay by card.
import type { App } from '../../../http/index.ts'
import type { Result } from '../../../kernel/result.ts'
import type { PageCore } from '../../../module.ts'
import {
  type AttemptOwner,
  type CustomerEngine,
  countAttempts,
  createCustomerEngine,
  findAttempt,
  findAttemptByKey,
  findAttemptOfCardApi,
} from '../../../operations/for-methods.ts'
import type { CardAcquirer, ThreeDSecure } from '../../../rails/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import { cards } from '../facts.ts'
import {
  attemptsPerSubjectMax,
  type BrowserFacts,
  type CardAttempt,
  type CardAttemptDetails,
  type CardOwner,
  type CardPurpose,
  isAtCardForm,
} from '../model.ts'
import { cardAttemptHandler } from './attempt-handler.ts'
import {
  type AttemptsContext,
  authenticate,
  authenticatedChannel,
  type MethodCompletion,
  onAuthenticated,
} from './authenticate.ts'
import { createAttemptsInFlight, createSecurityCodes } from './in-flight.ts'
import { threeDSecureRoutes } from './routes.ts'
import { type NewAttempt, startAttempt } from './start.ts'

export interface CardAttemptsDeps {
  readonly core: PageCore
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly acquirer: CardAcquirer
  readonly threeDSecure: ThreeDSecure
  readonly subjects: Readonly<Record<CardOwner, CardPurpose>>
}

export interface CardAttempts {
  /** Starts an attempt, or answers the one that the same page started. */
  start(asked: NewAttempt): Promise<Result<CardAttempt>>
  authenticate(attempt: CardAttempt, completion: MethodCompletion, browser?: BrowserFacts): Promise<void>
  find(walletId: bigint, attemptKey: string): Promise<CardAttempt | undefined>
  findBySubject(subjectId: string): Promise<CardAttempt | undefined>
  triedOut(walletId: bigint, subjectId: string): Promise<boolean>
  leaveCardForm(attempt: CardAttempt): Promise<void>
  readonly returnUrl: AttemptsContext['returnUrl']
  readonly routes: (app: App) => void
  readonly engine: CustomerEngine<CardAttemptDetails>
  /** Continues attempts that other processes saw authenticated, if this process has their security codes. */
  listen(): Promise<void>
  /** Inquires at the acquirer after a notice; false for an unknown key. */
  onNotice(key: string): Promise<boolean>
  settled(): Promise<void>
}

export function createCardAttempts(deps: CardAttemptsDeps): CardAttempts {
  const { core, wallets, acquirer, threeDSecure } = deps
  const { database } = core
  const securityCodes = createSecurityCodes(core.clock)
  const handler = cardAttemptHandler({ ...deps, securityCodes })
  const engine = createCustomerEngine({ ...core, wallets }, handler)
  const inFlight = createAttemptsInFlight(core.onError)
  const subjects: Readonly<Partial<Record<AttemptOwner, CardPurpose>>> = deps.subjects
  const context: AttemptsContext = {
    ...{ core, acquirer, threeDSecure, engine, securityCodes, inFlight },
    async returnUrl(attempt) {
      const subject = subjects[attempt.owner]
      if (subject === undefined)
        throw new Error(`attempt ${attempt.key} by card is made for no ${attempt.owner}`)
      return subject.returnUrl(attempt)
    },
  }
  return {
    start: (asked) => startAttempt(context, asked),
    authenticate: (attempt, completion, browser = attempt.details.browser) =>
      authenticate(context, { ...attempt, details: { ...attempt.details, browser } }, completion),
    find: (walletId, attemptKey) => findAttempt(database, cards.code, walletId, attemptKey),
    findBySubject: (subjectId) => findAttemptOfCardApi(database, cards.code, subjectId),
    triedOut: async (walletId, subjectId) =>
      (await countAttempts(database, cards.code, walletId, subjectId)) >= attemptsPerSubjectMax,
    async leaveCardForm(attempt) {
      if (isAtCardForm(attempt)) await engine.conclude(attempt, await handler.close(attempt))
    },
    returnUrl: context.returnUrl,
    routes: threeDSecureRoutes(context),
    engine,
    listen: () => database.listen(authenticatedChannel, (payload) => onAuthenticated(context, payload)),
    async onNotice(key) {
      const attempt = await findAttemptByKey<CardAttemptDetails>(database, cards.code, key)
      if (attempt !== undefined) await engine.advance(attempt)
      return attempt !== undefined
    },
    settled: () => inFlight.all(),
  }
}
