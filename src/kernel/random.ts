// Randomness as an argument, so that a simulation can replay what chance decided.
import { randomFillSync } from 'node:crypto'

/** A source of random bytes fit for keys. */
export interface Randomness {
  bytes(length: number): Uint8Array
}

const poolBytes = 4096
let pool = new Uint8Array(0)
let used = 0

/**
 * The operating system's randomness. Small requests are served from a pool, because an
 * identifier per request would otherwise cost a system call each.
 */
export const systemRandomness: Randomness = {
  bytes(length) {
    if (length > poolBytes / 8) return randomFillSync(new Uint8Array(length))
    if (used + length > pool.length) {
      pool = randomFillSync(new Uint8Array(poolBytes))
      used = 0
    }
    used += length
    return pool.slice(used - length, used)
  },
}

const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The largest multiple of 62 in a byte: bytes above it are thrown away, so that no letter is likelier. */
const unbiasedByteMax = 248

/** `length` random letters and digits, each equally likely. */
export function randomBase62(random: Randomness, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < unbiasedByteMax && text.length < length) text += base62Alphabet[byte % 62]
    }
  }
  return text
}

/** `value` (not negative) in base 62, padded with zeros to `length`. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = base62Alphabet[rest % 62] + text
  return text.padStart(length, '0')
}
