// The entry point of cards: attempts to pay with one, authenticated by its issuer and decided by the acquirer.
import type { App } from '../http/index.ts'
import type { Result } from '../kernel/result.ts'
import type { Worker } from '../storage/index.ts'
import {
  authenticate,
  authenticatedChannel,
  hearAuthenticated,
  type MethodCompletion,
} from './attempts/authenticate.ts'
import { createDeciding } from './attempts/deciding.ts'
import { createResolver } from './attempts/jobs.ts'
import { createSecurityCodes } from './attempts/security-codes.ts'
import { type NewAttempt, startAttempt } from './attempts/start.ts'
import { countAttempts, findAttempt, findAttemptBySubject } from './attempts/store.ts'
import type { CardsContext, CardsDeps } from './deps.ts'
import { attemptsPerSubjectMax, type BrowserFacts, type CardAttempt } from './model.ts'
import { cardRoutes } from './routes.ts'

export type { MethodCompletion } from './attempts/authenticate.ts'
export { attemptColumns, attemptRow, openAttemptsSql } from './attempts/open-store.ts'
export { openCard as openCardOf } from './attempts/sealed-card.ts'
export type { NewAttempt } from './attempts/start.ts'
export { attemptChecks } from './audit.ts'
export type { CardsDeps, OwnerOfAttempts } from './deps.ts'
export * from './model.ts'
export { brandOf, type CardField, type CardProblem, readCard, type TypedCard } from './rules.ts'
export {
  type CardUse,
  consume as consumeCardUse,
  createSecureFields,
  type NewCardSecure,
  type SecureFields,
} from './secure-fields/index.ts'
export {
  type CreditCard,
  cardSecrets,
  createVault,
  type LiveCard,
  type StoredCard,
  type Vault,
} from './vault/index.ts'

export interface Cards {
  /** Starts an attempt, or finds the one the same page started before. */
  start(asked: NewAttempt): Promise<Result<CardAttempt>>
  /** Asks the issuer, once; comes back when the attempt is challenged, decided or ended. */
  authenticate(attempt: CardAttempt, completion: MethodCompletion, browser?: BrowserFacts): Promise<void>
  find(walletId: bigint, attemptId: string): Promise<CardAttempt | undefined>
  /** The latest attempt that the card API started about an operation or a card to be stored. */
  findBySubject(subjectId: string): Promise<CardAttempt | undefined>
  /** Whether no other card can be tried for that payment. */
  triedOut(walletId: bigint, subjectId: string): Promise<boolean>
  /** Where the customer of an attempt goes on: back to its owner, or to the merchant once it is over. */
  returnUrl(attempt: CardAttempt): Promise<string>
  readonly routes: (app: App) => void
  readonly resolver: Worker
  /** Hears from other processes which attempts were authenticated. */
  listen(): Promise<void>
  /** Waits for what goes on in the background. */
  settled(): Promise<void>
}

export function createCards(deps: CardsDeps): Cards {
  const context: CardsContext = {
    ...deps,
    securityCodes: createSecurityCodes(deps.clock),
    deciding: createDeciding(deps.onError),
  }
  return {
    start: (asked) => startAttempt(context, asked),
    authenticate: (attempt, completion, browser = attempt.browser) =>
      authenticate(context, { ...attempt, browser }, completion),
    find: (walletId, attemptId) => findAttempt(deps.database, walletId, attemptId),
    findBySubject: (subjectId) => findAttemptBySubject(deps.database, subjectId),
    triedOut: async (walletId, subjectId) =>
      (await countAttempts(deps.database, walletId, subjectId)) >= attemptsPerSubjectMax,
    returnUrl: (attempt) => deps.owners[attempt.owner].returnUrl(attempt),
    routes: cardRoutes(context),
    resolver: createResolver(context),
    listen: () =>
      deps.database.listen(authenticatedChannel, (payload) => hearAuthenticated(context, payload)),
    settled: () => context.deciding.all(),
  }
}
