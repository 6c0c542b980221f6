// The cache of wallets.
import { beforeEach, describe, expect, it } from 'vitest'
import { createTtlCache } from './cache.ts'

const freshMs = 5000

describe('the fresh cache', () => {
  let now: number
  let stored: Map<string, string>
  let loads: (() => void)[]
  let loadCount: number
  let gated: boolean

  beforeEach(() => {
    now = 0
    stored = new Map([['a', 'first']])
    loads = []
    loadCount = 0
    gated = false
  })

  const open = (entriesMax = 10) =>
    createTtlCache<string, string>({
      freshMs,
      entriesMax,
      elapsed: () => now,
      async load(key) {
        loadCount += 1
        const value = stored.get(key)
        if (gated) await new Promise<void>((resolve) => loads.push(resolve))
        return value
      },
    })

  it('answers loaded values until they expire', async () => {
    const cache = open()
    expect(await cache.get('a')).toBe('first')
    stored.set('a', 'second')
    now = freshMs - 1
    expect(cache.get('a')).toBe('first')
    now = freshMs
    expect(await cache.get('a')).toBe('second')
  })

  it('shares one load between parallel requests', async () => {
    const cache = open()
    expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')])).toEqual([
      'first',
      'first',
      'first',
    ])
    expect(loadCount).toBe(1)
  })

  it('caches no value that was loaded before a drop', async () => {
    const cache = open()
    gated = true
    const before = cache.get('a')
    stored.set('a', 'second')
    cache.drop(() => true)
    const after = cache.get('a')
    for (const finish of loads.reverse()) finish()
    expect(await after).toBe('second')
    expect(await before).toBe('first')
    expect(cache.get('a')).toBe('second')
  })

  it('drops only matching values', async () => {
    const cache = open()
    stored.set('b', 'other')
    await Promise.all([cache.get('a'), cache.get('b')])
    cache.drop((value) => value === 'first')
    expect(cache.get('b')).toBe('other')
    expect(cache.get('a')).toBeInstanceOf(Promise)
  })

  it('loads again after a missing value or a failure', async () => {
    const cache = open()
    expect(await cache.get('b')).toBeUndefined()
    stored.set('b', 'now there')
    expect(await cache.get('b')).toBe('now there')
    let broken = true
    const failing = createTtlCache<string, string>({
      freshMs,
      entriesMax: 1,
      elapsed: () => now,
      load: async () => {
        if (broken) throw new Error('out of reach')
        return 'back'
      },
    })
    await expect(failing.get('a')).rejects.toThrow('out of reach')
    broken = false
    expect(await failing.get('a')).toBe('back')
  })

  it('holds no more entries than allowed', async () => {
    const cache = open(2)
    for (const key of ['x', 'y', 'z']) {
      stored.set(key, key)
      await cache.get(key)
    }
    expect(cache.get('z')).toBe('z')
    expect(cache.get('x')).toBeInstanceOf(Promise)
  })
})
