// What a rail said about a movement, in the words of movements.

/** Only the first two are final. */
export type RailAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly reason: string }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'not_found' }

/** What an acquirer or another rail said, in its own words for a decline. */
export function railAnswerOf(
  answer:
    | { readonly kind: 'approved' | 'unclear' | 'not_found' }
    | { readonly kind: 'declined'; readonly decline: string },
): RailAnswer {
  if (answer.kind === 'declined') return { kind: 'declined', reason: answer.decline }
  return { kind: answer.kind }
}
