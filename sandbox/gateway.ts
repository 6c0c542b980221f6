// Functions of the gateway that the sandbox calls.
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
  /** The text that the payer wrote into the bank transfer. */
  readonly reference: string
}

/** A consumer, and the transfer text that tops up the balance. */
export interface TopUpText {
  readonly name: string
  readonly reference: string
}

/** Actions of the operator that are not in the merchant's API. */
export interface Administration extends CallbackSettings {
  /** Runs all due work. The sandbox calls it after each move of the clock. */
  readonly runDue: RunDue
  readonly findReceipt: FindReceipt
  hasMerchant(walletId: bigint): Promise<boolean>
  transfersTaken(limit: number): Promise<readonly TransferTaken[]>
  topUpTexts(): Promise<readonly TopUpText[]>
  /** Creates a consumer with a balance. Refusals: invalid_parameter. */
  createConsumer(
    consumer: { readonly email: string; readonly pin: string; readonly phone?: string },
    balance: Cents,
  ): Promise<Result<Consumer>>
  findConsumer(email: string): Promise<Consumer | undefined>
}

export interface SandboxedGateway {
  readonly notices: Notices
  readonly administration: Administration
}
