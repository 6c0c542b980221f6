// Refunds at the sandbox's acquirer.
import { toTimestamp } from '../../src/kernel/time.ts'
import type { AcquirerAnswer, FollowUp } from '../../src/rails/index.ts'
import { answerOf, neverAnswer, referenceOf, unlessAborted } from './answers.ts'
import type { AcquirerContext } from './context.ts'
import type { FollowUpDecision } from './follow-ups-store.ts'
import { type RefundRow, recordRefunds } from './refunds-store.ts'

/**
 * Decides once for each key, within the paid amount. For a silent card it stores the decision and sends no answer.
 */
export function createRefunds({
  database,
  clock,
  random,
}: AcquirerContext): (request: FollowUp, signal?: AbortSignal) => Promise<AcquirerAnswer> {
  const record = unlessAborted<RefundRow, FollowUpDecision>(
    database,
    ({ original }) => original,
    recordRefunds,
  )

  return async ({ key, original, merchant, amount, currency }, signal) => {
    const decision = await record(
      {
        key: key.toLowerCase(),
        original: original.toLowerCase(),
        merchant_id: merchant.id,
        amount,
        currency,
        reference: referenceOf(random),
        decided_at: toTimestamp(clock.now()),
      },
      signal,
    )
    return decision.silent ? neverAnswer() : answerOf({ ...decision, approval_code: null })
  }
}
