// Small fields that many bodies and paths share: texts, words of an enumeration, identifiers.
import { Type } from 'typebox'
import { isUuid } from '../kernel/ids.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { readAs } from './reads-as.ts'

/** A text of at most `lengthMax` characters, or null for none. */
export function textSchema(lengthMax: number, options: object = {}) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: lengthMax, ...options })
}

/** A text of which an empty one is none. */
export function filledSchema(lengthMax: number) {
  return textSchema(lengthMax, readAs('filled'))
}

const momentLengthMax = 40

/** A moment as `parseInstant` reads it, or null for none. */
export const momentSchema = textSchema(momentLengthMax, readAs('moment'))

/** A word of an enumeration, or an id, which is read in any case. */
export function wordSchema(options: object = {}) {
  return Type.String({ ...options, ...readAs('word') })
}

/** True or false, false where it is null or not there. */
export const flagSchema = Type.Unsafe<boolean | null>({ type: ['boolean', 'null'], default: false })

/**
 * The identifier in a path, in lower case. Refusals: not_found for what is no UUID, as for one that was
 * never given out.
 */
export function idOf(text: string, noun: string): Result<string> {
  return isUuid(text)
    ? ok(text.toLowerCase())
    : refuse('not_found', `there is no such ${noun}: its id is a UUID`)
}
