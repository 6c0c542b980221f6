// Random values from a seed, the same on every machine.

export interface Chance {
  below(limit: number): number
  pick<T>(items: readonly T[]): T
  happens(likelihood: number): boolean
  bytes(length: number): Uint8Array<ArrayBuffer>
  /** Another source from this seed and `name`. Its use does not change the values of this source. */
  apart(name: string | number): Chance
}

const twoTo32 = 2 ** 32

/** The generator Mulberry32, whose state is one number of 32 bits. `seed` is any whole number or text. */
export function createChance(seed: number | string): Chance {
  const origin = mixed(String(seed))
  let state = origin
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mix = Math.imul(state ^ (state >>> 15), state | 1)
    mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61)
    return (mix ^ (mix >>> 14)) >>> 0
  }
  const below = (limit: number) => Math.floor((next() / twoTo32) * limit)
  return {
    below,
    pick(items) {
      if (items.length === 0) throw new RangeError('nothing to pick from')
      return items[below(items.length)] as (typeof items)[number]
    },
    happens: (likelihood) => next() / twoTo32 < likelihood,
    bytes: (length) => Uint8Array.from({ length }, () => next() >>> 24),
    apart: (name) => createChance(`${origin}/${name}`),
  }
}

function mixed(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193)
  return hash >>> 0
}
