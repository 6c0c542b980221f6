// Memory in front of the database that never answers with what was changed before the question was asked.

export interface FreshCacheOptions<Key, Value> {
  load(key: Key): Promise<Value | undefined>
  /** How long a value may be answered from memory when no notice of a change arrives. */
  readonly freshMs: number
  /** The oldest entry leaves when there would be more. */
  readonly entriesMax: number
  /** Milliseconds since any fixed moment, real time: the sandbox's clock may jump. */
  elapsed(): number
}

export interface FreshCache<Key, Value> {
  /** The value if memory has it, else a promise of it; undefined when it does not exist. */
  get(key: Key): Value | Promise<Value | undefined>
  /** Whether `get` would begin a load. */
  wouldLoad(key: Key): boolean
  /** The value if memory has it and may answer with it; nothing is loaded. */
  peek(key: Key): Value | undefined
  /** The value as it was when it was last read, however long ago, unless it was dropped since. */
  last(key: Key): Value | undefined
  /** Forgets the values that `concerns` picks. */
  drop(concerns: (value: Value) => boolean): void
}

interface Entry<Value> {
  readonly value: Value
  readonly freshUntil: number
}

/**
 * A cache whose misses share one load per key. A `drop` also beats the loads under way: what they read may
 * be from before the change, so it is given to those who asked before the drop, and kept for nobody.
 */
export function createFreshCache<Key, Value>(options: FreshCacheOptions<Key, Value>): FreshCache<Key, Value> {
  const entries = new Map<Key, Entry<Value>>()
  const loads = new Map<Key, Promise<Value | undefined>>()

  function fresh(key: Key): Entry<Value> | undefined {
    const entry = entries.get(key)
    return entry !== undefined && options.elapsed() < entry.freshUntil ? entry : undefined
  }

  function get(key: Key): Value | Promise<Value | undefined> {
    return fresh(key)?.value ?? loads.get(key) ?? load(key)
  }

  function load(key: Key): Promise<Value | undefined> {
    // Counted from before the question: the answer is at least that old.
    const freshUntil = options.elapsed() + options.freshMs
    const loading = options
      .load(key)
      .then((value) => {
        if (loads.get(key) === loading) remember(key, value, freshUntil)
        return value
      })
      .finally(() => {
        if (loads.get(key) === loading) loads.delete(key)
      })
    loads.set(key, loading)
    return loading
  }

  function remember(key: Key, value: Value | undefined, freshUntil: number): void {
    entries.delete(key)
    if (value === undefined) return
    entries.set(key, { value, freshUntil })
    if (entries.size > options.entriesMax) entries.delete(entries.keys().next().value as Key)
  }

  return {
    get,
    peek: (key) => fresh(key)?.value,
    wouldLoad: (key) => fresh(key) === undefined && !loads.has(key),
    last: (key) => entries.get(key)?.value,
    drop(concerns) {
      loads.clear()
      for (const [key, { value }] of entries) if (concerns(value)) entries.delete(key)
    },
  }
}
