// Forms and links of a page, without JavaScript.

export interface PageForm {
  readonly action: string
  readonly method: string
  readonly fields: Readonly<Record<string, string>>
}

export function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b([^>]*)>/g)].map(([, attributes = '']) => attributesOf(attributes).href ?? '')
}

export function formsOf(html: string): PageForm[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = '', inner = '']) => {
    const { action = '', method = 'get' } = attributesOf(attributes)
    const fields: Record<string, string> = {}
    for (const [, text = ''] of inner.matchAll(/<input\b([^>]*)>/g)) {
      const { name, value = '', type, checked, required } = attributesOf(text)
      // A required box is ticked, as the page demands.
      const isUnchosen =
        checked === undefined && (type === 'radio' || (type === 'checkbox' && required === undefined))
      if (name === undefined || type === 'submit' || isUnchosen) continue
      fields[name] = value
    }
    return { action, method: method.toLowerCase(), fields }
  })
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name = '', , value = ''] of text.matchAll(/([\w-]+)(="([^"]*)")?/g))
    attributes[name] = decode(value)
  return attributes
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }

export function decode(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hexadecimal !== undefined) return String.fromCodePoint(Number.parseInt(hexadecimal, 16))
    return entities[name] ?? whole
  })
}
