// The contracts of the bank: SEPA direct debits and credit transfers.
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { UnknownAnswer } from './card-acquirer.ts'
import type { RefundsPayments } from './refund.ts'

export interface Collection {
  readonly key: string
  readonly reference: string
  readonly merchant: { readonly id: bigint; readonly name: string }
  readonly debtor: {
    readonly name: string
    readonly iban: string
    readonly email?: string | undefined
    readonly address?: DebtorAddress | undefined
  }
  readonly mandate: AcceptedMandate
  readonly amount: Cents
  readonly currency: string
  readonly dueOn: Day
}

export interface DebtorAddress {
  readonly street: string
  readonly postalcode?: string | undefined
  readonly city: string
  readonly country: string
}

export interface AcceptedMandate {
  readonly id: string
  readonly creditorId: string
  readonly signedOn: Day
  readonly signedFrom?: string | undefined
  readonly signedWith?: string | undefined
}

/** A mandate that the agent made itself. */
export interface MadeMandate {
  /** The mandate reference on the debtor's bank statement. */
  readonly id: string
}

export interface Creditor {
  readonly name: string
  readonly creditorId: string
  /** The company that collects for the creditor. Undefined: the gateway collects through its own bank. */
  readonly agent?: string | undefined
  readonly wantsEmail?: boolean | undefined
  /** True if the creditor's own bank is outside the EEA: banks then require the address of every debtor. */
  readonly wantsAddress?: boolean | undefined
  /**
   * The agent makes the mandate under its own id, at once or by an e-mail that the debtor must answer. `by
   * e-mail` needs an e-mail address. Default: our mandate counts.
   */
  readonly makesMandate?: 'at once' | 'by e-mail' | undefined
}

export interface CreditorAccount {
  readonly name: string
  readonly iban: string
  readonly bic: string
  readonly creditorId: string
  /** Default: the newest formats that the gateway writes. */
  readonly formats?: OrderFormats | undefined
}

/** Formats of order files (ISO 20022). Portuguese banks use those of 2009 (.03 and .02). */
export interface OrderFormats {
  readonly transfers: 'pain.001.001.03' | 'pain.001.001.09'
  readonly collections: 'pain.008.001.02' | 'pain.008.001.08'
}

export type ReturnReason = 'insufficient_funds' | 'account_closed' | 'refused_by_debtor' | 'unspecified'

/** `returned` is final. The debtor can return a `paid` debit for eight weeks. */
export type CollectionAnswer =
  /** Waits for the due day, or for the debtor's answer to the agent's mandate. */
  | { readonly kind: 'waiting'; readonly mandate?: MadeMandate | undefined }
  | { readonly kind: 'paid' }
  | { readonly kind: 'returned'; readonly reason: ReturnReason }
  | UnknownAnswer

/** A refund goes to the debtor's account, by the key of the collection. */
export interface DirectDebit extends RefundsPayments {
  creditorOf(merchantId: bigint): Creditor
  /** Orders a collection. If the key is repeated, returns the state of the first order. */
  collect(collection: Collection, signal?: AbortSignal): Promise<CollectionAnswer>
  inquire(key: string): Promise<CollectionAnswer | { readonly kind: 'not_found' }>
}

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
  /** Orders a transfer. If the key is repeated, returns the state of the first order. */
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

/** Money that arrived on the gateway's own account, from the bank's statement. */
export interface IncomingTransfer {
  readonly key: string
  readonly text: string
  readonly iban?: string | undefined
  readonly amount: Cents
  readonly currency: string
}
