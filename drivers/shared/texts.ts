// Values of providers that write texts as numbers, and numbers as texts.

export type Json = Readonly<Record<string, unknown>>

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Restores the leading zeros, which a reference loses if the provider sends it as a number. */
export function referenceOf(value: unknown): string {
  const text = textOf(value).replaceAll(' ', '')
  return /^\d{1,9}$/.test(text) ? text.padStart(9, '0') : text
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}

/** Parses the text without looking at the content type, which can be wrong. */
export function jsonOf(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
