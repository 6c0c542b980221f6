// The USERERROR callback of a wrong payment (SPEC.md MB user error).
import { type NewEvent, operationCallback, operationCallbackExample } from '../../callbacks/index.ts'
import type { DescribedWebhook } from '../../http/index.ts'
import type { Instant } from '../../kernel/time.ts'
import { userErrorCallbackSchema } from '../../operations/for-methods.ts'
import type { Operation } from '../../operations/index.ts'
import type { ReferencePayment } from '../../rails/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { BankReference, UserError } from './model.ts'

export interface WrongPayment {
  readonly payment: ReferencePayment
  readonly reference: BankReference
  /** Undefined for a recurring reference, because a refused payment opens no operation there. */
  readonly operation: Operation | undefined
  readonly userError: UserError
  readonly at: Instant
}

export function userErrorEvent(wrong: WrongPayment, wallet: Wallet, eventId: string): NewEvent {
  const { reference, operation, userError, at } = wrong
  const url = operation?.callbackUrl
  const fields = operation === undefined ? recurringFields(wrong) : operationFields(operation)
  const payload = { ...fields, mb_entity: reference.entity, mb_ref: reference.ref, user_error: userError }
  return {
    id: eventId,
    walletId: reference.walletId,
    kind: 'operation',
    subject: operation?.id ?? reference.id,
    event: 'USERERROR',
    payload,
    url,
    endpoint: url === undefined ? 'wallet' : 'operation',
    hasEndpoint: url !== undefined || wallet.callbackUrl !== null,
    createdAt: at,
  }
}

function operationFields(operation: Operation): Record<string, unknown> {
  return operationCallback({ ...operation, event: 'USERERROR', operationStatus: operation.status })
}

function recurringFields({ reference, payment, at }: WrongPayment): Record<string, unknown> {
  const { extInvoiceId, extEmail, extCustomerId } = reference
  const fields = operationCallback({
    id: reference.id,
    walletId: reference.walletId,
    type: 'PAYMENT',
    operationStatus: 'FAIL',
    event: 'USERERROR',
    method: 'MB',
    amount: payment.amount,
    currency: 'EUR',
    extInvoiceId,
    extEmail,
    extCustomerId,
    createdAt: at,
    modifiedAt: at,
  })
  return { ...fields, operation_id: null, operation_status: null, reference_id: reference.id }
}

const wrongly = { event: 'USERERROR', method: 'MB', mb_entity: '21312', mb_ref: '123456789' } as const

export const webhooks: Readonly<Record<string, DescribedWebhook>> = {
  userError: {
    summary: 'A reference was paid wrongly',
    description:
      'Sent on the first day of a reference, before the network knows its limits. The payment was refused and the customer keeps the money. From the second day the network refuses wrong payments without a callback.',
    body: userErrorCallbackSchema,
    examples: {
      badamount: {
        summary: 'The amount was wrong',
        value: {
          ...operationCallbackExample,
          ...wrongly,
          operation_status: 'PENDING',
          user_error: 'badamount',
        },
      },
      duplicatepayment: {
        summary: 'The reference was paid before',
        value: {
          ...operationCallbackExample,
          ...wrongly,
          operation_status: 'COMPLETED',
          user_error: 'duplicatepayment',
        },
      },
    },
  },
}
