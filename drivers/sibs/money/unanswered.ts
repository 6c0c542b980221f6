// Cancelling a checkout that nobody has paid: SPG has no verb of its own for it, and does not promise that it works.
import { cents } from '../../../src/kernel/money.ts'
import type { Spg } from '../requests.ts'
import { merchantTransactionIdOf } from '../rules.ts'

/** After our id of the payment. */
const suffix = 'w'

export interface Unanswered {
  readonly key: string
  /** SPG's id of the checkout. */
  readonly transactionId: string
  /** Of the checkout, whole: where a payment came before, it is undone whole. */
  readonly amount: string
}

/** @returns whether SPG cancelled it: then nothing is taken, whatever the customer does */
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

/** Whether SPG cancelled it, where the answer was lost. */
export async function wasCancelled(
  { client }: Spg,
  key: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const id = merchantTransactionIdOf(key, suffix)
  const reply = await client.get(`/payments/status?merchantTransactionId=${id}`, signal)
  return reply.kind === 'taken' && reply.body.paymentStatus === 'Success'
}
