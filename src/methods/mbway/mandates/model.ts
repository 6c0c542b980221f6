// Mandates of customers of the mobile wallet, and their states.
import type { Day } from '../../../kernel/lisbon.ts'
import type { Cents } from '../../../kernel/money.ts'
import { column, type RowOf, table } from '../../../storage/tables/table.ts'

export const mandateTypes = ['ONECLICK', 'SUBSCRIPTION'] as const
export type MandateType = (typeof mandateTypes)[number]

export const mandateStates = ['REQUESTED', 'ACTIVE', 'SUSPENDED', 'VOIDED', 'EXPIRED'] as const
export type MandateState = (typeof mandateStates)[number]

/**
 * All transitions (CONTRACT section 12). A state without any is final.
 * @public A test compares them with the drawing in docs/states.
 */
export const mandateTransitions: Readonly<Record<MandateState, readonly MandateState[]>> = {
  REQUESTED: ['ACTIVE', 'EXPIRED'],
  ACTIVE: ['SUSPENDED', 'VOIDED', 'EXPIRED'],
  SUSPENDED: ['ACTIVE', 'VOIDED', 'EXPIRED'],
  VOIDED: [],
  EXPIRED: [],
}

export type MandateEventWord = 'APPROVED' | 'UPDATED' | 'EXPIRED' | 'VOIDED' | 'SUSPENDED'

export const mandates = table(
  'mandates',
  {
    id: column.uuid(),
    walletId: column.bigint(),
    type: column.text<MandateType>(),
    state: column.text<MandateState>(),
    phone: column.text(),
    clientName: column.text().optional(),
    urlCallback: column.text().optional(),
    requestId: column.uuid().optional(),
    subscriptionId: column.uuid().optional(),
    /** Limit of one calendar month in Lisbon. It is zero until the customer has set it. */
    limit: column.cents().named('amount_limit'),
    expiryDate: column.text<Day>().optional(),
    /** Number of applied changes of the network. */
    version: column.integer(),
    askedUntil: column.instant(),
    /** Number of inquiries since the last notice. */
    inquiries: column.integer(),
    withdrawn: column.boolean(),
    /** The mandate was requested together with a payment that is not settled yet. */
    awaitsPayment: column.boolean(),
    /** The limit and start that the merchant asks for. Absent for a mandate without a subscription. */
    wanted: column.embedded({ limit: column.cents(), from: column.text<Day>() }).optional(),
    createdAt: column.instant(),
    modifiedAt: column.instant(),
  },
  {
    dueAt: column.instant().optional(),
  },
)

export const mandatesWithUse = mandates.with({
  used: column.cents().default(0n as Cents),
})

/** A mandate and the amount approved under it in this month. */
export type Mandate = RowOf<typeof mandatesWithUse>

/**
 * Approved amounts per calendar month in Lisbon (`yyyy-mm`).
 * @public Tested against the schema.
 */
export const mandateAllowances = table('mandate_allowances', {
  walletId: column.bigint(),
  mandateId: column.uuid(),
  month: column.text(),
  used: column.cents(),
})

/**
 * Payments under a mandate.
 * @public Tested against the schema.
 */
export const mandateReservations = table('mandate_reservations', {
  walletId: column.bigint(),
  id: column.uuid(),
  mandateId: column.uuid(),
  month: column.text(),
  amount: column.cents(),
  createdAt: column.instant(),
})

export function availableOf({ state, limit, used }: Mandate): Cents {
  return (state === 'ACTIVE' && limit > used ? limit - used : 0n) as Cents
}
