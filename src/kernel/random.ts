// Randomness that is passed as an argument, and identifiers (RFC 9562) made with it.
import { createHash, randomFillSync } from 'node:crypto'
import type { Instant } from './time.ts'

export interface Randomness {
  bytes(length: number): Uint8Array
  /** The number of the cell, from 0 to {@link cellMax}, which is part of each identifier. Default: 0. */
  readonly cell?: number
}

/** The number fits into two letters of base 62, and into three hexadecimal digits. */
export const cellMax = 62 ** 2 - 1

const poolBytes = 4096
let pool = new Uint8Array(0)
let used = 0

/** The system's randomness. A pool serves small requests, because a system call for each id costs time. */
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
/** The largest multiple of 62 in a byte. Higher bytes are dropped, so that all letters are equally likely. */
const unbiasedByteMax = 248

export function randomBase62(random: Randomness, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < unbiasedByteMax && text.length < length) text += base62Alphabet[byte % 62]
    }
  }
  return text
}

/** An identifier that begins with the two characters of the cell. The others are random. */
export function cellBase62(random: Randomness, length: number): string {
  return toBase62(random.cell ?? 0, 2) + randomBase62(random, length - 2)
}

const prefixPattern = /^[0-9A-Za-z]{2}\./

/** The prefix that names the cell in a text, because the text itself has no place for it. */
export function cellPrefix({ cell = 0 }: Randomness): string {
  return `${toBase62(cell, 2)}.`
}

export function withoutCellPrefix(text: string): string {
  return text.replace(prefixPattern, '')
}

export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = base62Alphabet[rest % 62] + text
  return text.padStart(length, '0')
}

/** The cell of an identifier made by {@link cellBase62}. NaN for other characters. */
export function cellOfBase62(id: string): number {
  const [high = -1, low = -1] = [...id.slice(0, 2)].map((letter) => base62Alphabet.indexOf(letter))
  return high < 0 || low < 0 ? Number.NaN : high * 62 + low
}

const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const sequencePerMillisecondMax = 0xfff

/** The last id of each source, because each process of a simulation has a source of its own. */
const lastIds = new WeakMap<Randomness, { millisecond: number; sequence: number }>()

const cellDigits = ({ cell = 0 }: Randomness) => cell.toString(16).padStart(3, '0')

/**
 * A UUIDv7. The ids of one source always grow: 12 bits count within a millisecond, and the next millisecond
 * is used early if they are full. The cell is in the last three digits of the fourth group.
 */
export function newId(now: Instant, random: Randomness): string {
  const last = lastIds.get(random) ?? { millisecond: 0, sequence: 0 }
  if (last.millisecond === 0) lastIds.set(random, last)
  if (now > last.millisecond) {
    last.millisecond = now
    last.sequence = random.bytes(1)[0] as number
  } else if (++last.sequence > sequencePerMillisecondMax) {
    last.millisecond += 1
    last.sequence = 0
  }
  const time = last.millisecond.toString(16).padStart(12, '0')
  const tail = random.bytes(7)
  const hex = (index: number) => hexOf[tail[index] as number]
  const variant = (((tail[0] as number) & 3) | 8).toString(16)
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-7${last.sequence.toString(16).padStart(3, '0')}-` +
    `${variant}${cellDigits(random)}-${hex(1)}${hex(2)}${hex(3)}${hex(4)}${hex(5)}${hex(6)}`
  )
}

/** An id that sorts before all ids made at `moment` or later. */
export function firstIdOf(moment: Instant): string {
  const time = Math.max(0, moment).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** A UUIDv8 for one `purpose` of another id. It is the same in every process. */
export function derivedId(id: string, purpose: string): string {
  return uuidOf(createHash('sha256').update(`${purpose} ${id}`).digest(), 8)
}

/** A UUIDv4, which reveals no time and cannot be guessed. The cell is in the same place as in UUIDv7. */
export function randomId(random: Randomness): string {
  const id = uuidOf(Buffer.from(random.bytes(16)), 4)
  return id.slice(0, 20) + cellDigits(random) + id.slice(23)
}

/** The cell of an identifier made by {@link newId} or {@link randomId}. */
export function cellOfId(id: string): number {
  return Number.parseInt(id.slice(20, 23), 16)
}

function uuidOf(bytes: Buffer, version: number): string {
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

/** A UUID in small or capital letters, as a pattern for schemas. */
export const uuidText = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
const uuidPattern = new RegExp(uuidText)

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}
