// An attempt to be paid by phone: what the network is asked under its id, and what became of it.
import { column, type RowOf, table } from '../storage/tables/table.ts'

export type MobilePaymentState = 'ASKED' | 'APPROVED' | 'DECLINED'

/**
 * Every transition there is; a state without any is final.
 *
 * @public Compared with its drawing in docs/states.
 */
export const mobilePaymentTransitions: Readonly<Record<MobilePaymentState, readonly MobilePaymentState[]>> = {
  ASKED: ['APPROVED', 'DECLINED'],
  APPROVED: [],
  DECLINED: [],
}

/** Attempts to be paid by phone. */
export const mobilePayments = table(
  'mobile_payments',
  {
    /** Also the key under which the network was asked. */
    id: column.uuid(),
    walletId: column.bigint(),
    operationId: column.uuid(),
    /** A declined attempt leaves a checkout open, and fails a direct payment. */
    owner: column.text<'checkout' | 'direct'>(),
    /** Of the form that asked for it: the same one twice is one attempt. */
    pageToken: column.uuid(),
    state: column.text<MobilePaymentState>(),
    merchantName: column.text(),
    /** E.164 */
    phone: column.text(),
    amount: column.cents(),
    currency: column.text(),
    intent: column.text<'sale' | 'hold'>(),
    /** The mandate whose allowance is reserved for it; gone where the network asks the customer all the same. */
    mandateId: column.uuid().optional(),
    /** The mandate that the same approval makes, under which a subscription is charged from then on. */
    opensMandateId: column.uuid().optional(),
    /** Why it was declined, in a word of the network. */
    decline: column.text().optional(),
    /** Until when the customer may approve. */
    expiresAt: column.instant(),
    /** When the customer took the question back; the network is told so until it has said what became of it. */
    withdrawnAt: column.instant().optional(),
    /** How often the network was asked about it. */
    inquiries: column.integer(),
    createdAt: column.instant(),
  },
  {
    /** What the network calls the payment. */
    reference: column.text().optional(),
    modifiedAt: column.instant(),
    dueAt: column.instant().optional(),
  },
)

export type MobilePayment = RowOf<typeof mobilePayments>

/** What a payment by phone is for, before anybody was asked. */
export type MobilePaymentOrder = Pick<
  MobilePayment,
  | 'walletId'
  | 'operationId'
  | 'owner'
  | 'pageToken'
  | 'merchantName'
  | 'phone'
  | 'amount'
  | 'currency'
  | 'intent'
>
