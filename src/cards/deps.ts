// What the cards module is handed by those who put it to work.
import type { Randomness } from '../kernel/random.ts'
import type { Keyring } from '../kernel/sealing.ts'
import type { Clock } from '../kernel/time.ts'
import type { CardAcquirer, ThreeDSecure } from '../rails/index.ts'
import type { Database, Executor } from '../storage/index.ts'
import type { Deciding } from './attempts/deciding.ts'
import type { SecurityCodes } from './attempts/security-codes.ts'
import type { CardAttempt } from './model.ts'

/** Whoever an attempt is made for: it owns the operation that the attempt is about. */
export interface OwnerOfAttempts {
  /** Makes the attempt the operation's own, in the transaction that writes it; false when that is too late. */
  choose(tx: Executor, attempt: CardAttempt): Promise<boolean>
  /** Hands the decision to the acquirer, in the transaction that marks the attempt; false when replaced. */
  beginApproval(tx: Executor, attempt: CardAttempt): Promise<boolean>
  /**
   * The acquirer said yes. Repeated after a crash; must settle once. False when what the attempt was for has ended
   * otherwise: then the money goes back.
   */
  approved(attempt: CardAttempt): Promise<boolean>
  /**
   * The acquirer said no. Repeated after a crash. False when the attempt has paid all the same: another process
   * learnt of its approval first.
   */
  declined(attempt: CardAttempt, reason: string): Promise<boolean>
  /** The customer was not authenticated; no acquirer was asked. Repeated after a crash. */
  authenticationFailed(attempt: CardAttempt, reason: string): Promise<void>
  /** Where the customer's browser goes on after the issuer's page. */
  returnUrl(attempt: CardAttempt): Promise<string>
}

export interface CardsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly random: Randomness
  readonly keyring: Keyring
  readonly acquirer: CardAcquirer
  readonly threeDSecure: ThreeDSecure
  readonly baseUrl: string
  readonly owners: Readonly<Record<CardAttempt['owner'], OwnerOfAttempts>>
  /** Has the acquirer asked again about an attempt that it has not received, before the attempt fails for that. */
  readonly watch: (attempt: CardAttempt) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** The deps with what the module keeps for itself. */
export interface CardsContext extends CardsDeps {
  readonly securityCodes: SecurityCodes
  /** What this process is having decided; a stop waits for it. */
  readonly deciding: Deciding
}
