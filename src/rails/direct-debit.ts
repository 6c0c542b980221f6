// The contract of whoever collects direct debits (SEPA Core), a bank or a provider: it takes orders, and answers days later.
import type { Day } from '../kernel/lisbon.ts'
import type { Cents } from '../kernel/money.ts'
import type { UnknownAnswer } from './card-acquirer.ts'
import type { RefundsPayments } from './refund.ts'

export interface Collection {
  /** Our idempotency key (a UUID): under one key the debtor is debited once. */
  readonly key: string
  /** Our operation; the debtor sees it as end-to-end reference. */
  readonly reference: string
  /** On whose behalf it is collected; the id is that of their wallet. */
  readonly merchant: { readonly id: bigint; readonly name: string }
  readonly debtor: {
    readonly name: string
    readonly iban: string
    readonly email?: string | undefined
    /** Of an account outside the European Economic Area. */
    readonly address?: DebtorAddress | undefined
  }
  readonly mandate: AcceptedMandate
  readonly amount: Cents
  /** ISO 4217, three letters. */
  readonly currency: string
  /** The day on which the debtor's bank is to pay: a TARGET day. */
  readonly dueOn: Day
}

/** Where a debtor lives. */
export interface DebtorAddress {
  readonly street: string
  readonly postalcode?: string | undefined
  readonly city: string
  /** Two letters. */
  readonly country: string
}

/** What a debtor agreed to on the page. */
export interface AcceptedMandate {
  readonly id: string
  /** Whom it authorizes ({@link Creditor}): nobody else may collect under it. */
  readonly creditorId: string
  readonly signedOn: Day
  /** Network address, and program, with which it was accepted. */
  readonly signedFrom?: string | undefined
  readonly signedWith?: string | undefined
}

/** Who collects a merchant's debits: whom the mandate names, and what is needed of the debtor. */
export interface Creditor {
  readonly name: string
  /** Creditor identifier of the SEPA scheme. */
  readonly creditorId: string
  /** Who sends the orders on its behalf and collects them by itself; undefined: the gateway, by its own bank. */
  readonly agent?: string | undefined
  /** Whether the debtor's e-mail address is needed. */
  readonly wantsEmail?: boolean | undefined
}

/** The account that the gateway itself has at its bank, and as whom it collects there. */
export interface CreditorAccount {
  readonly name: string
  readonly iban: string
  readonly bic: string
  /** Creditor identifier of the SEPA scheme. */
  readonly creditorId: string
  /** In which formats its bank takes orders; undefined: the newest that we write. */
  readonly formats?: OrderFormats | undefined
}

/** Formats of orders by file (ISO 20022). Banks in Portugal ask for those of 2009 (.03 and .02). */
export interface OrderFormats {
  readonly transfers: 'pain.001.001.03' | 'pain.001.001.09'
  readonly collections: 'pain.008.001.02' | 'pain.008.001.08'
}

/** Why a bank returns a debit, or a transfer. */
export type ReturnReason = 'insufficient_funds' | 'account_closed' | 'refused_by_debtor' | 'unspecified'

/** `returned` is final; what was `paid` can be returned by the debtor for eight weeks. */
export type CollectionAnswer =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'paid' }
  | { readonly kind: 'returned'; readonly reason: ReturnReason }
  | UnknownAnswer

/** Refunds pay the debtor's account; the key of the collection identifies it. */
export interface DirectDebit extends RefundsPayments {
  /** Who collects the debits of a merchant (by the id of their wallet) that begin now. */
  creditorOf(merchantId: bigint): Creditor
  /** Orders a collection. Repeated under one key it answers the state of that collection, so asking again is safe. */
  collect(collection: Collection, signal?: AbortSignal): Promise<CollectionAnswer>
  /** The state of the collection; `not_found` when it has not been received so far. */
  inquire(key: string): Promise<CollectionAnswer | { readonly kind: 'not_found' }>
}
