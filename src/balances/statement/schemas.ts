// The statement on the wire: its range, its days, its entries and fees.
import { type Static, Type } from 'typebox'
import { amountOnWire, dateOnWire, dayRangeQuery, parseLisbonDayRange } from '../../http/index.ts'
import { addDays, type Day, daysBetween } from '../../kernel/lisbon.ts'
import { type Cents, cents } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { AccountStatement, FeesOfMonth, Period } from './rules.ts'
import type { StatementEntry } from './store.ts'

const daysMax = 366

export const rangeQuery = Type.Object(dayRangeQuery)

export interface DayRange {
  readonly first: Day
  readonly last: Day
}

/**
 * The days that are asked for, both included; by default the month of `today` so far.
 *
 * Refusals: invalid_parameter for what is no day, an end before its start, and more than 366 days.
 */
export function readRange(query: Static<typeof rangeQuery>, today: Day): Result<DayRange> {
  const { startdate, enddate } = query
  const read = parseLisbonDayRange(startdate, enddate)
  if (!read.ok) return read
  const last = enddate ?? (startdate !== undefined && startdate > today ? startdate : today)
  const first = startdate ?? `${last.slice(0, 8)}01`
  if (daysBetween(first, last) >= daysMax)
    return refuse(
      'invalid_parameter',
      `enddate must be at most ${addDays(first, daysMax - 1)}: a year at a time`,
    )
  return ok({ first, last })
}

const amount = (description?: string) => Type.Number(description === undefined ? {} : { description })

const period = {
  opening: amount('The balance before.'),
  payments: Type.Record(Type.String(), Type.Number(), {
    description: 'What came in, by method, before fees.',
  }),
  fees: amount('Zero or negative.'),
  refunds: amount(),
  payouts: amount(),
  shares: amount('To and from other wallets, with which payments were divided.'),
  other: amount(),
  closing: amount('The balance after.'),
  entries: Type.Integer(),
}

export const statementSchema = Type.Object({
  startdate: Type.String(),
  enddate: Type.String(),
  currency: Type.String(),
  ...period,
  days: Type.Array(Type.Object({ day: Type.String(), ...period }), {
    description: 'The Lisbon days on which anything moved, oldest first.',
  }),
})

function periodOnWire({ payments, ...moved }: Period) {
  const byMethod = Object.entries(payments).map(([method, taken]) => [method, amountOnWire(taken)])
  return {
    opening: amountOnWire(moved.opening),
    payments: Object.fromEntries(byMethod) as Record<string, number>,
    fees: amountOnWire(moved.fees),
    refunds: amountOnWire(moved.refunds),
    payouts: amountOnWire(moved.payouts),
    shares: amountOnWire(moved.shares),
    other: amountOnWire(moved.other),
    closing: amountOnWire(moved.closing),
    entries: moved.entries,
  }
}

export function statementOnWire({ days, ...whole }: AccountStatement, { first, last }: DayRange) {
  return {
    startdate: first,
    enddate: last,
    currency: 'EUR',
    ...periodOnWire(whole),
    days: days.map(({ day, ...moved }) => ({ day, ...periodOnWire(moved) })),
  }
}

const entrySchema = Type.Object({
  date: Type.String(),
  kind: Type.String({ description: 'payment, refund, payout, share or other.' }),
  method: Type.Optional(Type.String()),
  operation_id: Type.Optional(Type.String()),
  ext_invoiceid: Type.Optional(Type.String()),
  notes: Type.Optional(Type.String()),
  amount: Type.Number(),
  fee: Type.Number({ description: 'Zero or negative.' }),
  amount_net: Type.Number({ description: 'What was added to the balance, or taken.' }),
})

export const dayEntriesSchema = Type.Object({
  day: Type.String(),
  elements: Type.Array(entrySchema),
  next: Type.Optional(Type.String({ description: 'To be given as `after`; absent at the end of the day.' })),
})

export const entriesQuery = Type.Object({
  after: Type.Optional(Type.String({ description: '`next` of the page before.' })),
  limit: Type.Optional(Type.String({ description: 'A whole number from 1 to 100 (the default).' })),
})

export function entryOnWire(entry: StatementEntry): Static<typeof entrySchema> {
  const { method, operationId, extInvoiceId, notes, gross, fee } = entry
  return {
    date: dateOnWire(entry.createdAt),
    kind: entry.kind,
    ...(method === '' ? {} : { method }),
    ...(operationId === undefined ? {} : { operation_id: operationId }),
    ...(extInvoiceId === undefined ? {} : { ext_invoiceid: extInvoiceId }),
    ...(notes === undefined ? {} : { notes }),
    amount: amountOnWire(gross),
    fee: negative(fee),
    amount_net: amountOnWire(cents(gross - fee)),
  }
}

/** Not minus zero. */
function negative(fee: Cents): number {
  return amountOnWire(cents(-fee))
}

export const feesSchema = Type.Object({
  startdate: Type.String(),
  enddate: Type.String(),
  currency: Type.String(),
  elements: Type.Array(
    Type.Object({
      month: Type.String({ description: 'As yyyy-mm.' }),
      method: Type.String(),
      payments: Type.Integer(),
      volume: Type.Number({ description: 'What came in, before fees.' }),
      fees: Type.Number({ description: 'Zero or negative.' }),
    }),
  ),
})

export function feesOnWire({ month, method, payments, volume, fees }: FeesOfMonth) {
  return { month, method, payments, volume: amountOnWire(volume), fees: amountOnWire(fees) }
}
