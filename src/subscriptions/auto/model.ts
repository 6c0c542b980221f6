// The tables of subscriptions that charge themselves.
import type { Day } from '../../kernel/lisbon.ts'
import type { PaymentItem } from '../../operations/index.ts'
import { column, type RowOf, table } from '../../storage/tables/table.ts'

/** NEW until the customer accepts. PAUSED by the merchant. ENDED: no further charge. */
export const autoChargeStatuses = ['NEW', 'ACTIVE', 'PAUSED', 'ENDED'] as const
export type AutoChargeStatus = (typeof autoChargeStatuses)[number]

/** REFUSED: the next attempt is not planned yet. FAILED: no further attempt in this cycle. */
export type Outcome = 'CHARGING' | 'PAID' | 'REFUSED' | 'RETRYING' | 'FAILED'

export const autoCharges = table(
  'auto_charges',
  {
    walletId: column.bigint(),
    subscriptionId: column.uuid(),
    status: column.text<AutoChargeStatus>(),
    /** In cents, for cycles that are not charged yet. */
    amount: column.cents(),
    extInvoiceId: column.text().named('ext_invoiceid').optional(),
    items: column.json<readonly PaymentItem[]>().optional(),
    maxCharges: column.integer().optional(),
    /** Days from the first attempt of a cycle to each further one, ascending. */
    retries: column.json<readonly number[]>(),
    /** Of the latest charge; absent before the first. */
    cycle: column.integer().optional(),
    number: column.integer().default(0),
    attempt: column.integer().default(0),
    chargeId: column.uuid().optional(),
    /** Of the latest charge, in cents: further attempts in its cycle keep it. */
    chargedAmount: column.cents().optional(),
    outcome: column.text<Outcome>().optional(),
    /** Reason of the latest refusal. */
    error: column.text().optional(),
    /** Lisbon day of the first attempt in the cycle. */
    firstOn: column.text<Day>().optional(),
    retryOn: column.text<Day>().optional(),
    nextCycle: column.integer().default(0),
    dueAt: column.instant().optional(),
    /** The merchant ended it: the customer cannot start it again. */
    stoppedAt: column.instant().optional(),
  },
  { createdAt: column.instant(), modifiedAt: column.instant() },
)

export type AutoCharge = RowOf<typeof autoCharges>

/** The terms that a merchant asks for. */
export type AutoChargeTerms = Pick<AutoCharge, 'amount' | 'extInvoiceId' | 'items' | 'maxCharges' | 'retries'>

/** The key that makes each attempt unique. @public Compared with the schema. */
export const chargedCycles = table('charged_cycles', {
  walletId: column.bigint(),
  subscriptionId: column.uuid(),
  cycle: column.integer(),
  attempt: column.integer(),
  chargeId: column.uuid(),
})
