// Balance, payouts and their schedule on the wire.
import { type Static, Type } from 'typebox'
import { maskedIban } from '../bank-files/index.ts'
import {
  amountField,
  amountOnWire,
  coerceStringToNumber,
  currencyField,
  dateOnWire,
  dayField,
  documented,
  idField,
  momentField,
  parseAmount,
  requestAmount,
  requestIdSchema,
  wordField,
} from '../http/index.ts'
import { type Cents, cents, decimalText } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { dryRun, operationFields } from '../operations/for-movements.ts'
import {
  merchantReferenceFields,
  type Operation,
  operationExample,
  operationOnWire,
} from '../operations/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { frequencies, type PayoutRun, type PayoutSchedule, payoutMethod } from './model.ts'
import type { Funds } from './payout.ts'
import { checkedDay } from './rules.ts'

export { dryRunQuery } from '../operations/for-movements.ts'

export const payoutBody = Type.Object(
  {
    ...dryRun,
    amount: Type.Optional(requestAmount('Amount in euros, at most the available balance.')),
    ...merchantReferenceFields,
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'PayoutRequest',
    description: 'The payout to order.',
    examples: [{ amount: 10.5, notes: 'Week 9' }],
    ...documented({ required: ['amount'] }),
  },
)

const fundsFields = {
  balance: amountField('Balance in euros. Negative if the wallet owes the gateway.'),
  pending_payouts: amountField('Total of the pending payouts, and of pending refunds to a bank account.'),
  available: amountField('The balance less pending payouts.'),
  currency: currencyField,
}

export const balanceSchema = Type.Object(
  { ...fundsFields, date: momentField('Moment at which this balance was read.') },
  { title: 'Balance', description: 'The balance of the wallet.' },
)

export const payoutSchema = Type.Object(
  {
    ...operationFields,
    iban: Type.Optional(Type.String({ description: 'IBAN of the payee, partly hidden.' })),
    execution_date: Type.Optional(dayField('Day of execution at the bank.')),
    error: Type.Optional(Type.String({ description: 'Reason of the failure.' })),
    after: Type.Optional(
      Type.Object(fundsFields, { description: 'Only in a dry run: the balance after the payout.' }),
    ),
  },
  {
    title: 'Payout',
    description: "A payment to the merchant's bank account.",
    additionalProperties: true,
  },
)

export const payoutExample = {
  ...operationExample,
  type: 'WALLETFUNDS',
  status: 'PENDING',
  method: payoutMethod,
  amount_net: 10.5,
  fee: 0,
  refundable: false,
  channel: 'API',
  notes: 'Week 9',
  iban: 'PT50 •••• 0154',
  execution_date: '2026-03-02',
}

/** The amounts as they are now. */
export function balanceOnWire({ balance, onItsWay }: Funds) {
  return {
    balance: amountOnWire(balance),
    pending_payouts: amountOnWire(onItsWay),
    available: amountOnWire(cents(balance - onItsWay)),
    currency: 'EUR',
  }
}

/** The bank order of a payout. */
interface SentTo {
  readonly party: { readonly iban: string }
  readonly dueOn: string
}

export function payoutOnWire(
  payout: Operation,
  order: SentTo | undefined,
  wallet: Wallet,
): Record<string, unknown> {
  return {
    ...operationOnWire(payout, wallet),
    ...(order && { iban: maskedIban(order.party.iban), execution_date: order.dueOn }),
    ...(payout.error === undefined ? {} : { error: payout.error }),
  }
}

const balanceMax = 999_999_999_999.99

export const scheduleBody = Type.Object(
  {
    frequency: Type.Enum([...frequencies], {
      type: 'string',
      description: 'none, daily, weekly or monthly.',
    }),
    day: Type.Optional(
      Type.Integer({
        description: 'Weekly: 1 (Monday) to 5 (Friday). Monthly: 1 to 31, the last day of shorter months.',
        ...coerceStringToNumber,
      }),
    ),
    minimum: Type.Optional(
      requestAmount(
        'Smallest payout in euros: on a day with less, none is ordered. Default: 0.01.',
        0.01,
        balanceMax,
      ),
    ),
    keep: Type.Optional(
      requestAmount('Amount that stays on the balance, in euros. Default: 0.', 0, balanceMax),
    ),
  },
  {
    title: 'PayoutScheduleRequest',
    description: 'The payout schedule.',
    examples: [{ frequency: 'weekly', day: 1, minimum: 50, keep: 100 }],
  },
)

