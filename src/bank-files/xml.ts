// XML as text, with escaping and the letters that all banks accept.
import anyAscii from 'any-ascii'

export interface Xml {
  readonly xml: string
}

/** Makes `<name attribute="…">content</name>`. It escapes texts and omits undefined parts. */
export function element(
  name: string,
  content: string | Xml | readonly (Xml | undefined)[],
  attributes: Readonly<Record<string, string>> = {},
): Xml {
  const head = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return { xml: `<${name}${head.join('')}>${contentOf(content)}</${name}>` }
}

export function path(names: string, content: string | Xml): Xml {
  const [first = '', ...rest] = names.split('/')
  return element(first, rest.length === 0 ? content : path(rest.join('/'), content))
}

function contentOf(content: Parameters<typeof element>[1]): string {
  if (typeof content === 'string') return escaped(content)
  if ('xml' in content) return content.xml
  return content.map((part) => part?.xml ?? '').join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** Characters to transliterate: all but ASCII and pictures, whose names would otherwise be written. */
const transliterated = /[^\p{ASCII}\p{So}\p{Extended_Pictographic}]+/gu

/** Transliterates to the EPC's Latin letters. All other characters become dots. */
export function bankText(text: string, lengthMax: number): string {
  const plain = text.normalize('NFC').replaceAll(transliterated, anyAscii)
  const latin = plain.replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/gu, '.').replaceAll(/ +/g, ' ')
  return latin.trim().slice(0, lengthMax).trim() || '.'
}
