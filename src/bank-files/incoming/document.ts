// A file of ISO 20022 as a tree of elements known by their local names: versions and namespaces differ between banks.
import { DOMParser, type Element as XmlElement } from '@xmldom/xmldom'
import { type Cents, cents } from '../../kernel/money.ts'

/** Why a file is refused as a whole, with the line where it stands; shown to who imports it. */
export class FileRefused extends Error {
  constructor(problem: string, line?: number) {
    super(line === undefined ? problem : `line ${line}: ${problem}`)
    this.name = 'FileRefused'
  }
}

/** An element of a file. Paths are local names between slashes, such as `Acct/Id/IBAN`. */
export class Node {
  readonly name: string
  readonly line: number
  readonly #element: XmlElement

  constructor(element: XmlElement) {
    this.#element = element
    this.name = element.localName ?? element.nodeName
    this.line = element.lineNumber ?? 0
  }

  /** Child elements, all of them or those of one path. */
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

  /** The first element of a path, if there is one. */
  first(path: string): Node | undefined {
    return this.all(path)[0]
  }

  /** The text of the element, or of the first one of a path; undefined where it is absent or empty. */
  text(path?: string): string | undefined {
    const node = path === undefined ? this : this.first(path)
    if (node === undefined) return undefined
    const text = (node.#element.textContent ?? '').trim()
    checkStorable(text, node)
    return text === '' ? undefined : text
  }

  /** The text of a path that must be there. */
  needed(path: string): string {
    const text = this.text(path)
    if (text === undefined) throw new FileRefused(`${this.name} has no ${path}`, this.line)
    return text
  }

  attribute(name: string): string | undefined {
    return this.#element.getAttribute(name) ?? undefined
  }
}

/** NUL, which no text of the database can hold, and halves of characters, which come in by reference; neither is XML. */
const unstorable = /\0|\p{Surrogate}/u

function checkStorable(text: string, { name, line }: Node): void {
  const character = unstorable.exec(text)?.[0]
  if (character === undefined) return
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  throw new FileRefused(`${name} has a character that cannot be stored: U+${code}`, line)
}

/** The message in a file: the one child of its `Document`. */
export function readDocument(text: string): Node {
  // Entities of a document's own could grow without bound, and no bank sends them.
  const doctype = text.search(/<!DOCTYPE/i)
  if (doctype >= 0) throw new FileRefused('a document type is not allowed', lineOf(text, doctype))
  let problemFound: FileRefused | undefined
  const parser = new DOMParser({
    onError(level, problem, context) {
      if (level === 'warning') return
      const line = (context as { locator?: { lineNumber?: number } } | undefined)?.locator?.lineNumber
      // An empty file has no lines.
      problemFound ??= new FileRefused(`not well-formed XML: ${problem}`, line === 0 ? undefined : line)
      throw problemFound
    },
  })
  let root: XmlElement | null
  try {
    root = parser.parseFromString(text, 'text/xml').documentElement
  } catch (error) {
    // The parser throws one of its own around ours.
    throw problemFound ?? new FileRefused(`not well-formed XML: ${(error as Error).message}`, undefined)
  }
  if (root === null || root.localName !== 'Document')
    throw new FileRefused('the outermost element is not Document', root?.lineNumber)
  const [message] = new Node(root).all()
  if (message === undefined) throw new FileRefused('Document is empty', root.lineNumber)
  return message
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** `12.5` is 1250 cents; a third decimal other than 0 is no amount of euros. Never negative. */
export function readAmount(node: Node): { readonly amount: Cents; readonly currency: string } {
  const text = node.text() ?? ''
  const [, whole, fraction = ''] = /^\+?(\d{1,15})(?:\.(\d{0,5}))?$/.exec(text) ?? []
  if (whole === undefined || !/^\d{0,2}0*$/.test(fraction))
    throw new FileRefused(`${node.name} is not an amount of at most two decimals: ${text}`, node.line)
  const currency = node.attribute('Ccy')
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency))
    throw new FileRefused(`${node.name} has no currency (Ccy)`, node.line)
  return { amount: cents(BigInt(whole) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0'))), currency }
}
