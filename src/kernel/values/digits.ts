// Digits of any script, as people type them: full-width on a Japanese keyboard, Arabic, Devanagari.

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
