// The contract of the bank for SEPA credit transfers.
import type { Cents } from '../kernel/money.ts'
import type { UnknownAnswer } from './card-acquirer.ts'
import type { ReturnReason } from './direct-debit.ts'

export interface TransferOrder {
  readonly key: string
  readonly reference: string
  readonly beneficiary: { readonly name: string; readonly iban: string }
  readonly amount: Cents
  readonly currency: string
}

/** `paid` and `returned` are final. */
export type TransferAnswer =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'paid' }
  | { readonly kind: 'returned'; readonly reason: ReturnReason }
  | UnknownAnswer

export interface CreditTransfer {
  /** Orders a transfer. A repeated key answers the state of the first order. */
  send(order: TransferOrder, signal?: AbortSignal): Promise<TransferAnswer>
  inquire(key: string): Promise<TransferAnswer | { readonly kind: 'not_found' }>
}

export interface TransferTaken {
  readonly id: string
  readonly text: string
  readonly amount: Cents
  readonly operationId?: string | undefined
  readonly walletId?: bigint | undefined
  readonly problem?: string | undefined
}

/** Money on the gateway's own account, from the bank's statement. */
export interface IncomingTransfer {
  readonly key: string
  readonly text: string
  readonly iban?: string | undefined
  readonly amount: Cents
  readonly currency: string
}
