// The entry point of cards: attempts to pay with one, authenticated by its issuer and decided by the acquirer.
import type { App } from '../http/index.ts'
import type { Result } from '../kernel/result.ts'
import {
  type AttemptOwner,
  type CustomerEngine,
  countAttempts,
  createCustomerEngine,
  findAttempt,
  findAttemptByKey,
  findAttemptOfCardApi,
} from '../operations/index.ts'
import { cardAttemptHandler } from './attempts/attempt-handler.ts'
import {
  authenticate,
  authenticatedChannel,
  type MethodCompletion,
  onAuthenticated,
} from './attempts/authenticate.ts'
import { createAttemptsInFlight } from './attempts/in-flight.ts'
import { createSecurityCodes } from './attempts/security-codes.ts'
import { type NewAttempt, startAttempt } from './attempts/start.ts'
import type { CardSubject, CardsContext, CardsDeps } from './deps.ts'
import {
  attemptsPerSubjectMax,
  type BrowserFacts,
  type CardAttempt,
  type CardAttemptDetails,
  isAtCardForm,
} from './model.ts'
import { cardRoutes } from './routes.ts'

export type { MethodCompletion } from './attempts/authenticate.ts'
export { openCard as openCardOf } from './attempts/sealed-card.ts'
export type { NewAttempt } from './attempts/start.ts'
export { attemptChecks } from './audit.ts'
export type { CardSubject, CardsDeps } from './deps.ts'
export * from './model.ts'
export { brandOf, type CardField, type CardProblem, readCard, type TypedCard } from './rules.ts'
export {
  type CreditCard,
  cardSecrets,
  createVault,
  type LiveCard,
  type StoredCard,
  type Vault,
} from './vault/index.ts'
export { type CardCursor, type ListedCard, listCards } from './vault/list-store.ts'

export interface Cards {
  /** Starts an attempt, or finds the one the same page started before. */
  start(asked: NewAttempt): Promise<Result<CardAttempt>>
  /** Asks the issuer, once; comes back when the attempt is challenged, decided or ended. */
  authenticate(attempt: CardAttempt, completion: MethodCompletion, browser?: BrowserFacts): Promise<void>
  find(walletId: bigint, attemptKey: string): Promise<CardAttempt | undefined>
  /** The latest attempt that the card API started about an operation or a card to be stored. */
  findBySubject(subjectId: string): Promise<CardAttempt | undefined>
  /** Whether no other card can be tried for that payment. */
  triedOut(walletId: bigint, subjectId: string): Promise<boolean>
  /**
   * The customer leaves the acquirer's card form for another card or method: the form is closed, and the attempt ends.
   * Who has paid there a moment before has paid.
   */
  leaveCardForm(attempt: CardAttempt): Promise<void>
  readonly returnUrl: CardsContext['returnUrl']
  readonly routes: (app: App) => void
  readonly engine: CustomerEngine<CardAttemptDetails>
  /** Goes on with attempts that other processes saw authenticated, and whose security codes this one has. */
  listen(): Promise<void>
  /** Asks the acquirer what became of the attempt of this key: something happened to it. False where there is none. */
  onNotice(key: string): Promise<boolean>
  /** Waits for what goes on in the background. */
  settled(): Promise<void>
}

export function createCards(deps: CardsDeps): Cards {
  const { database } = deps
  const securityCodes = createSecurityCodes(deps.clock)
  const handler = cardAttemptHandler({ ...deps, securityCodes })
  const engine = createCustomerEngine(deps, handler)
  const inFlight = createAttemptsInFlight(deps.onError)
  const subjects: Readonly<Partial<Record<AttemptOwner, CardSubject>>> = deps.subjects
  const context: CardsContext = {
    ...{ ...deps, engine, securityCodes, inFlight },
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
    find: (walletId, attemptKey) => findAttempt(database, 'CC', walletId, attemptKey),
    findBySubject: (subjectId) => findAttemptOfCardApi(database, subjectId),
    triedOut: async (walletId, subjectId) =>
      (await countAttempts(database, 'CC', walletId, subjectId)) >= attemptsPerSubjectMax,
    async leaveCardForm(attempt) {
      if (isAtCardForm(attempt)) await engine.conclude(attempt, await handler.close(attempt))
    },
    returnUrl: context.returnUrl,
    routes: cardRoutes(context),
    engine,
    listen: () => database.listen(authenticatedChannel, (payload) => onAuthenticated(context, payload)),
    async onNotice(key) {
      const attempt = await findAttemptByKey<CardAttemptDetails>(database, 'CC', key)
      if (attempt !== undefined) await engine.advance(attempt)
      return attempt !== undefined
    },
    settled: () => inFlight.all(),
  }
}
