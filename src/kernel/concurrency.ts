// Limits on concurrent work within one process.

/** Runs `work` when a place is free. If too many calls wait, returns undefined and does not run it. */
export type LimitedWork = <Value>(work: () => Promise<Value>) => Promise<Value | undefined>

export function limitConcurrency({ running, waiting }: { running: number; waiting: number }): LimitedWork {
  const queue: (() => void)[] = []
  let busy = 0

  return async (work) => {
    if (busy >= running) {
      if (queue.length >= waiting) return undefined
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

export type KeyedMutex<Value> = (key: string, work: () => Promise<Value>) => Promise<Value>

export function keyedMutex<Value>(): KeyedMutex<Value> {
  const last = new Map<string, Promise<unknown>>()

  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    const forget = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(forget, forget)
    return mine
  }
}
