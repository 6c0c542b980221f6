// The shortest part of a failing plan that still fails in the same way.

/** Runs a part of a plan; true where it fails as the whole one did. */
export type Fails = (keep: readonly number[]) => Promise<boolean>

/**
 * Leaves out ever smaller pieces of `lines` for as long as what remains still fails: what comes back fails, and nothing
 * can be taken out of it by itself. Ends after `triesMax` runs with the shortest that it knows by then.
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
    // From the end: what comes last changes nothing that came before.
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
