// Suggestions for mistyped words.

/** At most a third of the letters may be wrong. In a short word it is one letter. */
const wrongPart = 3

export function nearestWord<Word extends string>(word: string, known: readonly Word[]): Word | undefined {
  const typed = word.toLowerCase()
  const distances = known.map((candidate) => ({ candidate, far: distance(typed, candidate.toLowerCase()) }))
  const near = distances.filter(
    ({ candidate, far }) => far <= Math.max(1, Math.floor(candidate.length / wrongPart)),
  )
  return near.sort((a, b) => a.far - b.far)[0]?.candidate
}

function distance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = above
    above = current
  }
  return above[b.length] ?? 0
}
