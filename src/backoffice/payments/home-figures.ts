// The figures of the first page: today, seven and thirty days, and the periods before.
import { amountOnWire } from '../../http/index.ts'
import { addDays, type Day } from '../../kernel/lisbon.ts'
import { cents } from '../../kernel/money.ts'
import type { DayFigure } from '../../operations/index.ts'
import type { HomeAnswer, PeriodFigures } from '../contract/home.ts'

const daysOfWeek = 7
const daysOfMonth = 30

export function firstDayOf(today: Day): Day {
  return addDays(today, 1 - 2 * daysOfMonth)
}

export function homeFigures(
  figures: readonly DayFigure[],
  today: Day,
): Pick<HomeAnswer, 'today' | 'week' | 'month' | 'methods' | 'days'> {
  const periodOf = (days: number): PeriodFigures => {
    const first = addDays(today, 1 - days)
    const now = figures.filter(({ day }) => day >= first && day <= today)
    const before = figures.filter(({ day }) => day >= addDays(first, -days) && day < first)
    const [sold, soldBefore] = [totalOf(now.filter(isSale)), totalOf(before.filter(isSale))]
    return {
      amount: sold.amount,
      payments: sold.count,
      refunded: totalOf(now.filter(isRefund)).amount,
      amount_before: soldBefore.amount,
      payments_before: soldBefore.count,
    }
  }
  const firstOfMonth = addDays(today, 1 - daysOfMonth)
  const ofMonth = figures.filter(({ day }) => day >= firstOfMonth && day <= today)
  return {
    today: periodOf(1),
    week: periodOf(daysOfWeek),
    month: periodOf(daysOfMonth),
    methods: methodsOf(ofMonth),
    days: Array.from({ length: daysOfMonth }, (_, index) => {
      const day = addDays(firstOfMonth, index)
      const ofDay = ofMonth.filter((figure) => figure.day === day)
      const { amount, count } = totalOf(ofDay.filter(isSale))
      return { day, amount, payments: count, refunded: totalOf(ofDay.filter(isRefund)).amount }
    }),
  }
}

function isSale({ type, status }: DayFigure): boolean {
  return status === 'COMPLETED' && (type === 'PAYMENT' || type === 'CAPTURE')
}

function isRefund({ type, status, isOutgoing }: DayFigure): boolean {
  return status === 'COMPLETED' && type === 'REFUND' && isOutgoing
}

function totalOf(figures: readonly DayFigure[]): { readonly count: number; readonly amount: number } {
  let [count, amount] = [0n, 0n]
  for (const figure of figures) {
    count += figure.operations
    amount += figure.amount
  }
  return { count: Number(count), amount: amountOnWire(cents(amount)) }
}

function methodsOf(figures: readonly DayFigure[]): HomeAnswer['methods'] {
  const kinds = [
    { of: 'payments', asked: 'PAYMENT', sold: 'PAYMENT' },
    { of: 'authorizations', asked: 'AUTH', sold: 'CAPTURE' },
  ] as const
  return kinds
    .flatMap(({ of, asked, sold }) => {
      const decided = figures.filter(
        ({ type, status }) => type === asked && (status === 'COMPLETED' || status === 'FAIL'),
      )
      return [...new Set(decided.flatMap(({ method }) => method ?? []))].map((method) => {
        const own = decided.filter((figure) => figure.method === method)
        const completed = totalOf(own.filter(({ status }) => status === 'COMPLETED')).count
        const failed = totalOf(own.filter(({ status }) => status === 'FAIL')).count
        const taken = figures.filter(
          (figure) => figure.method === method && figure.type === sold && isSale(figure),
        )
        return { method, of, completed, failed, amount: totalOf(taken).amount }
      })
    })
    .sort((one, other) => other.completed + other.failed - one.completed - one.failed)
}
