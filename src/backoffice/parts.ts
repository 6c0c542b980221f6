// What the routes of the backoffice work with: its own accounts, and the modules whose verbs and reads they call.

import type { Callbacks } from '../callbacks/index.ts'
import type { Randomness } from '../kernel/random.ts'
import type { Keyring } from '../kernel/sealing.ts'
import type { Clock } from '../kernel/time.ts'
import type { Cards } from '../methods/cards/index.ts'
import type { Operations } from '../operations/index.ts'
import type { RequestLog } from '../request-log/index.ts'
import type { Database } from '../storage/index.ts'
import type { Wallets } from '../wallets/index.ts'
import type { BackofficeGuard } from './access/guard.ts'
import type { SignInRules } from './access/sign-in-rules.ts'
import type { People } from './accounts/people.ts'
import type { KnownDevices } from './accounts/sign-in/known-devices.ts'
import type { SignInLimits } from './accounts/sign-in/sign-in-limits.ts'
import type { OperatorParts } from './operator/parts.ts'

/** What the gateway hands to the backoffice. */
export interface BackofficeDeps {
  readonly database: Database
  readonly keyring: Keyring
  readonly clock: Clock
  /** What payments go by: the sandbox's may run ahead. */
  readonly gatewayClock: Clock
  readonly random: Randomness
  readonly baseUrl: string
  readonly mode: 'sandbox' | 'production'
  readonly manifestPath: string
  readonly signInRules: SignInRules
  readonly wallets: Wallets
  readonly operations: Pick<Operations, 'show' | 'showPostings'>
  readonly callbacks: Pick<Callbacks, 'events' | 'examine' | 'endpoints' | 'ping' | 'resend' | 'resendFailed'>
  readonly cards: Pick<Cards, 'deleteCard'>
  readonly requestLog: Pick<RequestLog, 'days' | 'list' | 'find'>
  readonly operator: OperatorParts
  readonly onError: (error: unknown) => void
}

/** The same, and what the backoffice makes of it for its routes. */
export interface BackofficeParts extends BackofficeDeps {
  readonly guard: BackofficeGuard
  readonly people: People
  readonly limits: SignInLimits
  readonly devices: KnownDevices
}
