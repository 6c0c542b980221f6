// A cache in front of the database, never older than the last drop.

export interface TtlCacheOptions<Key, Value> {
  load(key: Key): Promise<Value | undefined>
  readonly freshMs: number
  readonly entriesMax: number
  /** Monotonic milliseconds; the clock of the sandbox can jump. */
  elapsed(): number
}

export type CacheLimits = Omit<TtlCacheOptions<never, never>, 'load'>

export interface TtlCache<Key, Value> {
  /** The cached value, or a promise of it; undefined if it does not exist. */
  get(key: Key): Value | Promise<Value | undefined>
  wouldLoad(key: Key): boolean
  /** The value if it is cached and fresh. */
  peek(key: Key): Value | undefined
  /** The cached value of any age. */
  last(key: Key): Value | undefined
  drop(matches: (value: Value) => boolean): void
}

interface Entry<Value> {
  readonly value: Value
  readonly freshUntil: number
}

/** Misses share one load per key. A load that started before a drop may be stale, so its value is not cached. */
export function createTtlCache<Key, Value>(options: TtlCacheOptions<Key, Value>): TtlCache<Key, Value> {
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
    // Measured before the load: the value may be that old.
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
    drop(matches) {
      loads.clear()
      for (const [key, { value }] of entries) if (matches(value)) entries.delete(key)
    },
  }
}
