// The gateway as the sandbox sees it: what its rails may tell it, and what its operator would do for who tries it out.
import type { Cents } from '../src/kernel/money.ts'
import type { Result } from '../src/kernel/result.ts'
import type { Instant } from '../src/kernel/time.ts'
import type { Notices, TransferTaken } from '../src/rails/index.ts'
import type { RunDue } from './clock/time-travel.ts'
import type { CallbackSettings } from './merchant-routes.ts'
import type { FindReceipt } from './thanks/routes.ts'

export interface Consumer {
  readonly walletId: bigint
  readonly email: string
  readonly balance: Cents
  readonly lockedUntil: Instant | undefined
  /** The text that tops the balance up by transfer. */
  readonly reference: string
}

/** Who can be topped up by transfer, and with which text. */
export interface TopUpText {
  readonly name: string
  readonly reference: string
}

/** What is no merchant's API, because in production an operator does it. */
export interface Administration extends CallbackSettings {
  /** Everything in the gateway that waits for its time; called after each move of the clock. */
  readonly runDue: RunDue
  readonly findReceipt: FindReceipt
  hasMerchant(walletId: bigint): Promise<boolean>
  transfersTaken(limit: number): Promise<readonly TransferTaken[]>
  topUpTexts(): Promise<readonly TopUpText[]>
  /** Makes a consumer with money on the balance. Refusals: invalid_parameter. */
  createConsumer(
    consumer: { readonly email: string; readonly pin: string; readonly phone?: string },
    balance: Cents,
  ): Promise<Result<Consumer>>
  findConsumer(email: string): Promise<Consumer | undefined>
}

/** As much of a composed gateway as the sandbox calls. */
export interface SandboxedGateway {
  readonly notices: Notices
  readonly administration: Administration
}
