// References, allowances and consumers' balances.
import type { Json } from '../world/notes.ts'
import { centsOf, euros } from './arithmetic.ts'
import type { Books } from './books.ts'
import type { Notes } from './notes.ts'

export function checkReferences({ atAtm }: Notes, books: readonly Books[]): string[] {
  const operations = new Map(
    books.flatMap((one) => one.operations).map((operation) => [operation.id, operation]),
  )
  const accepted = new Set<string>()
  const wrong: string[] = []
  for (const { typed, answer } of atAtm) {
    if (answer.accepted !== true || answer.operation_id === undefined) continue
    const operation: Json = operations.get(answer.operation_id)
    const said = `the ATM took ${typed.amount} for reference ${typed.ref}`
    if (accepted.has(answer.operation_id)) wrong.push(`${said} twice, as operation ${answer.operation_id}`)
    accepted.add(answer.operation_id)
    if (operation?.status !== 'COMPLETED' || centsOf(operation.amount) !== centsOf(typed.amount))
      wrong.push(
        `${said}, and operation ${answer.operation_id} is ${operation?.status} with ${operation?.amount}`,
      )
  }
  return wrong
}

export function checkAllowances(books: readonly Books[]): string[] {
  return books.flatMap(({ subscriptions }) =>
    subscriptions.flatMap((subscription) => [...checkEnds(subscription), ...checkCycles(subscription)]),
  )
}

function checkEnds({ charges }: Json): string[] {
  return charges
    .filter(({ status }: Json) => !['SUCCESS', 'FAIL'].includes(status))
    .map(({ id, status }: Json) => `charge ${id} is ${status} after everything had time to end`)
}

function checkCycles(subscription: Json): string[] {
  // The customer can change the limit of a mandate on the phone, so the model does not know the limit at each charge.
  if (subscription.method === 'MBWAY') return []
  const cycles = new Map<number, number>()
  for (const { status, amount, date } of subscription.charges) {
    const cycle = cycleOf(subscription, lisbonDay(date))
    if (status !== 'FAIL') cycles.set(cycle, (cycles.get(cycle) ?? 0) + centsOf(amount))
  }
  return [...cycles]
    .filter(([, cents]) => cents > centsOf(subscription.amount))
    .map(
      ([cycle, cents]) =>
        `subscription ${subscription.id} allows ${subscription.amount}, and was charged ${euros(cents)} in cycle ${cycle}`,
    )
}

const lisbon = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon', dateStyle: 'short' })
const lisbonDay = (date: string) => lisbon.format(new Date(date))
const dayMs = 86_400_000

function cycleOf({ start_date, frequency, period }: Json, day: string): number {
  const days = (Date.parse(day) - Date.parse(start_date)) / dayMs
  if (period === 'DAY') return Math.floor(days / frequency)
  if (period === 'WEEK') return Math.floor(days / (7 * frequency))
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const [startYear = 0, startMonth = 0, startDate = 0] = start_date.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const months = (year - startYear) * 12 + month - startMonth
  return Math.floor((date >= Math.min(startDate, lastOfMonth) ? months : months - 1) / frequency)
}

export function checkConsumers({ consumers }: Notes, balances: ReadonlyMap<string, number>): string[] {
  return [...consumers.keys()].flatMap((email) => {
    const cents = balances.get(email)
    return cents !== undefined && cents < 0 ? [`consumer ${email} owes ${euros(-cents)}`] : []
  })
}

export function checkBalancesPaid(
  { consumers }: Notes,
  balances: ReadonlyMap<string, number>,
  books: readonly Books[],
): string[] {
  const had = [...consumers.values()].reduce((all, one) => all + one, 0)
  const has = [...consumers.keys()].reduce((all, email) => all + (balances.get(email) ?? 0), 0)
  const moved = books
    .flatMap(({ operations }) => operations)
    .filter(
      ({ method, status, type }) =>
        method === 'WALLET' && status === 'COMPLETED' && ['PAYMENT', 'CAPTURE', 'REFUND'].includes(type),
    )
    .reduce((all, { amount }) => all + centsOf(amount), 0)
  return had - moved === has
    ? []
    : [`consumers had ${euros(had)}, paid ${euros(moved)}, and have ${euros(has)}`]
}
