// Descriptions of JSON errors.
import { parse as parseLossless } from 'lossless-json'
import { pathTo } from './schema.ts'

/** The position of a syntax error. It never quotes the text, which may contain a card number. */
export function placeOfError(text: string): string {
  if (text.trim() === '') return ', not whitespace'
  try {
    parseLossless(text)
    return ''
  } catch (error) {
    const position = /at position (\d+)/.exec((error as SyntaxError).message)?.[1]
    return position === undefined ? '' : `: see character ${Number(position) + 1}`
  }
}

const tokenPattern = /("(?:[^"\\]|\\.)*")(?:\s*(:))?|[{}[\],]/gs

interface OpenValue {
  readonly path: string
  readonly keys: Set<string>
  place: string | number
}

export function repeatedKey(text: string): string | undefined {
  const open: OpenValue[] = []
  for (const [token, quoted = '', isKey] of text.matchAll(tokenPattern)) {
    const inner = open.at(-1)
    if (token === '{' || token === '[') {
      open.push({
        path: inner === undefined ? '' : pathTo(inner.path, inner.place),
        keys: new Set(),
        place: 0,
      })
    } else if (token === '}' || token === ']') {
      open.pop()
    } else if (token === ',') {
      if (typeof inner?.place === 'number') inner.place++
    } else if (inner !== undefined && isKey !== undefined && !takeKey(inner, JSON.parse(quoted))) {
      return pathTo(inner.path, inner.place)
    }
  }
  return undefined
}

function takeKey(inner: OpenValue, key: string): boolean {
  inner.place = key
  if (inner.keys.has(key)) return false
  inner.keys.add(key)
  return true
}

/** The path of the first text or key that PostgreSQL cannot store. */
export function unstorableText(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path || 'the body'
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const found = unstorableText(element, pathTo(path, index))
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const [key, member] of Object.entries(value)) {
    if (!isStorable(key)) return `a key of ${path || 'the body'}`
    const found = unstorableText(member, pathTo(path, key))
    if (found !== undefined) return found
  }
  return undefined
}

/** PostgreSQL can store neither NUL nor half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
