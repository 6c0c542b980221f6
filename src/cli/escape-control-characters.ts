// Escaping of control characters, so that printed data cannot affect the terminal.
/** Control characters except tab and newline, marks of direction, and rare line separators. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is for
const hidden = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const codeOf = (character: string, digits: number) =>
  character.charCodeAt(0).toString(16).padStart(digits, '0')

/** Writes such characters as `\x1b` or `\u202e`. Newlines stay. */
export function visible(text: string): string {
  return text.replace(hidden, (character) =>
    character < '\u0100' ? `\\x${codeOf(character, 2)}` : `\\u${codeOf(character, 4)}`,
  )
}

export function visibleInLine(text: string): string {
  return visible(text).replaceAll('\n', '\\x0a').replaceAll('\t', '\\x09')
}

export function visibleJson(json: string): string {
  return json.replace(hidden, (character) => `\\u${codeOf(character, 4)}`)
}
