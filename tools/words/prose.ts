// The sentences of a file with their lines, from comments, texts in code and Markdown.
import { parseSync, Visitor } from 'vite'

/** `line` is counted from 1. */
export type Sentence = { readonly text: string; readonly line: number }

/** A piece of prose, and the offset of its first character in the file. */
type Prose = { readonly text: string; readonly offset: number }

export function sentencesOf(path: string, text: string): Sentence[] {
  // The last column of the glossary contains words to avoid, so it is not checked.
  const own = path.endsWith('glossary.md')
    ? text.replace(/[^|\n]*(?=\|$)/gm, (cell) => ' '.repeat(cell.length))
    : text
  const prose = path.endsWith('.md') ? markdown(own) : code(path, text)
  return prose.flatMap(({ text: piece, offset }) =>
    sentences(piece, text.slice(0, offset).split('\n').length),
  )
}

function sentences(piece: string, firstLine: number): Sentence[] {
  const plain = piece
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, (code) => `X${code.replace(/[^\n]/g, '')}`)
    .replace(/\{@link (\S+)\}|https?:\/\/\S+/g, 'X')
  const found: Sentence[] = []
  let from = 0
  for (const end of plain.matchAll(/[.!?]["')*_]*(?=\s+["'(*_]*[A-Z0-9…<])|\n\s*\n|\u2029|$/g)) {
    const sentence = plain.slice(from, end.index + end[0].length)
    const blank = sentence.length - sentence.trimStart().length
    const line = firstLine + plain.slice(0, from + blank).split('\n').length - 1
    if (sentence.trim() !== '') found.push({ text: sentence.trim().replace(/\s+/g, ' '), line })
    from = end.index + end[0].length
  }
  return found
}

/** Code and generated tags are no prose. A cell, an item and a heading are separate pieces. */
function markdown(text: string): Prose[] {
  const blank = (match: string) => match.replace(/[^\n]/g, ' ')
  const prose = text
    .replace(/^( *)(```|~~~)[\s\S]*?^\1\2.*$/gm, blank)
    .replace(/<!--[\s\S]*?-->|<[^>\n]+>/g, blank)
  const pieces: Prose[] = []
  for (const match of prose.matchAll(/(?:^(?!\s*$).*(?:\n|$))+/gm)) {
    let offset = match.index
    for (const part of match[0].split(/(?<=\n)(?=\s*(?:[-*>|#]|\d+\.) ?)|(?=\|)/)) {
      pieces.push({ text: part.replace(/^[\s|>#*-]+|^\s*\d+\. /, blank), offset })
      offset += part.length
    }
  }
  return pieces
}

function code(path: string, text: string): Prose[] {
  const { program, comments } = parseSync(path, text)
  const pieces: Prose[] = []
  for (const { start, end, value, type } of comments) {
    if (/^\s*(biome-ignore|@ts-|@vite|#__PURE__)/.test(value)) continue
    const last = pieces.at(-1)
    const between = last === undefined ? '' : text.slice(last.offset + last.text.length, start)
    if (type === 'Line' && last !== undefined && /^\n[ \t]*$/.test(between))
      pieces[pieces.length - 1] = { text: `${last.text}${between}  ${value}`, offset: last.offset }
    else pieces.push({ text: text.slice(start, end), offset: start })
  }
  const prose = pieces.map(({ text: piece, offset }) => ({ text: uncommented(piece), offset }))
  const add = (value: string, offset: number) => {
    if (sql.test(value)) prose.push(...sqlComments(value, offset))
    else if (/\p{L}+( \p{L}+){2}/u.test(value) && !codeText.test(value)) prose.push({ text: value, offset })
  }
  new Visitor({
    Literal: ({ value, start }) => void (typeof value === 'string' && add(value, start + 1)),
    JSXText: ({ value, start }) => add(value, start),
    TemplateLiteral: ({ quasis, start }) => add(quasis.map(({ value }) => value.cooked).join('X'), start + 1),
  }).visit(program)
  return prose
}

/** A tag such as `@param` begins a new piece. */
function uncommented(comment: string): string {
  return comment
    .replace(/^\/\*\*?|\*\/$|^\/\//g, '  ')
    .replace(/^([ \t]*)(\*|\/\/)(?=\s|$)/gm, '$1 ')
    .replace(/\n(?=\s*(@|[-*] |\d+\. ))/g, '\n\u2029')
    .replace(/@(param|template) \S+( -)?|@\w+/g, '')
}

const sql =
  /(^|\s|\()(insert into|delete from|create (table|index|function)|update \S+\s+set|case\s+(\S.*?\s+)?when|select\s[\s\S]+?\sfrom)\b/

/** Such a text is no prose: it is a page, a program, or a list of codes. */
const codeText = /^\s*(<!doctype|import |const )|^[^a-z]*$/

function sqlComments(text: string, offset: number): Prose[] {
  return [...text.matchAll(/-- (.*)/g)].map((match) => ({
    text: match[1] ?? '',
    offset: offset + match.index,
  }))
}
