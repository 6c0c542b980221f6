// As many pairs as there can be between two kinds of things, each in one pair at the most; the surest ones first.

/** Two that may be one: which of the first and of the second kind, and how sure that is; 0 is the surest. */
export interface PossiblePair {
  readonly first: number
  readonly second: number
  readonly rank: number
}

/** So many of `first` are each one of `second`. */
export interface Pairs {
  readonly first: number
  readonly second: number
  readonly count: number
}

/** How many there are of each: things that are alike in all that is compared are one thing with a size. */
export interface Sizes {
  first(index: number): number
  second(index: number): number
}

const single: Sizes = { first: () => 1, second: () => 1 }

/**
 * What has a surer partner keeps one, maybe another one where that makes one pair more: a choice that was made early
 * never leaves two alone that could be a pair (augmenting paths, as in a maximum flow).
 */
export function pairsAmong(possible: readonly PossiblePair[], sizes: Sizes = single): Pairs[] {
  const pairing: Pairing = { choices: new Map(), alone: new Map(), free: new Map(), pairedBy: new Map() }
  for (const [, ofRank] of [...Map.groupBy(possible, ({ rank }) => rank)].toSorted(([a], [b]) => a - b)) {
    for (const { first, second } of ofRank) {
      // In this order, so that less sure ones change nothing of who is paired before them.
      if (!pairing.alone.has(first)) pairing.alone.set(first, sizes.first(first))
      if (!pairing.free.has(second)) pairing.free.set(second, sizes.second(second))
      if (!pairing.pairedBy.has(second)) pairing.pairedBy.set(second, new Map())
      const choices = pairing.choices.get(first)
      if (choices === undefined) pairing.choices.set(first, [second])
      else choices.push(second)
      pair(pairing, first, second, Math.min(of(pairing.alone, first), of(pairing.free, second)))
    }
    while (findPartner(pairing));
  }
  return [...pairing.pairedBy].flatMap(([second, byFirst]) =>
    [...byFirst].flatMap(([first, count]) => (count > 0 ? [{ first, second, count }] : [])),
  )
}

interface Pairing {
  /** The second ones that a first one may be. */
  readonly choices: Map<number, number[]>
  /** How many first ones are in no pair yet, and how many second ones. */
  readonly alone: Map<number, number>
  readonly free: Map<number, number>
  /** How many of each first one a second one is paired with. */
  readonly pairedBy: Map<number, Map<number, number>>
}

function of(counts: ReadonlyMap<number, number> | undefined, key: number): number {
  return counts?.get(key) ?? 0
}

function pair({ alone, free, pairedBy }: Pairing, first: number, second: number, count: number): void {
  alone.set(first, of(alone, first) - count)
  free.set(second, of(free, second) - count)
  const byFirst = pairedBy.get(second)
  byFirst?.set(first, of(byFirst, first) + count)
}

/**
 * Gives some that are alone partners whose partners find others, and so on; false where nobody can be helped. One search
 * begins at all of them: what it cannot reach, none of them can.
 */
function findPartner(pairing: Pairing): boolean {
  /** From which second one a first one was reached; undefined: it is alone. */
  const reachedFrom = new Map<number, number | undefined>()
  for (const [first, count] of pairing.alone) if (count > 0) reachedFrom.set(first, undefined)
  const wantedBy = new Map<number, number>()
  // The search adds to what it goes over.
  for (const first of reachedFrom.keys()) {
    const free = pairing.choices.get(first)?.find((second) => {
      if (wantedBy.has(second)) return false
      wantedBy.set(second, first)
      for (const [partner, count] of pairing.pairedBy.get(second) ?? [])
        if (count > 0 && !reachedFrom.has(partner)) reachedFrom.set(partner, second)
      return of(pairing.free, second) > 0
    })
    if (free === undefined) continue
    changePartners(pairing, free, wantedBy, reachedFrom)
    return true
  }
  return false
}

/** From one that is free back to one that is alone: as many at once as each step allows. */
function changePartners(
  pairing: Pairing,
  free: number,
  wantedBy: ReadonlyMap<number, number>,
  reachedFrom: ReadonlyMap<number, number | undefined>,
): void {
  const steps: { readonly first: number; readonly second: number; readonly before: number | undefined }[] = []
  let count = of(pairing.free, free)
  for (let second: number | undefined = free; second !== undefined; ) {
    const first = wantedBy.get(second) as number
    const before = reachedFrom.get(first)
    steps.push({ first, second, before })
    count = Math.min(
      count,
      before === undefined ? of(pairing.alone, first) : of(pairing.pairedBy.get(before), first),
    )
    second = before
  }
  for (const { first, second, before } of steps) {
    if (before !== undefined) pair(pairing, first, before, -count)
    pair(pairing, first, second, count)
  }
}
