// Says on a field's schema which ways of writing a value the field's reader takes for one.

/**
 * A way of reading a field. Requests that are repeated under one idempotency key are compared by it: the text by which
 * all ways of writing are the same is made in idempotency/field-text.ts.
 */
export type ReadAs =
  /** `1`, `"1"`, `"1.00"`. */
  | 'number'
  /** `0.6`, `"3/5"`. */
  | 'fraction'
  /** Words and ids in any case. */
  | 'word'
  /** One second in any zone. */
  | 'moment'
  | 'phone'
  /** A number and its decimal text. */
  | 'decimal'
  /** Digits in groups. */
  | 'digits'
  /** Texts of which an empty one is none. */
  | 'filled'
  /** What other fields say already. */
  | 'implied'

export function readAs(how: ReadAs): { readonly 'x-read-as': ReadAs } {
  return { 'x-read-as': how }
}
