// An attempt to be paid by phone: what it keeps of its own.
import type { CustomerAttempt } from '../operations/index.ts'

export interface PhoneDetails {
  /** E.164 */
  readonly phone: string
  /** The mandate whose allowance is reserved for it; gone where the network asks the customer all the same. */
  readonly mandateId?: string | undefined
  /** The mandate that the same approval makes, under which a subscription is charged from then on. */
  readonly opensMandateId?: string | undefined
}

/**
 * A declined attempt leaves a checkout open, and fails a direct payment. Its key is the one under which the network was
 * asked; `expiresAt` is until when the customer may approve.
 */
export type MobilePayment = CustomerAttempt<PhoneDetails>

/** What a payment by phone is for, before anybody was asked. */
export type MobilePaymentOrder = Pick<
  MobilePayment,
  'walletId' | 'operationId' | 'type' | 'owner' | 'pageToken' | 'merchantName' | 'amount' | 'currency'
> & { readonly phone: string }
