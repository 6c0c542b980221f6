// The statement on the wire.

import { type Static, Type } from 'typebox'
import {
  amountField,
  amountOnWire,
  clampedTo,
  currencyField,
  dateOnWire,
  dayField,
  dayRangeQuery,
  documented,
  idField,
  momentField,
  parseLisbonDayRange,
  wordField,
} from '../http/index.ts'
import { addDays, type Day, daysBetween } from '../kernel/lisbon.ts'
import { type Cents, cents } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { exampleMethod } from '../methods/list.ts'
import type { StatementEntry } from './entries-store.ts'
import type { AccountStatement, FeesOfMonth, Period } from './rules.ts'

const daysMax = 366
/** Entries of one page. */
export const entriesMax = 100

export const rangeQuery = Type.Object(dayRangeQuery)

export interface DayRange {
  readonly first: Day
  readonly last: Day
}

/** Default: this month until `today`. Refusals: invalid_parameter, also for more than 366 days. */
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

const period = {
  opening: amountField('The balance before.'),
  payments: Type.Record(Type.String(), Type.Number(), {
    description: 'Payments by method, before fees.',
  }),
  fees: amountField('Fees of the gateway and bank charges: zero or negative.'),
  refunds: amountField('Refunds: zero or negative.'),
  payouts: amountField('Payouts less their returns: mostly negative.'),
  shares: amountField('Transfers to and from other wallets, by splits.'),
  other: amountField('Other movements, such as disputes and corrections by the operator.'),
  closing: amountField('The balance after.'),
  entries: Type.Integer({ description: 'Number of entries.' }),
}

const shownRange = {
  startdate: dayField('The first Lisbon day.'),
  enddate: dayField('The last Lisbon day.'),
  currency: currencyField,
}

export const statementSchema = Type.Object(
  {
    ...shownRange,
    ...period,
    days: Type.Array(
      Type.Object(
        { day: dayField('The Lisbon day.'), ...period },
        { title: 'StatementDay', description: 'The movements of one day.' },
      ),
      { description: 'Lisbon days with movements, oldest first.' },
    ),
  },
  { title: 'Statement', description: 'The movements on the account of a merchant.' },
)

const movedExample = {
  opening: 0,
  payments: { CC: 10.5 },
  fees: -0.26,
  refunds: 0,
  payouts: 0,
  shares: 0,
  other: 0,
  closing: 10.24,
  entries: 1,
}
const rangeExample = { startdate: '2026-03-01', enddate: '2026-03-31', currency: 'EUR' }
export const statementExample = {
  ...rangeExample,
  ...movedExample,
  days: [{ day: '2026-03-01', ...movedExample }],
}

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

const entrySchema = Type.Object(
  {
    date: momentField('Moment of booking.'),
    kind: wordField(
      ['payment', 'refund', 'payout', 'share', 'bank_charge', 'other'],
      'Kind of the movement.',
    ),
    method: Type.Optional(Type.String({ description: 'Payment method.' })),
    operation_id: Type.Optional(idField('The operation.')),
    ext_invoiceid: Type.Optional(Type.String({ description: "The merchant's reference." })),
    notes: Type.Optional(Type.String({ description: 'Remarks of the merchant.' })),
    amount: amountField('Amount before fees, in euros.'),
    fee: amountField('Fee in euros: zero or negative.'),
    amount_net: amountField('Change of the balance, in euros.'),
  },
  { title: 'StatementEntry', description: 'A movement on the account.' },
)

export const dayEntriesSchema = Type.Object(
  {
    day: dayField('The Lisbon day.'),
    elements: Type.Array(entrySchema, {
      description: 'Entries in the order of booking.',
    }),
    next: Type.Optional(
      Type.String({ description: 'Value of `after` for the next page; absent on the last page.' }),
    ),
  },
  { title: 'StatementEntries', description: 'One page of the entries of a day.' },
)

export const dayEntriesExample = {
  day: '2026-03-01',
  elements: [
    {
      date: '2026-03-01T18:30:00+0000',
      kind: 'payment',
      method: exampleMethod,
      operation_id: '0198c2f4-5d0e-7c3b-9a61-3f2b8e7d4c10',
      ext_invoiceid: '2026-0042',
      amount: 10.5,
      fee: -0.26,
      amount_net: 10.24,
    },
  ],
}

export const entriesQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      description: 'Value of `next` on the page before.',
      ...documented({ pattern: String.raw`^\d{1,18}$` }),
    }),
  ),
  limit: Type.Optional(
    Type.String({
      description: `Entries per page, from 1 to ${entriesMax}. Default: ${entriesMax}. More counts as ${entriesMax}.`,
      ...documented({ type: 'integer', minimum: 1, default: entriesMax }),
      ...clampedTo(entriesMax),
    }),
  ),
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

/** Avoids minus zero, which JSON would show. */
function negative(fee: Cents): number {
  return amountOnWire(cents(-fee))
}

export const feesSchema = Type.Object(
  {
    ...shownRange,
    elements: Type.Array(
      Type.Object(
        {
          month: Type.String({ description: 'As yyyy-mm.' }),
          method: Type.String({ description: 'Payment method.' }),
          payments: Type.Integer({ description: 'Number of payments.' }),
          volume: amountField('Payments before fees, in euros.'),
          fees: amountField('Fees in euros: zero or negative.'),
        },
        { title: 'FeesOfMonth', description: 'The fees of one method in one month.' },
      ),
      { description: 'Each month and method with payments.' },
    ),
  },
  { title: 'Fees', description: 'The fees of the gateway.' },
)

export const feesExample = {
  ...rangeExample,
  elements: [{ month: '2026-03', method: exampleMethod, payments: 1, volume: 10.5, fees: -0.26 }],
}

export function feesOnWire({ month, method, payments, volume, fees }: FeesOfMonth) {
  return { month, method, payments, volume: amountOnWire(volume), fees: amountOnWire(fees) }
}
