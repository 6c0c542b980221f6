// Which lines of a statement and of a notification are the same, where no reference of the bank says so.
import { type Pairs, type PossiblePair, pairsAmong, type Sizes } from './pairs.ts'
import {
  type PreparedLine,
  type PreparedTransaction,
  prepared,
  type ReportedLine,
  rankOf,
} from './reported-line.ts'

export interface SameLines {
  /** The id of the known line, by that of the asked one. */
  readonly same: ReadonlyMap<string, string>
  /** Asked lines that may be known ones: there were too many to compare all with all. */
  readonly undecided: ReadonlySet<string>
}

/**
 * Finds the known line that each asked one is: as many as there can be, each once, those that surely are first. The order
 * in which they come decides nothing of how many there are.
 */
export function sameLines(
  asked: ReadonlyMap<string, ReportedLine>,
  known: ReadonlyMap<string, ReportedLine>,
): SameLines {
  // By what is the same at any rate: a file may have thousands of lines of one day.
  const knownOfSum = Map.groupBy(prepared(known), ({ sumKey }) => sumKey)
  const same = new Map<string, string>()
  const undecided = new Set<string>()
  for (const [sumKey, ofSum] of Map.groupBy(prepared(asked), ({ sumKey }) => sumKey)) {
    const others = knownOfSum.get(sumKey) ?? []
    const groups = [groupsAmong(ofSum, others), groupsAmong(others, ofSum)] as const
    const { pairs, isWhole } = pairsOf(...groups)
    const alone = new Map(groups[0].map((group, index) => [index, [...group]]))
    const free = new Map(groups[1].map((group, index) => [index, [...group]]))
    for (const { first, second, count } of pairs) {
      const partners = free.get(second)?.splice(0, count) ?? []
      const lines = alone.get(first)?.splice(0, count) ?? []
      for (const [index, { id }] of lines.entries()) same.set(id, (partners[index] as PreparedLine).id)
    }
    if (!isWhole) for (const { id } of [...alone.values()].flat()) undecided.add(id)
  }
  return { same, undecided }
}

/** Lines that are alike in all that is compared; never empty. */
type Group = readonly [PreparedLine, ...PreparedLine[]]

/** Words that none of `others` has compare as none, so that thousands of lines of one price are a few groups. */
function groupsAmong(lines: readonly PreparedLine[], others: readonly PreparedLine[]): Group[] {
  const words = new Set(others.flatMap(({ transactions }) => transactions.map((one) => one.words)))
  const keyOf = ({
    amount,
    currency,
    iban,
    endToEndId,
    returnCode,
    named,
    words: own,
  }: PreparedTransaction) => [
    ...[String(amount), currency, iban, endToEndId, returnCode, [...named].toSorted()],
    words.has(own) ? own : null,
  ]
  const byKey = Map.groupBy(lines, ({ servicerReference, transactions }) =>
    JSON.stringify([servicerReference === undefined, ...transactions.map(keyOf)]),
  )
  return [...byKey.values()] as unknown as Group[]
}

/** First what is known in the same words, then what that leaves alone; all with all where both kinds still have some. */
function pairsOf(
  asked: readonly Group[],
  known: readonly Group[],
): { readonly pairs: readonly Pairs[]; readonly isWhole: boolean } {
  const all: Sizes = {
    first: (index) => asked[index]?.length ?? 0,
    second: (index) => known[index]?.length ?? 0,
  }
  const inWords = possiblePairs(asked, known, all, wordsOf)?.filter(({ rank }) => rank === 0)
  const surest = pairsAmong(inWords ?? [], all)
  const left = leftOf(all, surest)
  const others = possiblePairs(asked, known, left, partsOf)
  const pairs = [...surest, ...pairsAmong(others ?? [], left)]
  const alone = leftOf(all, pairs)
  const areAlone =
    asked.some((_, index) => alone.first(index) > 0) && known.some((_, index) => alone.second(index) > 0)
  if (!areAlone) return { pairs, isWhole: true }
  const possible = possiblePairs(asked, known, all, partsOf)
  return possible === undefined
    ? { pairs, isWhole: false }
    : { pairs: pairsAmong(possible, all), isWhole: true }
}

function leftOf(sizes: Sizes, pairs: readonly Pairs[]): Sizes {
  const countsOf = (of: 'first' | 'second') => {
    const counts = new Map<number, number>()
    for (const one of pairs) counts.set(one[of], (counts.get(one[of]) ?? 0) + one.count)
    return counts
  }
  const [first, second] = [countsOf('first'), countsOf('second')]
  return {
    first: (index) => sizes.first(index) - (first.get(index) ?? 0),
    second: (index) => sizes.second(index) - (second.get(index) ?? 0),
  }
}

/** How many lines of one day and sum are compared with each other: about a second. */
const comparisonsMax = 1_000_000

/** Which groups may be one, of those with a size; undefined where too many would have to be compared. */
function possiblePairs(
  asked: readonly Group[],
  known: readonly Group[],
  sizes: Sizes,
  partsOf: (transaction: PreparedTransaction) => readonly string[],
): PossiblePair[] | undefined {
  const byKey = new Map<string, Set<number>>()
  for (const [second, [line]] of known.entries()) {
    if (sizes.second(second) === 0) continue
    for (const key of line.transactions.flatMap((one) => keysOf(partsOf(one), one, true)))
      byKey.set(key, (byKey.get(key) ?? new Set()).add(second))
  }
  const possible: PossiblePair[] = []
  let comparisons = 0
  for (const [first, [line]] of asked.entries()) {
    const [one] = line.transactions
    if (sizes.first(first) === 0 || one === undefined) continue
    const found = new Set(keysOf(partsOf(one), one, false).flatMap((key) => [...(byKey.get(key) ?? [])]))
    comparisons += found.size * line.transactions.length ** 2
    if (comparisons > comparisonsMax) return undefined
    for (const second of found) {
      const rank = rankOf(line, (known[second] as Group)[0])
      if (rank !== undefined) possible.push({ first, second, rank })
    }
  }
  return possible
}

/**
 * Under which keys a transaction is found, or which it looks for: by one of its parts, and by account and reference of who
 * ordered it, in which two may differ only where one of them has none. An order of ours goes by its reference alone.
 */
function keysOf(
  parts: readonly string[],
  { iban, endToEndId, isOrder }: PreparedTransaction,
  isFound: boolean,
): string[] {
  if (isOrder) return [`order ${endToEndId}`]
  const tagsOf = (value: string | undefined) => {
    if (isFound) return ['any', value ?? 'none']
    return value === undefined ? ['any'] : [value, 'none']
  }
  return parts.flatMap((part) =>
    tagsOf(iban).flatMap((account) =>
      tagsOf(endToEndId).map((ordered) => [part, account, ordered].join('|')),
    ),
  )
}

function wordsOf({ words }: PreparedTransaction): string[] {
  return words === '' ? [] : [`words ${words}`]
}

/** Two transactions that may be one have one of these in common, but for orders of ours. */
function partsOf(transaction: PreparedTransaction): string[] {
  const { iban, named } = transaction
  return [
    ...wordsOf(transaction),
    ...(iban === undefined ? [] : [`account ${iban}`]),
    ...[...named].map((reference) => `wallet ${reference}`),
  ]
}
