// One pass over the bytes of a JSON text: what JSON.parse would not tell.

/** A decimal number of so many digits without an exponent goes through a double and back unchanged. */
const safeNumberLength = 15

/** What one pass over the bytes tells of a text, before it is known to be JSON. */
export interface Scan {
  /** Colons between a key and its value: members, counted with their repetitions. */
  members: number
  levels: number
  /** A number that a double may not carry. */
  longNumber: boolean
  /** A `\u` escape: the only way to write NUL or half a surrogate pair. */
  unicodeEscape: boolean
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a

/** One pass: what is counted is right for JSON, and any answer will do for what `JSON.parse` refuses after it. */
export function scanJson(bytes: Uint8Array): Scan {
  const scan: Scan = { members: 0, levels: 0, longNumber: false, unicodeEscape: false }
  let level = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number
    if (byte === quote) {
      index = endOfString(bytes, index + 1, scan)
    } else if (byte === colon) {
      scan.members++
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++level > scan.levels) scan.levels = level
    } else if (byte === 0x7d || byte === 0x5d) {
      level--
    } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      index = endOfNumber(bytes, index, scan)
    }
  }
  return scan
}

/** Index of the closing quote. */
function endOfString(bytes: Uint8Array, start: number, scan: Scan): number {
  let index = start
  for (; index < bytes.length && bytes[index] !== quote; index++) {
    if (bytes[index] !== backslash) continue
    index++
    if (bytes[index] === 0x75) scan.unicodeEscape = true
  }
  return index
}

/** Index of the last byte of the number. */
function endOfNumber(bytes: Uint8Array, start: number, scan: Scan): number {
  let index = start + 1
  for (; index < bytes.length; index++) {
    const byte = bytes[index] as number
    if (byte >= 0x30 && byte <= 0x39) continue
    if (byte === 0x65 || byte === 0x45) scan.longNumber = true
    else if (byte !== 0x2e && byte !== 0x2b && byte !== 0x2d) break
  }
  if (index - start > safeNumberLength) scan.longNumber = true
  return index - 1
}
