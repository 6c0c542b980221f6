// How far apart two spellings are.

/**
 * How many slips lie between two words: a letter changed, added or left out, or two neighbours swapped (optimal string
 * alignment). `itmes` is one slip from `items`.
 */
export function slipsBetween(written: string, meant: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: meant.length + 1 }, (_, column) => column)
  for (let row = 1; row <= written.length; row++) {
    const current = [row]
    for (let column = 1; column <= meant.length; column++) {
      const changed = written[row - 1] === meant[column - 1] ? 0 : 1
      const swaps =
        row > 1 &&
        column > 1 &&
        written[row - 1] === meant[column - 2] &&
        written[row - 2] === meant[column - 1]
      current[column] = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + changed,
        swaps ? (beforeLast[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return last[meant.length] as number
}
