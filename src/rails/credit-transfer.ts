// The contract of the bank that pays out (SEPA credit transfers), and what it reports of incoming money.
import type { Cents } from '../kernel/money.ts'
import type { UnknownAnswer } from './card-acquirer.ts'
import type { ReturnReason } from './direct-debit.ts'

export interface TransferOrder {
  /** Our idempotency key (a UUID): under one key money leaves once. */
  readonly key: string
  /** Our operation; the beneficiary sees it as end-to-end reference. */
  readonly reference: string
  readonly beneficiary: { readonly name: string; readonly iban: string }
  readonly amount: Cents
  /** ISO 4217, three letters. */
  readonly currency: string
}

/** `paid` and `returned` are final. */
export type TransferAnswer =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'paid' }
  | { readonly kind: 'returned'; readonly reason: ReturnReason }
  | UnknownAnswer

export interface CreditTransfer {
  /** Orders a transfer. Repeated under one key it answers the state of that transfer, so asking again is safe. */
  send(order: TransferOrder, signal?: AbortSignal): Promise<TransferAnswer>
  /** The state of the transfer; `not_found` when it has not been received so far. */
  inquire(key: string): Promise<TransferAnswer | { readonly kind: 'not_found' }>
}

/** What the gateway made of a transfer that arrived. */
export interface TransferTaken {
  readonly id: string
  readonly text: string
  readonly amount: Cents
  readonly operationId?: string | undefined
  readonly walletId?: bigint | undefined
  /** Why it was assigned to no wallet. */
  readonly problem?: string | undefined
}

/** Money that arrived on the gateway's own account, as in the bank's statement. */
export interface IncomingTransfer {
  /** The bank's own id of the entry (a UUID): the same entry reported twice counts once. */
  readonly key: string
  /** What the payer wrote; names a wallet, if all is well. */
  readonly text: string
  readonly iban?: string | undefined
  readonly amount: Cents
  /** ISO 4217, three letters. */
  readonly currency: string
}
