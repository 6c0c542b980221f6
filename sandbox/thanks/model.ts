// What the page after a checkout shows of it.
import type { Cents } from '../../src/kernel/money.ts'

/** A sum added to an account of the ledger; negative takes away. */
export interface Posting {
  readonly walletId: bigint
  /** `merchant`, `consumer`, `fees` or `clearing:<method>`. */
  readonly account: string
  readonly amount: Cents
}

export interface SentCallback {
  readonly event: string
  /** The body as it is sent; undefined where it is not about the operation. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly state: 'DUE' | 'DELIVERED' | 'GIVEN_UP' | 'VERIFIED' | 'NO_ENDPOINT'
  readonly attempts: number
  /** The status or the error that the last attempt got. */
  readonly lastAnswer: string | undefined
}

/** Nothing in it identifies the customer: whoever has the checkout's id may look. */
export interface Receipt {
  readonly checkoutId: string
  readonly walletId: bigint
  readonly kind: 'payment' | 'authorization' | 'subscription'
  /** Of the operation, or of the subscription where nothing is paid. */
  readonly status: string
  readonly operation?: {
    readonly id: string
    readonly method: string | undefined
    readonly amount: Cents
    readonly error: string | undefined
  }
  readonly subscriptionId?: string | undefined
  readonly postings: readonly Posting[]
  /** Newest first. */
  readonly callbacks: readonly SentCallback[]
}
