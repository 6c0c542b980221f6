// Small fields that many bodies and paths share: texts, words of an enumeration, identifiers.
import { Type } from 'typebox'
import { isUuid } from '../../kernel/ids.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { numberAsText } from './lenient.ts'
import { readAs } from './read-as.ts'

/** A text of at most `lengthMax` characters, or null for none. */
export function textSchema(lengthMax: number, options: object = {}) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: lengthMax, ...options })
}

/** A text of which an empty one is none. */
export function filledSchema(lengthMax: number) {
  return textSchema(lengthMax, readAs('filled'))
}

/** A merchant's own reference: a text, of which an empty one is none; a number is taken as its decimal text. */
export function referenceSchema(lengthMax: number) {
  return textSchema(lengthMax, { ...readAs('filled'), ...numberAsText })
}

const momentLengthMax = 40

/** A moment as `parseInstant` reads it; null or an empty text for none. */
export const momentSchema = textSchema(momentLengthMax, { minLength: 1, ...readAs('moment') })

const phoneLengthMax = 40
const phoneOptions = {
  description: 'With + and its country code, such as +351911234567.',
  ...readAs('phone'),
  ...numberAsText,
}

/** A phone number as `parsePhone` reads it, or null for none. */
export const phoneSchema = textSchema(phoneLengthMax, phoneOptions)

/** A phone number that must be there. */
export const requiredPhoneSchema = Type.String({ maxLength: phoneLengthMax, ...phoneOptions })

/** A word of an enumeration, or an id, which is read in any case. */
export function wordSchema(options: object = {}) {
  return Type.String({ ...options, ...readAs('word') })
}

/** A word of which only one is possible, and which may therefore be left out, empty or null. */
export function impliedWordSchema(word: string) {
  return Type.Optional(textSchema(20, { ...readAs('word'), minLength: 1, default: word, description: word }))
}

/** Whether `sent` is the word of an {@link impliedWordSchema}. Refusals: invalid_parameter naming `field`. */
export function parseImpliedWord(sent: string | null | undefined, word: string, field: string): Result<void> {
  return (sent ?? word).toUpperCase() === word
    ? ok(undefined)
    : refuse('invalid_parameter', `${field} must be ${word}`)
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
