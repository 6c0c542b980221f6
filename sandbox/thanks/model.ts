// Data of the page after a checkout.
import type { Cents } from '../../src/kernel/money.ts'

/** A negative amount reduces the account. */
export interface Posting {
  readonly walletId: bigint
  /** `merchant`, `consumer`, `fees` or `clearing:<method>`. */
  readonly account: string
  readonly amount: Cents
}

export interface SentCallback {
  readonly event: string
  /** Body of the callback. Undefined if it concerns no operation. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly state: 'DUE' | 'DELIVERED' | 'GIVEN_UP' | 'VERIFIED' | 'NO_ENDPOINT'
  readonly attempts: number
  /** Status or error of the last attempt. */
  readonly lastAnswer: string | undefined
}

/** Contains no customer data, because the checkout's id is enough to see it. */
export interface Receipt {
  readonly checkoutId: string
  readonly walletId: bigint
  readonly kind: 'payment' | 'authorization' | 'subscription'
  /** Status of the operation; of the subscription if there is no payment. */
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
