// Expensive work, a few pieces at once: more wait for their turn, and when too many wait the next are refused.

/** Runs `work` when its turn comes; undefined, without running it, when too many wait already. */
export type FewAtOnce = <Value>(work: () => Promise<Value>) => Promise<Value | undefined>

export function fewAtOnce({ running, waiting }: { running: number; waiting: number }): FewAtOnce {
  const queue: (() => void)[] = []
  let busy = 0

  return async (work) => {
    if (busy >= running) {
      if (queue.length >= waiting) return undefined
      // Whoever ends hands its place on.
      await new Promise<void>((resolve) => queue.push(resolve))
    } else {
      busy += 1
    }
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next === undefined) busy -= 1
      else next()
    }
  }
}
