// Pure decisions about statements: days with balances, monthly fees.
import type { Day } from '../kernel/lisbon.ts'
import { type Cents, cents, sumOf } from '../kernel/money.ts'
import type { DayTotal, MovementKind } from './model.ts'

/** In cents. Positive if added to the balance. */
export interface Movements {
  /** Payments before fees, by method. */
  readonly payments: Readonly<Record<string, Cents>>
  readonly refunds: Cents
  readonly payouts: Cents
  /** Amounts to and from other wallets, by splits. */
  readonly shares: Cents
  readonly other: Cents
  /** Zero or negative. */
  readonly fees: Cents
  readonly entries: number
}

/** Movements with the balance before and after them. */
export interface Period extends Movements {
  readonly opening: Cents
  readonly closing: Cents
}

export interface DayOfStatement extends Period {
  readonly day: Day
}

export interface AccountStatement extends Period {
  /** The days that have movements, oldest first. */
  readonly days: readonly DayOfStatement[]
}

/** Totals without a day are from before the first day. */
export function statementOf(totals: readonly DayTotal[]): AccountStatement {
  const opening = netOf(totals.filter(({ day }) => day === undefined))
  const within = totals.filter(({ day }) => day !== undefined)
  const days: DayOfStatement[] = []
  let before = opening
  for (const [day, ofDay] of Map.groupBy(within, (total) => total.day ?? '')) {
    const period = periodOf(ofDay, before)
    days.push({ day, ...period })
    before = period.closing
  }
  return { ...periodOf(within, opening), days }
}

function periodOf(totals: readonly DayTotal[], opening: Cents): Period {
  return { opening, ...movementsOf(totals), closing: cents(opening + netOf(totals)) }
}

function movementsOf(totals: readonly DayTotal[]): Movements {
  const grossOf = (kind: MovementKind) =>
    sumOf(totals.filter((total) => total.kind === kind).map(({ gross }) => gross))
  const payments: Record<string, Cents> = {}
  for (const { kind, method, gross } of totals) {
    if (kind === 'payment') payments[method] = cents((payments[method] ?? 0n) + gross)
  }
  return {
    payments,
    refunds: cents(grossOf('refund')),
    payouts: cents(grossOf('payout')),
    shares: cents(grossOf('share')),
    other: cents(grossOf('other')),
    fees: cents(-sumOf(totals.map(({ fee }) => fee))),
    entries: totals.reduce((count, { entries }) => count + Number(entries), 0),
  }
}

function netOf(totals: readonly DayTotal[]): Cents {
  return cents(sumOf(totals.map(({ gross, fee }) => cents(gross - fee))))
}

export interface FeesOfMonth {
  /** The month as `yyyy-mm`. */
  readonly month: string
  readonly method: string
  /** Total of payments before fees. */
  readonly volume: Cents
  /** Zero or negative. */
  readonly fees: Cents
  readonly payments: number
}

export function feesByMonth(totals: readonly DayTotal[]): FeesOfMonth[] {
  const charged = totals.filter(({ kind, day }) => kind === 'payment' && day !== undefined)
  const groups = Map.groupBy(charged, ({ day = '', method }) => `${day.slice(0, 7)} ${method}`)
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, group]) => ({
      month: key.slice(0, 7),
      method: key.slice(8),
      volume: cents(sumOf(group.map(({ gross }) => gross))),
      fees: cents(-sumOf(group.map(({ fee }) => fee))),
      payments: group.reduce((count, { entries }) => count + Number(entries), 0),
    }))
}
