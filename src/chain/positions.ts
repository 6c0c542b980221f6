// Positions in the order in which everything was written, and where batches begin and end.

/**
 * A row's position is the number of the transaction that wrote it. Postings that were there before the chain have none:
 * theirs is their id less this, below zero.
 */
export const historyOffset = 10n ** 18n

/** Which rows a batch, or several in a row, are of. Beginnings are included, ends are not. */
export type Span =
  | { readonly kind: 'history'; readonly fromId: bigint; readonly toId: bigint }
  | {
      readonly kind: 'live'
      readonly postingsFrom: bigint
      readonly eventsFrom: bigint
      readonly to: bigint
    }

/** What lies between two ends of batches; without `previous` from the beginning. */
export function spanBetween(previous: bigint | undefined, upto: bigint): Span {
  if (upto <= 0n)
    return {
      kind: 'history',
      fromId: previous === undefined ? -historyOffset : previous + historyOffset,
      toId: upto + historyOffset,
    }
  // Without a history nothing may have its position, and what has it all the same is found here.
  if (previous === undefined) return { kind: 'live', postingsFrom: 0n, eventsFrom: 0n, to: upto }
  return {
    kind: 'live',
    postingsFrom: previous > 0n ? previous : 1n,
    eventsFrom: previous > 0n ? previous : 0n,
    to: upto,
  }
}

/**
 * Where a batch of history ends, or undefined where none is left.
 *
 * @param history the last posting of it
 * @param postingsMax how many postings a batch has at most: they are read by their ids
 */
export function endInHistory(
  previous: bigint | undefined,
  history: bigint,
  postingsMax: number,
): bigint | undefined {
  if (history <= 0n || (previous !== undefined && previous >= 0n)) return undefined
  const from = previous === undefined ? 0n : previous + historyOffset
  const to = from + BigInt(postingsMax)
  return to > history ? 0n : to - historyOffset
}

/** What is added to the end of a batch of history to compare it with the id of a posting. */
export function idOfPosition(position: bigint): bigint {
  return position + historyOffset
}
