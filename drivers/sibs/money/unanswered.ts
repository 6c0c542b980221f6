// Cancellation of an unpaid checkout, which SPG does not guarantee.
import { cents } from '../../../src/kernel/money.ts'
import type { Spg } from '../requests.ts'
import { merchantTransactionIdOf } from '../rules.ts'

const suffix = 'w'

export interface Unanswered {
  readonly key: string
  readonly transactionId: string
  /** The whole amount, in case a payment came first. */
  readonly amount: string
}

export async function cancelUnanswered(
  { client }: Spg,
  { key, transactionId, amount }: Unanswered,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const reply = await client.post(`/payments/${transactionId}/cancellation`, {
    body: {
      ...client.merchant(merchantTransactionIdOf(key, suffix)),
      ...client.transaction(cents(BigInt(amount))),
    },
    signal,
  })
  return reply.kind === 'taken' && reply.body.paymentStatus === 'Success'
}

export async function wasCancelled(
  { client }: Spg,
  key: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const id = merchantTransactionIdOf(key, suffix)
  const reply = await client.get(`/payments/status?merchantTransactionId=${id}`, signal)
  return reply.kind === 'taken' && reply.body.paymentStatus === 'Success'
}
