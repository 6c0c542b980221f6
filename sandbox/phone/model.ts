// Requests, mandates and PINs of the simulated mobile wallet.
import type { Day } from '../../src/kernel/lisbon.ts'
import type { Cents } from '../../src/kernel/money.ts'
import type { Instant } from '../../src/kernel/time.ts'
import type { WalletMandateChange, WantedMandate } from '../../src/rails/index.ts'
import { column, table } from '../../src/storage/tables/table.ts'

export type RequestState = 'pending' | 'approved' | 'refused' | 'expired' | 'withdrawn'
export type MandateKind = 'ONECLICK' | 'SUBSCRIPTION'

export interface PhoneRequest {
  readonly key: string
  readonly phone: string
  readonly kind: 'payment' | 'authorization' | 'mandate'
  readonly merchantId: bigint
  readonly merchantName: string
  readonly mandateType?: MandateKind | undefined
  /** The mandate that this request asks for. */
  readonly mandate?: string | undefined
  /** The terms that the merchant suggests. */
  readonly wanted?: WantedMandate | undefined
  /** Payments and authorizations have an amount. */
  readonly amount?: Cents | undefined
  readonly currency?: string | undefined
  readonly state: RequestState
  /** The mandate that approved the payment without a PIN. */
  readonly byMandate?: string | undefined
  readonly reference?: string | undefined
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

export type PhoneMandateState = 'requested' | 'active' | 'suspended' | 'ended'

export interface PhoneMandate {
  readonly key: string
  readonly phone: string
  readonly merchantName: string
  readonly type: MandateKind
  readonly state: PhoneMandateState
  readonly limit?: Cents | undefined
  readonly expiryDate?: Day | undefined
  /** The amount paid in this month. */
  readonly used: Cents
}

export const sandboxPin = '1234'
export const wrongPinsMax = 3

/** Terms that the customer sets and can change. */
export interface MandateTerms {
  readonly limit: Cents
  readonly expiryDate: Day
}

export type ChangeKind = WalletMandateChange['kind']

/** The states from which each change is allowed. */
export const mandateSteps: Readonly<
  Record<ChangeKind, { readonly from: readonly PhoneMandateState[]; readonly to?: PhoneMandateState }>
> = {
  approved: { from: ['requested'], to: 'active' },
  refused: { from: ['requested'], to: 'ended' },
  expired: { from: ['requested', 'active', 'suspended'], to: 'ended' },
  updated: { from: ['active', 'suspended'] },
  suspended: { from: ['active'], to: 'suspended' },
  resumed: { from: ['suspended'], to: 'active' },
  cancelled: { from: ['requested', 'active', 'suspended'], to: 'ended' },
}

/** Nobody has the numbers that end in 99 (CONTRACT section 12). */
export function isRegistered(phone: string): boolean {
  return /^\+3519[1236]\d{7}$/.test(phone) && !phone.endsWith('99')
}

export const phoneRequests = table(
  'sandbox.phone_requests',
  {
    key: column.uuid(),
    phone: column.text(),
    kind: column.text<PhoneRequest['kind']>(),
    merchantId: column.bigint(),
    merchantName: column.text(),
    mandateType: column.text<MandateKind>().optional(),
    amount: column.cents().optional(),
    currency: column.text().optional(),
    state: column.text<RequestState>(),
    /** The mandate that approved the payment without a PIN. */
    byMandate: column.uuid().optional(),
    reference: column.text().optional(),
    createdAt: column.instant(),
    expiresAt: column.instant(),
    /** The mandate that an approval creates. */
    opens: column.uuid().optional(),
    wanted: column.embedded({ limit: column.cents(), from: column.text<Day>() }).optional(),
  },
  {
    decidedAt: column.instant().optional(),
    reversedBy: column.uuid().optional(),
  },
)

export const phoneMandates = table(
  'sandbox.phone_mandates',
  {
    key: column.uuid(),
    phone: column.text(),
    merchantName: column.text(),
    type: column.text<MandateKind>(),
    state: column.text<PhoneMandateState>(),
    limit: column.cents().named('amount_limit').optional(),
    expiryDate: column.text<Day>().optional(),
  },
  {
    merchantId: column.bigint(),
    version: column.integer(),
    createdAt: column.instant(),
  },
)

export const phoneChanges = table('sandbox.phone_changes', {
  key: column.uuid(),
  version: column.integer(),
  kind: column.text<ChangeKind>(),
  limit: column.cents().named('amount_limit').optional(),
  expiryDate: column.text<Day>().optional(),
  changedAt: column.instant(),
})

/** @public Compared with the schema. */
export const phoneLocks = table('sandbox.phone_locks', {
  phone: column.text(),
  wrongPins: column.integer(),
})

/** @public Compared with the schema. */
export const phoneFollowUps = table('sandbox.phone_follow_ups', {
  key: column.uuid(),
  payment: column.uuid().optional(),
  kind: column.text<'capture' | 'release' | 'refund'>().optional(),
  amount: column.cents().optional(),
  reference: column.text().optional(),
  decline: column.text().optional(),
  movedAt: column.instant(),
  reversedBy: column.uuid().optional(),
})
