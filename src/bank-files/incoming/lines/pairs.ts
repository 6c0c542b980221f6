// As many pairs as there can be between two kinds of things, each in one pair at the most; the surest ones first.

/** Two that may be one: which of the first and of the second kind, and how sure that is; 0 is the surest. */
export interface PossiblePair {
  readonly first: number
  readonly second: number
  readonly rank: number
}

/**
 * What has a surer partner keeps one, maybe another one where that makes one pair more: a choice that was made early
 * never leaves two alone that could be a pair (augmenting paths, by Kuhn).
 *
 * @returns the second of each first one that is in a pair
 */
export function pairsAmong(possible: readonly PossiblePair[]): ReadonlyMap<number, number> {
  const partners: Partners = { ofFirst: new Map(), ofSecond: new Map() }
  const ranks = [...new Set(possible.map(({ rank }) => rank))].toSorted((one, other) => one - other)
  for (const upTo of ranks) {
    const choices = new Map<number, number[]>()
    for (const { first, second, rank } of possible) {
      if (rank > upTo) continue
      const known = choices.get(first)
      if (known === undefined) choices.set(first, [second])
      else known.push(second)
    }
    for (const first of choices.keys())
      if (!partners.ofFirst.has(first)) findPartner(first, choices, partners)
  }
  return partners.ofFirst
}

interface Partners {
  readonly ofFirst: Map<number, number>
  readonly ofSecond: Map<number, number>
}

/** Gives `start` a partner, where need be one whose partner finds another one, and so on. */
function findPartner(start: number, choices: ReadonlyMap<number, readonly number[]>, partners: Partners) {
  const wantedBy = new Map<number, number>()
  const looking = [start]
  for (const first of looking) {
    for (const second of choices.get(first) ?? []) {
      if (wantedBy.has(second)) continue
      wantedBy.set(second, first)
      const taker = partners.ofSecond.get(second)
      if (taker !== undefined) looking.push(taker)
      else return changePartners(second, wantedBy, partners)
    }
  }
}

/** From one that is free back to the one that began to look. */
function changePartners(free: number, wantedBy: ReadonlyMap<number, number>, partners: Partners): void {
  let second: number | undefined = free
  while (second !== undefined) {
    const first = wantedBy.get(second) as number
    const before = partners.ofFirst.get(first)
    partners.ofFirst.set(first, second)
    partners.ofSecond.set(second, first)
    second = before
  }
}
