// Captures and releases at the sandbox's acquirer.
import { toTimestamp } from '../../src/kernel/time.ts'
import type { AcquirerAnswer, FollowUp, Release } from '../../src/rails/index.ts'
import { answerOf, neverAnswer, referenceOf, unlessAborted } from './answers.ts'
import type { AcquirerContext } from './context.ts'
import {
  type FollowUpDecision,
  type FollowUpKind,
  type FollowUpRow,
  recordFollowUps,
} from './follow-ups-store.ts'

/**
 * Decides once for each key, within the held amount. For a silent card it stores the decision and sends no answer.
 */
export function createFollowUps({
  database,
  clock,
  random,
}: AcquirerContext): (
  kind: FollowUpKind,
  request: FollowUp | Release,
  signal?: AbortSignal,
) => Promise<AcquirerAnswer> {
  const record = unlessAborted<FollowUpRow, FollowUpDecision>(
    database,
    ({ original }) => original,
    recordFollowUps,
  )

  return async (kind, { key, original, merchant, amount, currency }, signal) => {
    const decision = await record(
      {
        key: key.toLowerCase(),
        original: original.toLowerCase(),
        kind,
        merchant_id: merchant.id,
        amount: amount === 'all' ? null : amount,
        currency,
        reference: referenceOf(random),
        decided_at: toTimestamp(clock.now()),
      },
      signal,
    )
    return decision.silent ? neverAnswer() : answerOf({ ...decision, approval_code: null })
  }
}
