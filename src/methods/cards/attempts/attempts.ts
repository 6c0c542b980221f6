// Attempts to pay by card.
import type { PageCore } from '../../../module.ts'
import {
  type AttemptOwner,
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
  type CardAttempt,
  type CardAttemptDetails,
  type CardOwner,
  type CardPurpose,
  isAtCardForm,
} from '../model.ts'
import type { Vault } from '../vault/index.ts'
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
  readonly vault: Pick<Vault, 'find'>
  readonly subjects: Readonly<Record<CardOwner, CardPurpose>>
}

export type CardAttempts = ReturnType<typeof createCardAttempts>

export function createCardAttempts(deps: CardAttemptsDeps) {
  const { core, wallets, acquirer, threeDSecure, vault } = deps
  const { database } = core
  const securityCodes = createSecurityCodes(core.clock)
  const handler = cardAttemptHandler({ ...deps, securityCodes })
  const engine = createCustomerEngine({ ...core, wallets }, handler)
  const inFlight = createAttemptsInFlight(core.onError)
  const subjects: Readonly<Partial<Record<AttemptOwner, CardPurpose>>> = deps.subjects
  const context: AttemptsContext = {
    ...{ core, acquirer, threeDSecure, vault, engine, securityCodes, inFlight },
    async returnUrl(attempt) {
      const subject = subjects[attempt.owner]
      if (subject === undefined)
        throw new Error(`attempt ${attempt.key} by card is made for no ${attempt.owner}`)
      return subject.returnUrl(attempt)
    },
  }
  return {
    /** Starts an attempt. If the same page has started one before, it returns that one. */
    start: (asked: NewAttempt) => startAttempt(context, asked),
    authenticate: (attempt: CardAttempt, completion: MethodCompletion, browser = attempt.details.browser) =>
      authenticate(context, { ...attempt, details: { ...attempt.details, browser } }, completion),
    find: (walletId: bigint, attemptKey: string) =>
      findAttempt<CardAttemptDetails>(database, cards.code, walletId, attemptKey),
    findBySubject: (subjectId: string) =>
      findAttemptOfCardApi<CardAttemptDetails>(database, cards.code, subjectId),
    triedOut: async (walletId: bigint, subjectId: string) =>
      (await countAttempts(database, cards.code, walletId, subjectId)) >= attemptsPerSubjectMax,
    async leaveCardForm(attempt: CardAttempt): Promise<void> {
      if (isAtCardForm(attempt)) await engine.conclude(attempt, await handler.close(attempt))
    },
    returnUrl: context.returnUrl,
    routes: threeDSecureRoutes(context),
    engine,
    /** Continues attempts authenticated in another process, if this one has their security codes. */
    listen: () => database.listen(authenticatedChannel, (payload) => onAuthenticated(context, payload)),
    /** Asks the acquirer for the outcome after its notice. Returns false for an unknown key. */
    async onNotice(key: string): Promise<boolean> {
      const attempt = await findAttemptByKey<CardAttemptDetails>(database, cards.code, key)
      if (attempt !== undefined) await engine.advance(attempt)
      return attempt !== undefined
    },
    settled: () => inFlight.all(),
  }
}
