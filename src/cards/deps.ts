// What the cards module is handed by those who put it to work.
import type { Randomness } from '../kernel/random.ts'
import type { Keyring } from '../kernel/sealing.ts'
import type { Clock } from '../kernel/time.ts'
import type { AttemptSubject, CustomerEngine } from '../operations/index.ts'
import type { CardAcquirer, ThreeDSecure } from '../rails/index.ts'
import type { Database } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import type { AttemptsInFlight } from './attempts/in-flight.ts'
import type { SecurityCodes } from './attempts/security-codes.ts'
import type { CardAttempt, CardAttemptDetails, CardOwner } from './model.ts'

/** What an attempt by card is for. */
export interface CardSubject extends AttemptSubject<CardAttemptDetails> {
  /** Where the customer's browser goes on after the issuer's page. */
  returnUrl(attempt: CardAttempt): Promise<string>
}

export interface CardsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly random: Randomness
  readonly keyring: Keyring
  readonly acquirer: CardAcquirer
  readonly threeDSecure: ThreeDSecure
  readonly baseUrl: string
  readonly subjects: Readonly<Record<CardOwner, CardSubject>>
  readonly onError: (error: unknown) => void
}

/** The deps with what the module keeps for itself. */
export interface CardsContext extends CardsDeps {
  readonly engine: CustomerEngine<CardAttemptDetails>
  readonly securityCodes: SecurityCodes
  /** What this process is having decided; a stop waits for it. */
  readonly inFlight: AttemptsInFlight
  /** Where the customer of an attempt goes on: back to who began it, or to the merchant once it is over. */
  returnUrl(attempt: CardAttempt): Promise<string>
}
