// Groups the digits of a typed number, and keeps the caret in its place.
import { withoutMarks } from '../../../src/kernel/values/pasted.ts'

export interface Typed {
  readonly text: string
  readonly caret: number
}

export interface Grouping {
  readonly charactersOf: (text: string) => string
  /** Adds spaces between groups, none at the end. */
  readonly group: (characters: string) => string
}

/**
 * Formats a number after an edit. The caret stays after the same character.
 * @param before text before the edit
 * @param deleting true for Backspace, which deletes the character before a space
 */
export function regroup(
  { charactersOf, group }: Grouping,
  { text, caret }: Typed,
  before: string,
  deleting: boolean,
): Typed {
  const characters = charactersOf(text)
  const behind = charactersOf(text.slice(0, caret)).length
  const overSpace = deleting && behind > 0 && characters === charactersOf(before) && text !== before
  const kept = overSpace ? characters.slice(0, behind - 1) + characters.slice(behind) : characters
  const grouped = group(kept)
  return { text: grouped, caret: caretBehind(grouped, overSpace ? behind - 1 : behind) }
}

function caretBehind(grouped: string, count: number): number {
  let seen = 0
  for (let index = 0; index < grouped.length; index++) {
    if (seen === count) return index
    if (grouped[index] !== ' ') seen++
  }
  return grouped.length
}

const ibanLengthMax = 34

export const ibanGrouping: Grouping = {
  charactersOf: (text) => text.toUpperCase().replace(/[^A-Z\d]/g, ''),
  group: (characters) => characters.slice(0, ibanLengthMax).replace(/.{4}(?=.)/g, '$& '),
}

/** Portuguese numbers get groups of three digits. Other numbers stay as typed. */
export const phoneGrouping: Grouping = {
  charactersOf: (text) => text.replace(/[^\d+]/g, ''),
  group: (characters) => {
    const [, code = '', number = ''] = /^(\+351)?(.*)$/.exec(characters) ?? []
    return [code, number.replace(/\d{3}(?=\d)/g, '$& ')].filter(Boolean).join(' ')
  },
}

export function isPortuguesePhone(text: string): boolean {
  return (
    /^(\+351)?[29]?\d{0,8}$/.test(phoneGrouping.charactersOf(text)) && !/[^\d+\s]/.test(withoutMarks(text))
  )
}

/** Check digits of ISO 13616. */
export function isIban(text: string): boolean {
  const characters = ibanGrouping.charactersOf(text)
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(characters)) return false
  let remainder = 0
  for (const character of characters.slice(4) + characters.slice(0, 4)) {
    for (const digit of Number.parseInt(character, 36).toString())
      remainder = (remainder * 10 + Number(digit)) % 97
  }
  return remainder === 1
}
