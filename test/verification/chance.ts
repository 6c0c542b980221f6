// Chance under a seed: the same seed makes the same choices, on every machine.

/** Choices made by one seed. */
export interface Chance {
  /** A whole number from 0 to `limit` - 1; `limit` is at least 1. */
  below(limit: number): number
  /** One of `items`, each equally likely. Throws a RangeError when there is none. */
  pick<T>(items: readonly T[]): T
  /** True with a probability of `likelihood`, from 0 to 1. */
  happens(likelihood: number): boolean
  /** `length` bytes. */
  bytes(length: number): Uint8Array<ArrayBuffer>
  /** Chance of its own, which depends on this seed and on `name` alone: what it is asked changes nothing here. */
  apart(name: string | number): Chance
}

const twoTo32 = 2 ** 32

/** Chance by mulberry32, whose whole state is one number of 32 bits. `seed` may be any whole number or text. */
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

/** A text as a number of 32 bits (FNV-1a). */
function mixed(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193)
  return hash >>> 0
}
