// Data of the page after a checkout.
import type { Cents } from '../../src/kernel/money.ts'

/** A posting with a negative amount reduces the account. */
export interface Posting {
  readonly walletId: bigint
  /** Such as `merchant`, `consumer`, `fees` or `clearing:<method>`. */
  readonly account: string
  readonly amount: Cents
}

export interface SentCallback {
  readonly event: string
  /** The body of the callback. Undefined if it concerns no operation. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly state: 'DUE' | 'DELIVERED' | 'GIVEN_UP' | 'VERIFIED' | 'NO_ENDPOINT'
  readonly attempts: number
  /** The status or error of the last attempt. */
  readonly lastAnswer: string | undefined
}

/** Everyone with the checkout's id can see this, so it contains no customer data. */
export interface Receipt {
  readonly checkoutId: string
  readonly walletId: bigint
  readonly kind: 'payment' | 'authorization' | 'subscription'
  /** The status of the operation, or of the subscription if there is no payment. */
  readonly status: string
  readonly operation?: {
    readonly id: string
    readonly method: string | undefined
    readonly amount: Cents
    readonly error: string | undefined
  }
  readonly subscriptionId?: string | undefined
  readonly postings: readonly Posting[]
  readonly callbacks: readonly SentCallback[]
}
