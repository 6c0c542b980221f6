// The meaning of SPG's status of a card payment.
import type { AcquirerAnswer } from '../../src/rails/index.ts'
import type { PaymentAsked, PaymentStatus } from './rules.ts'

/** `open`: the customer is still at the form. */
export function cardAnswer(
  asked: Pick<PaymentAsked, 'intent' | 'amount' | 'isOver'>,
  { status, type, amount, transactionId }: Omit<PaymentStatus, 'method'>,
): AcquirerAnswer | 'open' {
  const refused = { kind: 'declined', decline: 'do_not_honour' } as const
  switch (status) {
    case 'Success':
      if (type !== (asked.intent === 'hold' ? 'AUTH' : 'PURS') || amount !== asked.amount)
        return { kind: 'unknown', why: 'SIBS reports another payment than was asked for' }
      return { kind: 'approved', reference: transactionId }
    case 'Pending':
    case 'InProcessing':
    case 'Partial':
      return asked.isOver ? { kind: 'declined', decline: 'authentication_required', mayArrive: true } : 'open'
    case 'Declined':
      return refused
    case 'Expired':
      return { kind: 'declined', decline: 'authentication_required' }
    case 'Timeout':
    case 'Error':
      if (asked.isOver) return { ...refused, mayArrive: true }
      break
  }
  return { kind: 'unknown', why: `SIBS reports the status ${status ?? 'none'}` }
}
