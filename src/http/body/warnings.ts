// The header Warning of an answer: what was not taken as it was sent. Answers have exactly the fields of the specification (decision 0038).
import type { AppReply } from '../types.ts'

/** Enough to see what is wrong, and far from what a client takes as headers. */
export const warningsMax = 10

/** Adds warnings to the answer, at most ten together. */
export function warn(reply: AppReply, texts: readonly string[]): void {
  if (texts.length === 0) return
  const before = [reply.getHeader('warning') ?? []].flat().map(String)
  reply.header('warning', [...before, ...texts.map(warning)].slice(0, warningsMax))
}

/** Code 299 of RFC 7234, section 5.5: a warning that stands until the request is changed. */
function warning(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?')
  return `299 - "${printable.replace(/["\\]/g, '\\$&')}"`
}
