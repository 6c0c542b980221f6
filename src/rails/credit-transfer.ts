// The contract of the bank for SEPA credit transfers.
import type { Cents } from '../kernel/money.ts'
import type { UnknownAnswer } from './card-acquirer.ts'
import type { ReturnReason } from './direct-debit.ts'

export interface TransferOrder {
  /** Our idempotency key (a UUID): under one key money leaves once. */
  readonly key: string
  /** Our operation; the beneficiary's end-to-end reference. */
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
  /** `not_found`: not received so far. */
  inquire(key: string): Promise<TransferAnswer | { readonly kind: 'not_found' }>
}

/** The gateway's treatment of an incoming transfer. */
export interface TransferTaken {
  readonly id: string
  readonly text: string
  readonly amount: Cents
  readonly operationId?: string | undefined
  readonly walletId?: bigint | undefined
  /** The reason why no wallet got it. */
  readonly problem?: string | undefined
}

/** Money on the gateway's own account, from the bank's statement. */
export interface IncomingTransfer {
  /** The bank's id of the entry (a UUID); duplicates are dropped. */
  readonly key: string
  /** The payer's text; it should name a wallet. */
  readonly text: string
  readonly iban?: string | undefined
  readonly amount: Cents
  readonly currency: string
}
