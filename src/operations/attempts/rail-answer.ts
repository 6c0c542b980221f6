// What a rail said about a request, in the same words for every rail.

/** Only the first two are final. */
export type RailAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly reason: string }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'not_found' }

/**
 * What an acquirer or another rail said, in its own words for a decline. Under a key that was cancelled before
 * anything arrived there is nothing: whoever cancelled it says what becomes of the movement.
 */
export function railAnswerOf(
  answer:
    | { readonly kind: 'approved' | 'unclear' | 'not_found' }
    | { readonly kind: 'declined'; readonly decline: string },
): RailAnswer {
  if (answer.kind !== 'declined') return { kind: answer.kind }
  const { decline } = answer
  return decline === 'cancelled' || decline === 'withdrawn'
    ? { kind: 'not_found' }
    : { kind: 'declined', reason: decline }
}
