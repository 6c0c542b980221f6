// XML as text: elements whose content is escaped, and the few letters that every bank of the area reads.
import anyAscii from 'any-ascii'

/** Content of an element that is XML already. */
export interface Xml {
  readonly xml: string
}

/** `<name attribute="…">content</name>`; text is escaped, undefined values are left out. */
export function element(
  name: string,
  content: string | Xml | readonly (Xml | undefined)[],
  attributes: Readonly<Record<string, string>> = {},
): Xml {
  const head = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return { xml: `<${name}${head.join('')}>${contentOf(content)}</${name}>` }
}

/** Nested elements around one content: `path('Id/IBAN', iban)`. */
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

/** Not ASCII, and no picture, whose name would be written. */
const transliterated = /[^\p{ASCII}\p{So}\p{Extended_Pictographic}]+/gu

/** As the EPC's Latin set has it: letters of other alphabets by their sound, what is left outside of it as dots. */
export function bankText(text: string, lengthMax: number): string {
  const plain = text.normalize('NFC').replaceAll(transliterated, anyAscii)
  const latin = plain.replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/gu, '.').replaceAll(/ +/g, ' ')
  return latin.trim().slice(0, lengthMax).trim() || '.'
}
