// Refunds in memory: once per key, at most the payment.
import type { RefundAnswer, RefundsPayments } from '../../../src/rails/index.ts'

/** `paid`: the amount under a key, or undefined. */
export function memoryRefunds(paid: (key: string) => bigint | undefined): RefundsPayments {
  const answers = new Map<string, RefundAnswer>()
  const returned = new Map<string, bigint>()

  function decide(of: string, amount: bigint): RefundAnswer {
    const total = paid(of)
    if (total === undefined) return { kind: 'declined', reason: 'unknown_payment' }
    const before = returned.get(of) ?? 0n
    if (before + amount > total) return { kind: 'declined', reason: 'amount_exceeds_remaining' }
    returned.set(of, before + amount)
    return { kind: 'approved', reference: `R${answers.size}` }
  }

  return {
    async refund({ key, of, amount }) {
      const answer = answers.get(key) ?? decide(of, amount)
      answers.set(key, answer)
      return answer
    },
    inquireRefund: async (key) => answers.get(key) ?? { kind: 'not_found' },
  }
}
