// One after the other, for callers of one process who name the same thing.

/** Runs `work` once all that was asked for earlier under the same key has ended. */
export type InTurn<Value> = (key: string, work: () => Promise<Value>) => Promise<Value>

export function inTurn<Value>(): InTurn<Value> {
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
