// Equal parallel reads share one answer.

/** Callers during a read share the next one. `nameOf` tells answers apart, so it includes the wallet. */
export function sharedRead<Asked, Answer>(
  nameOf: (asked: Asked) => string,
  read: (asked: Asked) => Promise<Answer>,
): (asked: Asked) => Promise<Answer> {
  const reading = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, Promise<Answer>>()

  return (asked) => {
    const name = nameOf(asked)
    const shared = waiting.get(name)
    if (shared !== undefined) return shared
    const answer = readNext(name, asked)
    waiting.set(name, answer)
    return answer
  }

  async function readNext(name: string, asked: Asked): Promise<Answer> {
    await (reading.get(name) ?? endOfTurn())
    waiting.delete(name)
    const answer = read(asked)
    const done = answer.catch(() => undefined)
    reading.set(name, done)
    try {
      return await answer
    } finally {
      if (reading.get(name) === done) reading.delete(name)
    }
  }
}

/** Waits until all sockets of this turn were read, so that their callers share a read. */
function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
