// Balance, payouts and their schedule on the wire.
import { type Static, Type } from 'typebox'
import { maskedIban } from '../../bank-files/index.ts'
import {
  amountOnWire,
  amountSchema,
  dateOnWire,
  parseAmount,
  textAsNumber,
  textSchema,
} from '../../http/index.ts'
import { type Cents, cents } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { merchantReferenceFields, type Operation, operationOnWire } from '../../operations/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { Funds } from './payout.ts'
import { checkedDay } from './schedule-rules.ts'
import { frequencies, type PayoutRun, type PayoutSchedule } from './table.ts'

const dryRun = { dry_run: Type.Optional(Type.Boolean({ description: 'True or false.', default: false })) }

export const dryRunQuery = Type.Object(dryRun)

export const payoutBody = Type.Object({
  ...dryRun,
  amount: Type.Optional(amountSchema),
  ...merchantReferenceFields,
  request_id: Type.Optional(textSchema(36)),
})

export const balanceSchema = Type.Object({
  balance: Type.Number({
    description: 'What the gateway owes the wallet now; negative where it owes the gateway.',
  }),
  pending_payouts: Type.Number({ description: 'What payouts on their way will take.' }),
  available: Type.Number({ description: 'The balance less payouts on their way.' }),
  currency: Type.String(),
  date: Type.String(),
})

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

export const scheduleBody = Type.Object({
  frequency: Type.Enum([...frequencies], { description: 'How often: none, daily, weekly or monthly.' }),
  day: Type.Optional(
    Type.Integer({
      description:
        'Weekly: the day from 1 (Monday) to 5 (Friday). Monthly: from 1 to 31, the last day of shorter months.',
      ...textAsNumber,
    }),
  ),
  minimum: Type.Optional(amountSchema),
  keep: Type.Optional(amountSchema),
})

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

const runSchema = Type.Object({
  day: Type.String(),
  outcome: Type.String({ description: 'ordered or skipped.' }),
  amount: Type.Optional(Type.Number()),
  operation_id: Type.Optional(Type.String()),
  reason: Type.Optional(
    Type.String({
      description:
        'Why it was skipped: below_minimum, no_iban (none is set), no_bank (none pays out), suspended (the merchant).',
    }),
  ),
  date: Type.String(),
})

export const scheduleSchema = Type.Object({
  frequency: Type.String(),
  day: Type.Optional(Type.Integer()),
  minimum: Type.Number({ description: 'What is paid out at the least.' }),
  keep: Type.Number({ description: 'What stays on the balance.' }),
  next: Type.Optional(Type.String({ description: 'The day of the next payout.' })),
  runs: Type.Array(runSchema, { description: 'The last days on which it was due, newest first.' }),
})

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

function runOnWire({ day, outcome = 'skipped', amount, operationId, reason, ranAt }: PayoutRun) {
  return {
    day,
    outcome,
    ...(amount === undefined ? {} : { amount: amountOnWire(amount), operation_id: operationId }),
    ...(reason === undefined ? {} : { reason }),
    date: dateOnWire(ranAt),
  }
}
