// The callbacks of operations as the API reference shows them.

import { Type } from 'typebox'
import { operationCallbackExample } from '../callbacks/index.ts'
import {
  amountField,
  currencyField,
  type DescribedWebhook,
  exampleId,
  idField,
  momentField,
  wordField,
} from '../http/index.ts'
import { methods } from '../methods/list.ts'
import { operationStatuses, operationTypes } from './model.ts'

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** What every callback of an operation says of it. */
const commonFields = {
  amount: amountField('Amount of the operation; negative for refunds.'),
  create_date: momentField('When the operation was made.'),
  currency: currencyField,
  ext_customerid: textOrNull("The merchant's reference of the customer."),
  ext_email: textOrNull("The customer's e-mail address, for reference."),
  ext_invoiceid: textOrNull("The merchant's reference of the transaction."),
  // A schema with a name: of a nullable enumeration without one, generators make up a name such as `MethodType1`.
  method: Type.Union(
    [
      Type.Unsafe<string>({
        title: 'PaymentMethod',
        type: 'string',
        enum: [...methods],
        description: 'A payment method.',
      }),
      Type.Null(),
    ],
    { description: 'How it is paid; null where the customer had not chosen.' },
  ),
  modified_date: momentField('When it changed.'),
  user: Type.Integer({ description: 'Number of the wallet.' }),
  type: wordField(operationTypes, 'What the operation is.'),
  checkout_id: Type.Optional(idField('The checkout it belongs to.')),
  parent_operation_id: Type.Optional(idField('The operation that it captures, releases or refunds.')),
  error: Type.Optional(Type.String({ description: 'Why it failed, in a word or two.' })),
}

const statuses = operationStatuses.filter((status) => status !== 'NEW')
const entityField = Type.String({ description: 'Entity of the bank reference: 5 digits.' })
const refField = Type.String({ description: 'The bank reference: 9 digits.' })

const operationCallbackSchema = Type.Object(
  {
    ...commonFields,
    event: wordField(statuses, 'The status that was reached.'),
    operation_id: idField('The operation.'),
    operation_status: wordField(statuses, 'The same as `event`.'),
    mb_entity: Type.Optional(entityField),
    mb_ref: Type.Optional(refField),
  },
  { title: 'OperationCallback', description: 'An operation has reached a status.' },
)

const uuidOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'uuid' }), Type.Null()], { description })

/** The callback USERERROR, which the module of bank references sends. */
export const userErrorCallbackSchema = Type.Object(
  {
    ...commonFields,
    event: wordField(['USERERROR'], 'Always USERERROR.'),
    operation_id: uuidOrNull(
      'The operation that the reference is to pay; null where it can be paid many times.',
    ),
    operation_status: Type.Union([Type.String(), Type.Null()], {
      description: 'Status of that operation, which has not changed; null where there is none.',
    }),
    reference_id: Type.Optional(idField('A reference that can be paid many times.')),
    mb_entity: entityField,
    mb_ref: refField,
    user_error: wordField(
      ['badamount', 'duplicatepayment'],
      'badamount: another amount than was asked for. duplicatepayment: it had been paid.',
    ),
  },
  { title: 'UserErrorCallback', description: 'A customer paid a reference wrongly, and was refused.' },
)

const ofCheckout = { checkout_id: '0198c2f4-5d0c-7a11-8e2d-4b9c6a1f7e55' }
const reached = (status: string) => ({ event: status, operation_status: status })

/** Callbacks of every operation. */
export const webhooks: Readonly<Record<string, DescribedWebhook>> = {
  operation: {
    summary: 'An operation has reached a status',
    description:
      'Sent for every status of payments, authorizations, captures and releases that customers, banks and timers bring about. What you did yourself and were answered at once, such as a refund, is sent only where the operator has switched that on.',
    body: operationCallbackSchema,
    examples: {
      COMPLETED: {
        summary: 'A payment on a checkout was made',
        value: { ...operationCallbackExample, ...ofCheckout },
      },
      PENDING: {
        summary: 'A customer chose a bank reference on a checkout',
        value: {
          ...operationCallbackExample,
          ...reached('PENDING'),
          method: 'MB',
          ...ofCheckout,
          mb_entity: '21312',
          mb_ref: '123456789',
        },
      },
      FAIL: {
        summary: 'The customer gave up',
        value: {
          ...operationCallbackExample,
          ...reached('FAIL'),
          method: null,
          ...ofCheckout,
          error: 'cancelled',
        },
      },
      CAPTURE: {
        summary: 'An authorization was captured',
        value: {
          ...operationCallbackExample,
          type: 'CAPTURE',
          amount: 5,
          operation_id: '0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30',
          parent_operation_id: exampleId,
        },
      },
    },
  },
}
