// Reads that several callers ask for at the same time: those who wait share one answer.

/**
 * A function that reads what was asked for, once for all who ask for the same while they wait. Whoever asks while the
 * same is being read waits for the next reading: it begins after they asked, and so sees all that was committed before.
 * A lone caller waits for nothing.
 *
 * @param nameOf distinguishes all that is to be answered differently; names the wallet wherever a wallet owns the answer
 * @param read gets nothing but what was asked for: the answer must depend on nothing else of a caller
 */
export function readTogether<Asked, Answer>(
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

/** After the sockets of this turn were read, so that their callers share. */
function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
