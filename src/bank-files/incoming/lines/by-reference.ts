// Which of the known lines under one reference of the bank the lines of a statement or notification are (decision 0205).
import { type PossiblePair, pairsAmong } from './pairs.ts'
import { contradictionOf, likenessOf, type PreparedLine } from './reported-line.ts'

/** What is known of a line; without a line where it came without its transactions, or is a group of orders. */
export interface Content {
  readonly line: PreparedLine | undefined
  /** On which this kind of file reported it; undefined: it did not, or that is not known. */
  readonly day: string | undefined
}

export interface Numbers {
  /** The numbers of those that are known, by their places among what was asked. */
  readonly numbers: ReadonlyMap<number, number>
  /** Places of those that may be a known one, and may be another: something in them differs. */
  readonly doubtful: ReadonlySet<number>
}

/** How many are compared with each other: about a second. */
const comparisonsMax = 500_000

/**
 * Finds for each asked one the known one that nothing contradicts, each once: first those that say the same, then those
 * that leave out the same, then as many as there can be.
 */
export function numbersOf(asked: readonly Content[], known: ReadonlyMap<number, Content>): Numbers {
  const numbers = new Map<number, number>()
  const left = new Map(known)
  for (const keyOf of [wholeKeyOf, keyWithoutWordsOf]) {
    const byKey = Map.groupBy([...left].toReversed(), ([, content]) => withDay(keyOf(content), content.day))
    for (const [place, one] of asked.entries()) {
      if (numbers.has(place)) continue
      const candidates = [one.day, undefined].map((day) => byKey.get(withDay(keyOf(one), day)) ?? [])
      const [number] = candidates.find(({ length }) => length > 0)?.pop() ?? []
      if (number === undefined) continue
      left.delete(number)
      numbers.set(place, number)
    }
  }
  const alone = new Map([...asked.entries()].filter(([place]) => !numbers.has(place)))
  const rest = pairsOf(alone, left)
  for (const [place, number] of rest.pairs) numbers.set(place, number)
  return { numbers, doubtful: rest.doubtful }
}

/** Of what is alike without its words, in groups: most of thousands of lines under one reference are. */
function pairsOf(asked: ReadonlyMap<number, Content>, known: ReadonlyMap<number, Content>) {
  const askedGroups = [...Map.groupBy(asked, ([, one]) => withDay(keyWithoutWordsOf(one), one.day)).values()]
  const knownGroups = [...Map.groupBy(known, ([, one]) => withDay(keyWithoutWordsOf(one), one.day)).values()]
  const pairs = new Map<number, number>()
  const doubtful = new Set<number>()
  if (askedGroups.length * knownGroups.length > comparisonsMax)
    return { pairs, doubtful: new Set(asked.keys()) }
  const differences = askedGroups.map(([one]) =>
    knownGroups.map(([other]) =>
      differenceOf((one as [number, Content])[1], (other as [number, Content])[1]),
    ),
  )
  const possible = differences.flatMap((ofOne, first) =>
    ofOne.flatMap((difference, second): PossiblePair[] =>
      difference === 'none' ? [{ first, second, rank: rankOf(askedGroups[first], knownGroups[second]) }] : [],
    ),
  )
  const found = pairsAmong(possible, {
    first: (index) => askedGroups[index]?.length ?? 0,
    second: (index) => knownGroups[index]?.length ?? 0,
  })
  for (const { first, second, count } of found) {
    const numbers = knownGroups[second]?.splice(0, count) ?? []
    const places = askedGroups[first]?.splice(0, count) ?? []
    for (const [index, [place]] of places.entries())
      pairs.set(place, (numbers[index] as [number, Content])[0])
  }
  for (const [first, group] of askedGroups.entries())
    if (
      differences[first]?.some(
        (difference, second) => difference === 'doubtful' && knownGroups[second]?.length,
      )
    )
      for (const [place] of group) doubtful.add(place)
  return { pairs, doubtful }
}

/** A kind of file reports a line on one day; the other may report it on another. */
function differenceOf(one: Content, other: Content): ReturnType<typeof contradictionOf> {
  const lines = [one.line, other.line]
  const areOrders = lines.every((line) => line?.transactions.every(({ isOrder }) => isOrder) === true)
  const isOtherDay = one.day !== undefined && other.day !== undefined && one.day !== other.day && !areOrders
  // Without its transactions a line has a day alone.
  const difference =
    one.line === undefined || other.line === undefined ? 'none' : contradictionOf(one.line, other.line)
  return difference === 'none' && isOtherDay ? 'doubtful' : difference
}

type Group = readonly (readonly [number, Content])[] | undefined

function rankOf(one: Group, other: Group): number {
  const [first, second] = [one?.[0]?.[1].line, other?.[0]?.[1].line]
  return first === undefined || second === undefined ? 2 : likenessOf(first, second)
}

function wholeKeyOf(content: Content): string {
  return `${keyWithoutWordsOf(content)} ${content.line?.words}`
}

/** All that is compared, but for the day. */
function keyWithoutWordsOf({ line }: Content): string {
  const parts = line?.transactions.map(({ amount, iban, endToEndId, named }) => [
    ...[String(amount), iban, endToEndId],
    [...named].toSorted(),
  ])
  return JSON.stringify([parts])
}

/** Days are compared within a kind of file. */
function withDay(key: string, day: string | undefined): string {
  return `${key} on ${day ?? 'any day'}`
}
