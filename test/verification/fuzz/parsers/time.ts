// Proportional processor time of parsers.

/** Ten times the input may take this many times as long; quadratic time would be a hundred. */
const growthMax = 40
/** Shorter times only measure the machine's jitter. */
const floorMs = 5
const tries = 5

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
      // A refusal takes time too.
    }
    const { user, system } = process.threadCpuUsage(began)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}