/** Refusals: missing_parameter, invalid_parameter, below_minimum_amount, each naming its field. */
export function readSchedule(
  body: Static<typeof scheduleBody>,
): Result<Omit<PayoutSchedule, 'walletId' | 'nextOn'>> {
  const day = checkedDay(body.frequency, body.day)
  if (!day.ok) return day
  const minimum = amountOf(body.minimum, 'minimum', 1n)
  if (!minimum.ok) return minimum
  const keep = amountOf(body.keep, 'keep', 0n)
  if (!keep.ok) return keep
  return ok({ frequency: body.frequency, day: day.value, minimum: minimum.value, keep: keep.value })
}

function amountOf(value: number | string | undefined, field: string, least: bigint): Result<Cents> {
  if (value === undefined) return ok(cents(least))
  const amount = parseAmount(value, field)
  if (!amount.ok || amount.value >= least) return amount
  return refuse('below_minimum_amount', `${field} must be at least ${least === 0n ? '0' : '0.01'}`)
}

const runSchema = Type.Object(
  {
    day: dayField('The due day in Lisbon.'),
    outcome: wordField(['ordered', 'skipped'], 'ordered or skipped.'),
    amount: Type.Optional(amountField('Amount of the payout.')),
    operation_id: Type.Optional(idField('The payout.')),
    reason: Type.Optional(
      Type.String({
        description:
          'Reason of a skipped day: below_minimum, no_iban (no IBAN is set), no_bank (no bank is connected), suspended (the merchant), limit_reached (payouts of a day).',
        examples: ['below_minimum'],
      }),
    ),
    date: momentField('Moment of the try.'),
  },
  { title: 'PayoutRun', description: 'A due day of the schedule.' },
)

export const scheduleSchema = Type.Object(
  {
    frequency: wordField(frequencies, 'none, daily, weekly or monthly.'),
    day: Type.Optional(Type.Integer({ description: 'Weekly: 1 (Monday) to 5. Monthly: 1 to 31.' })),
    minimum: amountField('Smallest payout in euros.'),
    keep: amountField('Amount that stays on the balance, in euros.'),
    next: Type.Optional(dayField('The day of the next payout.')),
    runs: Type.Array(runSchema, { description: 'The last due days, newest first.' }),
  },
  { title: 'PayoutSchedule', description: 'The payout schedule.' },
)

export const scheduleExample = {
  frequency: 'weekly',
  day: 1,
  minimum: 50,
  keep: 100,
  next: '2026-03-09',
  runs: [],
}

/** The default schedule. */
const noSchedule = {
  frequency: 'none',
  minimum: cents(1n),
  keep: cents(0n),
  day: undefined,
  nextOn: undefined,
} as const

export function scheduleOnWire(
  schedule: Omit<PayoutSchedule, 'walletId'> | undefined,
  runs: readonly PayoutRun[],
): Static<typeof scheduleSchema> {
  const { frequency, day, minimum, keep, nextOn } = schedule ?? noSchedule
  return {
    frequency,
    ...(day === undefined ? {} : { day }),
    minimum: amountOnWire(minimum),
    keep: amountOnWire(keep),
    ...(nextOn === undefined ? {} : { next: nextOn }),
    runs: runs.map(runOnWire),
  }
}

/** A schedule as text, for the log of actions. */
export function scheduleInWords(schedule: Omit<PayoutSchedule, 'walletId'> | undefined): string {
  const { frequency, day, minimum, keep } = schedule ?? noSchedule
  const rhythm = day === undefined ? frequency : `${frequency}, day ${day}`
  return `${rhythm}, minimum ${decimalText(minimum)}, keep ${decimalText(keep)}`
}

function runOnWire({ day, outcome = 'skipped', amount, operationId, reason, ranAt }: PayoutRun) {
  return {
    day,
    outcome,
    ...(amount === undefined ? {} : { amount: amountOnWire(amount), operation_id: operationId }),
    ...(reason === undefined ? {} : { reason }),
    date: dateOnWire(ranAt),
  }
}
