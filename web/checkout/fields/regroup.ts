// Numbers put into groups while they are typed, without the caret jumping. Pure.
import { withoutMarks } from '../../../src/kernel/values/pasted.ts'

export interface Typed {
  readonly text: string
  readonly caret: number
}

/** How one kind of number is written. */
export interface Grouping {
  /** What counts of a text, without its spaces. */
  readonly charactersOf: (text: string) => string
  /** The characters with a space between their groups, and none at the end. */
  readonly group: (characters: string) => string
}

/**
 * What a number field shows after an edit, with the caret behind the same character as before.
 *
 * @param before what it showed until then
 * @param deleting whether the edit was a backspace: over a space it takes the character before it
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

/** IBANs: capital letters and digits, in fours. */
export const ibanGrouping: Grouping = {
  charactersOf: (text) => text.toUpperCase().replace(/[^A-Z\d]/g, ''),
  group: (characters) => characters.slice(0, ibanLengthMax).replace(/.{4}(?=.)/g, '$& '),
}

/** Portuguese numbers, in threes; those of other countries have groups of their own, and stay as they are typed. */
export const phoneGrouping: Grouping = {
  charactersOf: (text) => text.replace(/[^\d+]/g, ''),
  group: (characters) => {
    const [, code = '', number = ''] = /^(\+351)?(.*)$/.exec(characters) ?? []
    return [code, number.replace(/\d{3}(?=\d)/g, '$& ')].filter(Boolean).join(' ')
  },
}

/** Whether a phone number is grouped at all. */
export function isPortuguesePhone(text: string): boolean {
  return (
    /^(\+351)?[29]?\d{0,8}$/.test(phoneGrouping.charactersOf(text)) && !/[^\d+\s]/.test(withoutMarks(text))
  )
}

/** Whether `text` can be an IBAN: a country, two check digits that fit, and enough behind them (ISO 13616). */
export function isIban(text: string): boolean {
  const characters = ibanGrouping.charactersOf(text)
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(characters)) return false
  let remainder = 0
  for (const character of characters.slice(4) + characters.slice(0, 4)) {
    // Letters count as 10 to 35.
    for (const digit of Number.parseInt(character, 36).toString())
      remainder = (remainder * 10 + Number(digit)) % 97
  }
  return remainder === 1
}
