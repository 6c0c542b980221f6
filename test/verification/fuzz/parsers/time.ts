// Whether a parser's processor time grows with what it reads, and no faster.

/** Ten times the input may take so many times as long: ten would be in proportion, a hundred would be its square. */
const growthMax = 40
/** Below this the machine's own jitter is all that is measured. */
const floorMs = 5
const tries = 5

/**
 * How much longer `read` takes for ten times the input; undefined while that is no more than in proportion. Processor time of
 * this thread, and the best of some tries: other work of the machine changes little of it.
 */
export function steepness(
  inputOf: (size: number) => string,
  read: (text: string) => unknown,
  size: number,
): number | undefined {
  const [small, large] = [inputOf(size), inputOf(10 * size)].map((text) => bestMs(text, read))
  const growth = (large ?? 0) / Math.max(small ?? 0, floorMs)
  return growth <= growthMax ? undefined : growth
}

function bestMs(text: string, read: (text: string) => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let one = 0; one < tries; one++) {
    const began = process.threadCpuUsage()
    try {
      read(text)
    } catch {
      // A refusal takes its time too.
    }
    const { user, system } = process.threadCpuUsage(began)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}
