// Dependencies of the backoffice's routes.
import type { Callbacks } from '../callbacks/index.ts'
import type { Clock } from '../kernel/time.ts'
import type { Mail } from '../mail/index.ts'
import type { Cards } from '../methods/cards/index.ts'
import type { Core } from '../module.ts'
import type { Operations } from '../operations/index.ts'
import type { RequestLog } from '../request-log/index.ts'
import type { Wallets } from '../wallets/index.ts'
import type { BackofficeGuard } from './access/guard.ts'
import type { SignInRules } from './access/sign-in-rules.ts'
import type { People } from './accounts/people.ts'
import type { KnownDevices } from './accounts/sign-in/known-devices.ts'
import type { SignInLimits } from './accounts/sign-in/sign-in-limits.ts'
import type { OperatorParts } from './operator/parts.ts'

interface MerchantParts {
  readonly wallets: Wallets
  readonly operations: Pick<Operations, 'show' | 'showPostings'>
  readonly callbacks: Pick<Callbacks, 'events' | 'examine' | 'endpoints' | 'ping' | 'resend' | 'resendFailed'>
  readonly cards: Pick<Cards, 'deleteCard'>
  readonly requestLog: Pick<RequestLog, 'days' | 'list' | 'find'>
  readonly mail: Pick<Mail, 'addAccountLink'>
}

export interface BackofficeDeps
  extends MerchantParts,
    Pick<Core, 'database' | 'clock' | 'random' | 'keyring' | 'baseUrl' | 'mode' | 'onError'> {
  /** The clock of payments. In the sandbox it can be ahead. */
  readonly gatewayClock: Clock
  readonly manifestPath: string
  readonly signInRules: SignInRules
  readonly operator: OperatorParts
}

export interface BackofficeParts extends BackofficeDeps {
  readonly guard: BackofficeGuard
  readonly people: People
  readonly limits: SignInLimits
  readonly devices: KnownDevices
}
