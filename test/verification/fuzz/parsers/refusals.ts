// Allowed results of a parser: a value, or a helpful refusal.
import type { Result } from '../../../../src/kernel/result.ts'

/** Whether the result is a value, or a refusal of one sentence without internals. */
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
