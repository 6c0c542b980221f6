// A mandate: what a customer allows a merchant on the phone, and its states.
import type { Day } from '../../../kernel/lisbon.ts'
import type { Cents } from '../../../kernel/money.ts'
import { column, type RowOf, table } from '../../../storage/tables/table.ts'

export const mandateTypes = ['ONECLICK', 'SUBSCRIPTION'] as const
export type MandateType = (typeof mandateTypes)[number]

export const mandateStates = ['REQUESTED', 'ACTIVE', 'SUSPENDED', 'VOIDED', 'EXPIRED'] as const
export type MandateState = (typeof mandateStates)[number]

/**
 * Every transition there is (CONTRACT section 12); a state without any is final.
 *
 * @public Compared with its drawing in docs/states.
 */
export const mandateTransitions: Readonly<Record<MandateState, readonly MandateState[]>> = {
  REQUESTED: ['ACTIVE', 'EXPIRED'],
  ACTIVE: ['SUSPENDED', 'VOIDED', 'EXPIRED'],
  SUSPENDED: ['ACTIVE', 'VOIDED', 'EXPIRED'],
  VOIDED: [],
  EXPIRED: [],
}

/** The event's word for the merchant (SPEC.md Events). */
export type MandateEventWord = 'APPROVED' | 'UPDATED' | 'EXPIRED' | 'VOIDED' | 'SUSPENDED'

/** What customers allow a merchant on the phone. */
export const mandates = table(
  'mandates',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    type: column.text<MandateType>(),
    state: column.text<MandateState>(),
    /** E.164 */
    phone: column.text(),
    clientName: column.text().optional(),
    urlCallback: column.text().optional(),
    requestId: column.uuid().optional(),
    /** Of a SUBSCRIPTION mandate, and only of those. */
    subscriptionId: column.uuid().optional(),
    /** What may be charged per calendar month in Lisbon; zero until the customer has set it. */
    limit: column.cents().named('amount_limit'),
    /** The last Lisbon day. */
    expiryDate: column.text<Day>().optional(),
    /** How many of the network's changes were applied. */
    version: column.integer(),
    /** Until when the customer may approve. */
    askedUntil: column.instant(),
    /** How often the network was asked about it since its last notice. */
    inquiries: column.integer(),
    /** Whether the customer withdrew the request, on the page where it was made. */
    withdrawn: column.boolean(),
    /** Whether it was asked for together with a payment that is not settled yet: until then it follows the payment. */
    awaitsPayment: column.boolean(),
    /** What the merchant asked to be allowed; absent where the customer is asked for no more than a mandate. */
    wanted: column.embedded({ limit: column.cents(), from: column.text<Day>() }).optional(),
    createdAt: column.instant(),
    /** When its state or terms changed last. */
    modifiedAt: column.instant(),
  },
  {
    dueAt: column.instant().optional(),
  },
)

/** With what was used of them in one month. */
export const mandatesWithUse = mandates.with({
  /** In cents; zero where nothing was, or it was not asked. */
  used: column.cents().default(0n as Cents),
})

/** A mandate, with what was approved under it in the present month. */
export type Mandate = RowOf<typeof mandatesWithUse>

/**
 * What was approved under a mandate per calendar month in Lisbon (`yyyy-mm`).
 *
 * @public Compared with the schema.
 */
export const mandateAllowances = table('mandate_allowances', {
  walletId: column.bigint(),
  mandateId: column.uuid(),
  month: column.text(),
  used: column.cents(),
})

/**
 * What is being paid, or was paid, under a mandate.
 *
 * @public Compared with the schema.
 */
export const mandateReservations = table('mandate_reservations', {
  walletId: column.bigint(),
  /** Identifies what is paid by it. */
  id: column.uuid(),
  mandateId: column.uuid(),
  month: column.text(),
  amount: column.cents(),
  createdAt: column.instant(),
})

/** What may still be charged this month. A limit lowered below what was charged leaves nothing. */
export function availableOf({ state, limit, used }: Mandate): Cents {
  return (state === 'ACTIVE' && limit > used ? limit - used : 0n) as Cents
}
