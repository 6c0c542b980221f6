// What a parser may answer: a value, or a refusal that says what would be right.
import type { Result } from '../../../../src/kernel/result.ts'

/** Whether it is read, or refused with a reason of a sentence's length that shows nothing of the program. */
export function isTrustworthy(read: Result<unknown>): boolean {
  if (read.ok) return true
  const { kind, reason } = read.refusal
  return (
    typeof kind === 'string' &&
    reason.length > 3 &&
    reason.length < 1000 &&
    !/\bat .+:\d+|Error:/.test(reason)
  )
}
