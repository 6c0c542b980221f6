// The meaning of SPG's answers. If a status is not certain, the payment stays undecided.
import type { AcquirerAnswer, UnknownAnswer, WalletPaymentAnswer } from '../../src/rails/index.ts'

/** Whether the code means that SPG itself failed. The payment then stays undecided. */
export function isTechnical(code: string): boolean {
  return /^(T9999|12\.110\.(120[3-9]|13\d\d)|00\.110\.1601)$/.test(code)
}

export function isUnknown(code: string): boolean {
  return code === 'E0506' || code === 'E0507'
}

export function merchantTransactionIdOf(key: string, suffix = ''): string {
  return key.replaceAll('-', '') + suffix
}

export function keyOf(merchantTransactionId: string): string | undefined {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})[a-z]?$/.exec(
    merchantTransactionId,
  )
  return parts?.slice(1).join('-')
}

export function phoneOf(e164: string): string {
  const countryCode =
    /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/.exec(e164)?.[1] ?? ''
  return `${countryCode}#${e164.slice(1 + countryCode.length)}`
}

export interface PaymentAsked {
  readonly intent: 'sale' | 'hold'
  readonly amount: bigint
  readonly isOver: boolean
  readonly isLongOver: boolean
  /** With a mandate, SPG does not say whether the customer is asked. */
  readonly isUnderMandate: boolean
}

export interface PaymentStatus {
  readonly status: string | undefined
  readonly type: string | undefined
  readonly method: string | undefined
  readonly amount: bigint | undefined
  readonly transactionId: string
}

/** `not purchased`: SPG did not ask the customer. */
export function paymentAnswer(
  asked: PaymentAsked,
  { status, type, method, amount, transactionId }: PaymentStatus,
): WalletPaymentAnswer | UnknownAnswer | 'not purchased' {
  switch (status) {
    case 'Success': {
      const wanted = asked.intent === 'hold' ? 'AUTH' : 'PURS'
      if (type !== wanted || amount !== asked.amount)
        return { kind: 'unknown', why: 'SIBS reports another payment than was asked for' }
      return { kind: 'approved', reference: transactionId, byMandate: method === 'MANDATE' }
    }
    case 'Pending':
    case 'InProcessing':
    case 'Partial':
      if (asked.isLongOver) return { kind: 'declined', decline: 'expired', mayArrive: true }
      return method === undefined ? 'not purchased' : undecided(asked)
    case 'Declined':
      return { kind: 'declined', decline: 'refused' }
    case 'Expired':
      return { kind: 'declined', decline: 'expired' }
    case 'Timeout':
      if (asked.isOver) return { kind: 'declined', decline: 'expired', mayArrive: true }
      break
    case 'Error':
      if (asked.isOver) return { kind: 'declined', decline: 'refused', mayArrive: true }
      break
  }
  return { kind: 'unknown', why: `SIBS reports the status ${status ?? 'none'}` }
}

export function undecided({
  isUnderMandate,
}: Pick<PaymentAsked, 'isUnderMandate'>): WalletPaymentAnswer | UnknownAnswer {
  return isUnderMandate
    ? { kind: 'unknown', why: 'SIBS has not decided about the mandate yet' }
    : { kind: 'waiting' }
}

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
