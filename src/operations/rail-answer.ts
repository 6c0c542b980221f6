// What a rail said about a movement, in the words of movements.
import type { AcquirerAnswer } from '../rails/index.ts'

/** Only the first two are final. */
export type RailAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly reason: string }
  | { readonly kind: 'unclear' }
  | { readonly kind: 'not_found' }

/** What the acquirer said. */
export function railAnswerOf(answer: AcquirerAnswer | { readonly kind: 'not_found' }): RailAnswer {
  if (answer.kind === 'declined') return { kind: 'declined', reason: answer.decline }
  return { kind: answer.kind }
}
