// Text for a terminal in which nothing of a customer, a merchant or a server can move its cursor or change its order.

/** Controls but the tab and the end of a line; marks of direction; separators of lines that only some programs know. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is for
const hidden = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const codeOf = (character: string, digits: number) =>
  character.charCodeAt(0).toString(16).padStart(digits, '0')

/** `text` with every such character as `\x1b` or `\u202e`, lines kept. */
export function visible(text: string): string {
  return text.replace(hidden, (character) =>
    character < '\u0100' ? `\\x${codeOf(character, 2)}` : `\\u${codeOf(character, 4)}`,
  )
}

/** The same of a value, which must not begin a line of its own. */
export function visibleInLine(text: string): string {
  return visible(text).replaceAll('\n', '\\x0a').replaceAll('\t', '\\x09')
}

/** JSON that means the same and shows such characters: they only occur inside of its texts. */
export function visibleJson(json: string): string {
  return json.replace(hidden, (character) => `\\u${codeOf(character, 4)}`)
}
