// What the pretend outside world tells the gateway, as the real one does by notices, files and statements.
import type { Cents } from '../src/kernel/money.ts'
import type { Result } from '../src/kernel/result.ts'
import type { Instant } from '../src/kernel/time.ts'
import type { IncomingTransfer } from '../src/rails/index.ts'

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

/** What the gateway made of a transfer. */
export interface TransferTaken {
  readonly id: string
  readonly text: string
  readonly amount: Cents
  readonly operationId: string | undefined
  readonly walletId: bigint | undefined
  /** Why nobody has it. */
  readonly problem: string | undefined
}

export interface GatewayNews {
  /** Something happened to the online wallet's order of this key. */
  walletOrderChanged(key: string): Promise<void>
  /** Something happened to the bank's debit, or transfer, of this key. */
  bankEntryChanged(key: string): Promise<void>
  transferArrived(transfer: IncomingTransfer): Promise<TransferTaken>
  transfersTaken(limit: number): Promise<readonly TransferTaken[]>
  topUpTexts(): Promise<readonly TopUpText[]>
  /** Makes a consumer with money on the balance. Refusals: invalid_parameter. */
  createConsumer(
    consumer: { readonly email: string; readonly pin: string; readonly phone?: string },
    balance: Cents,
  ): Promise<Result<Consumer>>
  findConsumer(email: string): Promise<Consumer | undefined>
}
