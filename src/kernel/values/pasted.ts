// Cleans pasted text: digits of any script, invisible marks. Server and pages use it.

/** Marks of direction, joiners, soft hyphens and variation selectors, which nobody sees. */
const invisible = /\p{Cf}|[\u{fe00}-\u{fe0f}]/gu
const dashes = /[\p{Pd}\u2212]/gu
const spaces = /\p{Zs}/gu

export function withoutMarks(text: string): string {
  return text.replace(invisible, '').replace(dashes, '-').replace(spaces, ' ')
}

const foreignDigit = /[^\0-\x7f]/
const digit = /\p{Nd}/u

export function withAsciiDigits(text: string): string {
  return foreignDigit.test(text) ? text.replace(/\p{Nd}/gu, asciiOf) : text
}

/** Unicode keeps the ten digits of a script together, in order from zero to nine. */
function asciiOf(foreign: string): string {
  const code = foreign.codePointAt(0) ?? 0
  let first = code
  while (digit.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}
