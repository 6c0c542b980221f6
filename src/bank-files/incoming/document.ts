// ISO 20022 files as trees of elements, without namespaces.
import { DOMParser, type Element as XmlElement } from '@xmldom/xmldom'
import { type Cents, cents } from '../../kernel/money.ts'

export class FileRefused extends Error {
  constructor(problem: string, line?: number) {
    super(line === undefined ? problem : `line ${line}: ${problem}`)
    this.name = 'FileRefused'
  }
}

/** A path is a list of local names with slashes, such as `Acct/Id/IBAN`. */
export class Node {
  readonly name: string
  readonly line: number
  readonly #element: XmlElement

  constructor(element: XmlElement) {
    this.#element = element
    this.name = element.localName ?? element.nodeName
    this.line = element.lineNumber ?? 0
  }

  all(path?: string): Node[] {
    const [first, ...rest] = path === undefined ? [undefined] : path.split('/')
    const found: Node[] = []
    for (let child = this.#element.firstChild; child !== null; child = child.nextSibling) {
      if (child.nodeType !== child.ELEMENT_NODE) continue
      const node = new Node(child as XmlElement)
      if (first === undefined || node.name === first) found.push(node)
    }
    return rest.length === 0 ? found : found.flatMap((node) => node.all(rest.join('/')))
  }

  first(path: string): Node | undefined {
    return this.all(path)[0]
  }

  /** The text, or that of the first of the paths `A/B|C` that has one. Replaces unstorable characters. */
  text(paths?: string): string | undefined {
    for (const path of paths?.split('|') ?? [undefined]) {
      const node = path === undefined ? this : this.first(path)
      const content = node === undefined ? '' : (node.#element.textContent ?? '')
      const text = content.trim().replaceAll(unstorable, '\uFFFD')
      if (text !== '') return text
    }
    return undefined
  }

  /** Joins the texts at all paths, such as `A/B|C`, with spaces. Undefined if there is no text. */
  texts(paths: string): string | undefined {
    return joined(this.listed(paths))
  }

  listed(paths: string): string[] {
    return paths.split('|').flatMap((path) => this.all(path).flatMap((one) => one.text() ?? []))
  }

  attribute(name: string): string | undefined {
    return this.#element.getAttribute(name) ?? undefined
  }

  refused(problem: string): FileRefused {
    return new FileRefused(problem, this.line)
  }

  /** @throws {@link FileRefused} if a text contains a character that cannot be stored */
  checkStorable(): void {
    const [character] = (this.#element.textContent ?? '').match(unstorable) ?? []
    if (character === undefined) return
    for (const child of this.all()) child.checkStorable()
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    throw this.refused(`${this.name} has a character that cannot be stored: U+${code}`)
  }
}

export function joined(texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined).join(' ') || undefined
}

/** NUL and lone surrogates. XML forbids them, but character references can produce them. */
const unstorable = /\0|\p{Surrogate}/gu

/** Valid UTF-8 is read as such. Other texts are read by their byte order mark or declaration. */
export function textOf(bytes: Uint8Array): string {
  const wide = wideEncodingOf(bytes)
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, declarationLengthMax))
  const declared = /<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/.exec(start)?.[1]
  for (const encoding of wide === undefined ? ['utf-8', declared] : [wide]) {
    const text = encoding === undefined ? undefined : decoded(bytes, encoding, wide !== undefined)
    if (text !== undefined) return text
  }
  const named = wide ?? declared
  throw new FileRefused(
    named === undefined
      ? 'it is not UTF-8, and does not declare its encoding'
      : `it declares ${named.toUpperCase()}, but is not in that encoding`,
  )
}

const declarationLengthMax = 200

function wideEncodingOf([first, second]: Uint8Array): string | undefined {
  const start = ((first ?? 0) << 8) | (second ?? 0)
  if (start === 0xfffe || start === 0x3c00) return 'utf-16le'
  return start === 0xfeff || start === 0x003c ? 'utf-16be' : undefined
}

function decoded(bytes: Uint8Array, encoding: string, isWide: boolean): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true })
    return decoder.encoding.startsWith('utf-16') === isWide ? decoder.decode(bytes) : undefined
  } catch {
    return undefined
  }
}

