// Where a line stands in the bank's files, and whether two places are one (decision 0205).
import { type Cents, cents } from '../../../kernel/money.ts'
import type { AccountReport, Entry } from '../messages.ts'

/** Where a line stands: the statement or notification by its id, and as far as they are known the days on which its lines are. */
interface Place {
  readonly id?: string
  readonly day?: string
  /** The balance before the day, in cents. */
  readonly before?: string
  /** The first day and the last of the statement. */
  readonly from?: string
  readonly to?: string | undefined
}

/** Where each line of a statement or notification stands, as text. */
export function placesIn({ id, opening, entries }: AccountReport): (entry: Entry) => string {
  const days = entries.flatMap(({ bookedOn }) => bookedOn ?? []).toSorted()
  const areKnown = opening !== undefined && days.length === entries.length
  const balances = areKnown ? balancesBefore(opening, entries) : new Map<string, bigint>()
  return ({ bookedOn: day }) => {
    const before = day === undefined ? undefined : balances.get(day)
    const place: Place = {
      ...{ id, ...(day !== undefined && { day }) },
      ...(before !== undefined && { before: String(before), from: days[0], to: days.at(-1) }),
    }
    return JSON.stringify(place)
  }
}

/** The balances before each day that has lines, in cents. */
function balancesBefore(opening: Cents, entries: readonly Entry[]): Map<string, Cents> {
  const ofDays = Map.groupBy(entries, ({ bookedOn = '' }) => bookedOn)
  const balances = new Map<string, Cents>()
  let balance = opening
  for (const day of [...ofDays.keys()].toSorted()) {
    balances.set(day, balance)
    for (const { direction, amount } of ofDays.get(day) ?? [])
      balance = cents(direction === 'credit' ? balance + amount : balance - amount)
  }
  return balances
}

/** The day of a line that stands there, as far as it is known. */
export function dayIn(place: string | undefined): string | undefined {
  return placeOf(place).day
}

function placeOf(text: string | undefined): Place {
  return text === undefined ? {} : (JSON.parse(text) as Place)
}

/**
 * A statement of a month and that of a day have the balance before the day in common. Two of the same days have other
 * lines, also where they begin with the same balance, as an account does that is emptied.
 */
export function isSamePlace(oneText: string, otherText: string): boolean {
  const [one, other] = [placeOf(oneText), placeOf(otherText)]
  if (one.id === other.id) return true
  if (one.before === undefined || one.before !== other.before) return false
  return one.from !== other.from || one.to !== other.to
}
