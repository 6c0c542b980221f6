// Numbers as people type and paste them: in digits of any script, with marks that nobody sees. For the server and for pages.

/** Marks of direction, joiners, soft hyphens and variation selectors. */
const invisible = /\p{Cf}|[\u{fe00}-\u{fe0f}]/gu
const dashes = /[\p{Pd}\u2212]/gu
const spaces = /\p{Zs}/gu

/** `text` without invisible marks, with plain hyphens and spaces in place of non-breaking and wide ones. */
export function withoutMarks(text: string): string {
  return text.replace(invisible, '').replace(dashes, '-').replace(spaces, ' ')
}

const foreignDigit = /[^\0-\x7f]/
const digit = /\p{Nd}/u

/** The text with 0 to 9 in place of every script's digits. */
export function withAsciiDigits(text: string): string {
  return foreignDigit.test(text) ? text.replace(/\p{Nd}/gu, asciiOf) : text
}

/** Unicode keeps each script's ten digits together, from zero to nine, and says so for good. */
function asciiOf(foreign: string): string {
  const code = foreign.codePointAt(0) ?? 0
  let first = code
  while (digit.test(String.fromCodePoint(first - 1))) first -= 1
  return String((code - first) % 10)
}
