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
    amount: Type.Optional(requestAmount('What is paid out: at most what is available.')),
    ...merchantReferenceFields,
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'PayoutRequest',
    description: 'What to pay out.',
    examples: [{ amount: 10.5, notes: 'Week 9' }],
    ...documented({ required: ['amount'] }),
  },
)

const fundsFields = {
  balance: amountField('What the gateway owes the wallet now; negative where it owes the gateway.'),
  pending_payouts: amountField('What payouts on their way will take.'),
  available: amountField('The balance less payouts on their way.'),
  currency: currencyField,
}

export const balanceSchema = Type.Object(
  { ...fundsFields, date: momentField('When it was so.') },
  { title: 'Balance', description: 'The money of the wallet.' },
)

/** A payout as it is answered, for the API reference. */
export const payoutSchema = Type.Object(
  {
    ...operationFields,
    iban: Type.Optional(Type.String({ description: 'The account that it goes to, its middle hidden.' })),
    execution_date: Type.Optional(dayField('The day on which the bank is to pay it.')),
    error: Type.Optional(Type.String({ description: 'Why it failed.' })),
    after: Type.Optional(
      Type.Object(fundsFields, { description: 'Of a dry run: the money of the wallet afterwards.' }),
    ),
  },
  {
    title: 'Payout',
    description: "A payment to the merchant's own bank account.",
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

/** The funds of a wallet, as they are at this moment. */
export function balanceOnWire({ balance, onItsWay }: Funds) {
  return {
    balance: amountOnWire(balance),
    pending_payouts: amountOnWire(onItsWay),
    available: amountOnWire(cents(balance - onItsWay)),
    currency: 'EUR',
  }
}

/** The order that a payout is, or was sent by. */
interface SentTo {
  readonly party: { readonly iban: string }
  readonly dueOn: string
}

/** A payout as an operation, with the account it goes to and the day on which the bank is to pay it. */
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
      description: 'How often: none, daily, weekly or monthly.',
    }),
    day: Type.Optional(
      Type.Integer({
        description:
          'Weekly: the day from 1 (Monday) to 5 (Friday). Monthly: from 1 to 31, the last day of shorter months.',
        ...coerceStringToNumber,
      }),
    ),
    minimum: Type.Optional(
      requestAmount(
        'What is paid out at the least: below it nothing is, that day. 0.01 where it is left out.',
        0.01,
        balanceMax,
      ),
    ),
    keep: Type.Optional(requestAmount('What stays on the balance; 0 where it is left out.', 0, balanceMax)),
  },
  {
    title: 'PayoutScheduleRequest',
    description: 'When to pay out, and how much.',
    examples: [{ frequency: 'weekly', day: 1, minimum: 50, keep: 100 }],
  },
)

/** Reads a schedule. Refusals: missing_parameter, invalid_parameter, below_minimum_amount, each naming its field. */
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
    day: dayField('The Lisbon day on which it was due.'),
    outcome: wordField(['ordered', 'skipped'], 'ordered or skipped.'),
    amount: Type.Optional(amountField('What was paid out.')),
    operation_id: Type.Optional(idField('The payout.')),
    reason: Type.Optional(
      Type.String({
        description:
          'Why it was skipped: below_minimum, no_iban (none is set), no_bank (none pays out), suspended (the merchant), limit_reached (what may be paid out in a day).',
        examples: ['below_minimum'],
      }),
    ),
    date: momentField('When it was tried.'),
  },
  { title: 'PayoutRun', description: 'A day on which a payout was due.' },
)

export const scheduleSchema = Type.Object(
  {
    frequency: wordField(frequencies, 'How often.'),
    day: Type.Optional(Type.Integer({ description: 'Weekly: from 1 (Monday) to 5. Monthly: from 1 to 31.' })),
    minimum: amountField('What is paid out at the least.'),
    keep: amountField('What stays on the balance.'),
    next: Type.Optional(dayField('The day of the next payout.')),
    runs: Type.Array(runSchema, { description: 'The last days on which it was due, newest first.' }),
  },
  { title: 'PayoutSchedule', description: 'When payouts are ordered by themselves.' },
)

export const scheduleExample = {
  frequency: 'weekly',
  day: 1,
  minimum: 50,
  keep: 100,
  next: '2026-03-09',
  runs: [],
}

/** What a wallet has that never set one. */
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

/** For the log of who did what. */
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
