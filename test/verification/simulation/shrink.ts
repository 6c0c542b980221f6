// Finds the shortest part of a failing plan that fails in the same way.

export type Fails = (keep: readonly number[]) => Promise<boolean>

/**
 * Removes smaller and smaller pieces of `lines` while the rest still fails. Ends if no line can go, or after
 * `triesMax` runs.
 */
export async function shrink(
  lines: readonly number[],
  fails: Fails,
  triesMax: number,
): Promise<readonly number[]> {
  let kept = lines
  let tries = 0
  let size = Math.ceil(kept.length / 2)
  while (kept.length > 1 && tries < triesMax) {
    let shorter: readonly number[] | undefined
    // Removes lines from the end first, because later lines do not change earlier ones.
    for (let end = kept.length; end > 0 && tries < triesMax; end -= size) {
      const rest = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)]
      if (rest.length === 0) continue
      tries += 1
      if (await fails(rest)) {
        shorter = rest
        break
      }
    }
    if (shorter !== undefined) kept = shorter
    else if (size === 1) break
    size = shorter === undefined ? Math.ceil(size / 2) : Math.min(size, Math.ceil(kept.length / 2))
  }
  return kept
}
