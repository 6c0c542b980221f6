// Small fields that many bodies and paths share: texts, words of an enumeration, identifiers.
import { Type } from 'typebox'
import { isUuid } from '../kernel/ids.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'

/** A text of at most `lengthMax` characters, or null for none. */
export function textSchema(lengthMax: number) {
  return Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: lengthMax })
}

/**
 * The identifier in a path, in lower case. Refusals: not_found for what is no UUID, as for one that was
 * never given out.
 */
export function idOf(text: string, noun: string): Result<string> {
  return isUuid(text)
    ? ok(text.toLowerCase())
    : refuse('not_found', `there is no such ${noun}: its id is a UUID`)
}