/** A statement has 15 levels. The parser needs time and memory for each level. */
const depthMax = 100
/** This is about 20 000 entries, for which the parser needs 700 MiB. */
const partsMax = 500_000
const tagLengthMax = 10_000

/** Refuses texts for which the parser would need too much time or memory. */
function checkBounds(text: string): void {
  let depth = 0
  let parts = 0
  for (let at = text.indexOf('<'); at >= 0; ) {
    const [opening, closing] = sections.find(([start]) => text.startsWith(start, at)) ?? []
    const end = closing === undefined ? endOfTag(text, at) : text.indexOf(closing, at + opening.length)
    if (end < 0) return
    const tag = closing === undefined ? text.slice(at, end) : ''
    if (tag.startsWith('</')) depth -= 1
    else {
      parts += tag === '' ? 1 : tag.split('=').length
      if (tag !== '' && !tag.endsWith('/')) depth += 1
    }
    if (depth > depthMax)
      throw new FileRefused(`its elements are nested more than ${depthMax} deep`, lineOf(text, at))
    if (parts > partsMax)
      throw new FileRefused(
        `it has more than ${partsMax} elements and attributes: ask the bank for several files`,
      )
    at = text.indexOf('<', end)
  }
}

const sections = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

/** The index of the `>` that ends a tag, not one in an attribute. Returns -1 if it is missing. */
function endOfTag(text: string, start: number): number {
  let quote = ''
  for (let at = start; at < text.length; at++) {
    if (at - start > tagLengthMax)
      throw new FileRefused(`a tag has more than ${tagLengthMax} characters`, lineOf(text, start))
    const character = text.charAt(at)
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '>') return at
    else if (character === '"' || character === "'") quote = character
  }
  return -1
}

/** The message is the only child of `Document`, which can itself be inside an envelope. */
export function readDocument(text: string): Node {
  // A document type can define entities that grow without bound. No bank sends one.
  const doctype = text.search(/<!DOCTYPE/i)
  if (doctype >= 0) throw new FileRefused('a document type is not allowed', lineOf(text, doctype))
  checkBounds(text)
  let problemFound: FileRefused | undefined
  const parser = new DOMParser({
    onError(level, problem, context) {
      if (level === 'warning') return
      const line = (context as { locator?: { lineNumber?: number } } | undefined)?.locator?.lineNumber
      problemFound ??= new FileRefused(`not well-formed XML: ${problem}`, line === 0 ? undefined : line)
      throw problemFound
    },
  })
  let root: XmlElement | null
  try {
    root = parser.parseFromString(text, 'text/xml').documentElement
  } catch (error) {
    // The parser wraps our error in its own.
    throw problemFound ?? new FileRefused(`not well-formed XML: ${(error as Error).message}`, undefined)
  }
  if (root === null) throw new FileRefused('it has no element')
  const outermost = new Node(root)
  const within = [outermost, ...outermost.all(), ...outermost.all().flatMap((one) => one.all())]
  const [document, ...others] = within.filter(({ name }) => name === 'Document')
  if (document === undefined) throw outermost.refused('there is no Document')
  if (others.length > 0) throw new FileRefused('it has several documents', others[0]?.line)
  const [message] = document.all()
  if (message === undefined) throw document.refused('Document is empty')
  return message
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** Reads `12.5` as 1250 cents. A third decimal must be 0. The amount is never negative. */
export function readAmount(node: Node): { readonly amount: Cents; readonly currency: string } {
  const text = node.text() ?? ''
  const [, whole, fraction = ''] = /^\+?(\d{1,15})(?:\.(\d{0,5}))?$/.exec(text) ?? []
  if (whole === undefined || !/^\d{0,2}0*$/.test(fraction))
    throw node.refused(`${node.name} is not an amount of at most two decimals: ${text}`)
  const currency = node.attribute('Ccy')
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency))
    throw node.refused(`${node.name} has no currency (Ccy)`)
  return { amount: cents(BigInt(whole) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0'))), currency }
}
