// Callbacks of operations for the API reference.

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

const commonFields = {
  amount: amountField('Amount of the operation; negative for refunds.'),
  create_date: momentField('Moment of creation.'),
  currency: currencyField,
  ext_customerid: textOrNull("The merchant's reference of the customer."),
  ext_email: textOrNull("The customer's e-mail address, for reference."),
  ext_invoiceid: textOrNull("The merchant's reference of the transaction."),
  // The schema has a name, because code generators invent one such as `MethodType1` for a nullable
  // enumeration.
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
    { description: 'Payment method; null if the customer had not chosen one.' },
  ),
  modified_date: momentField('Moment of the change.'),
  user: Type.Integer({ description: 'Number of the wallet.' }),
  type: wordField(operationTypes, 'Type of the operation.'),
  checkout_id: Type.Optional(idField('The checkout of the operation.')),
  parent_operation_id: Type.Optional(idField('The operation that it captures, releases or refunds.')),
  error: Type.Optional(Type.String({ description: 'Reason of the failure, in a word or two.' })),
}

const statuses = operationStatuses.filter((status) => status !== 'NEW')
const entityField = Type.String({ description: 'Entity of the bank reference: 5 digits.' })
const refField = Type.String({ description: 'The bank reference: 9 digits.' })

const operationCallbackSchema = Type.Object(
  {
    ...commonFields,
    event: wordField(statuses, 'The new status.'),
    operation_id: idField('The operation.'),
    operation_status: wordField(statuses, 'The same as `event`.'),
    mb_entity: Type.Optional(entityField),
    mb_ref: Type.Optional(refField),
  },
  { title: 'OperationCallback', description: 'An operation has a new status.' },
)

const uuidOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'uuid' }), Type.Null()], { description })

export const userErrorCallbackSchema = Type.Object(
  {
    ...commonFields,
    event: wordField(['USERERROR'], 'Always USERERROR.'),
    operation_id: uuidOrNull('The operation to pay by this reference; null for a reusable reference.'),
    operation_status: Type.Union([Type.String(), Type.Null()], {
      description: 'Unchanged status of that operation; null for a reusable reference.',
    }),
    reference_id: Type.Optional(idField('A reusable reference.')),
    mb_entity: entityField,
    mb_ref: refField,
    user_error: wordField(
      ['badamount', 'duplicatepayment'],
      'badamount: the customer paid a different amount. duplicatepayment: it was already paid.',
    ),
  },
  { title: 'UserErrorCallback', description: 'A customer tried to pay a reference and was refused.' },
)

const ofCheckout = { checkout_id: '0198c2f4-5d0c-7a11-8e2d-4b9c6a1f7e55' }
const reached = (status: string) => ({ event: status, operation_status: status })

export const webhooks: Readonly<Record<string, DescribedWebhook>> = {
  operation: {
    summary: 'An operation has a new status',
    description:
      'Sent for every status of payments, authorizations, captures and releases that a customer, a bank or a timer causes. Your own requests, such as refunds, send none unless the operator enables it.',
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
        summary: 'The customer cancelled',
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
