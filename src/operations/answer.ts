// Operation schemas for the API reference, with a common example.

import { Type } from 'typebox'
import {
  amountField,
  currencyField,
  documented,
  exampleId,
  exampleMoment,
  idField,
  momentField,
  used,
  wordField,
} from '../http/index.ts'
import { exampleMethod, methods } from '../methods/list.ts'
import { channels, operationStatuses, operationTypes } from './model.ts'

const accountSchema = Type.Object(
  {
    account: Type.String({
      description: 'merchant, consumer, fees, or clearing: and the method of the rail',
      examples: ['merchant'],
    }),
    public_id: Type.Optional(
      Type.String({ description: "Public id of the wallet, if the account is another wallet's." }),
    ),
  },
  { title: 'Account', description: 'An account of the ledger.' },
)

const postingSchema = Type.Object(
  {
    debit: used(accountSchema, 'Account that is debited.'),
    credit: used(accountSchema, 'Account that is credited.'),
    amount: amountField('Amount in euros.'),
  },
  { title: 'Posting', description: 'One posting of the ledger.' },
)

export const shownItemSchema = Type.Object(
  {
    descr: Type.Optional(Type.String({ description: 'Description of the item.' })),
    name: Type.Optional(Type.String({ description: 'Name of the item.' })),
    ref: Type.Optional(
      Type.Union([Type.String(), Type.Number()], { description: 'Your reference of the item.' }),
    ),
    qt: Type.Optional(
      Type.Number({
        description: 'Quantity. Goods by weight have decimals.',
        ...documented({ format: 'double' }),
      }),
    ),
    amount: Type.Optional(
      Type.Union([Type.Number(), Type.String()], { description: 'Unit price in euros.' }),
    ),
  },
  { title: 'PaymentItem', description: 'A line of the purchase, as it was sent.' },
)

export const shownClientSchema = Type.Object(
  {
    name: Type.Optional(Type.String({ description: 'Name of the customer.' })),
    email: Type.Optional(Type.String({ description: 'E-mail address.' })),
    phone: Type.Optional(Type.String({ description: 'Phone number in E.164, such as +351911234567.' })),
    address: Type.Optional(
      Type.Object(
        {
          address: Type.Optional(
            Type.String({ description: 'Street and door number.', examples: ['Rua Augusta 1'] }),
          ),
          city: Type.Optional(Type.String({ description: 'City.', examples: ['Lisboa'] })),
          country: Type.Optional(
            Type.String({ description: 'ISO 3166-1 alpha-2 code, such as PT.', examples: ['PT'] }),
          ),
          postalcode: Type.Optional(
            Type.String({
              description: 'Postal code, if the customer typed it on a page of the gateway.',
              examples: ['1100-048'],
            }),
          ),
        },
        { description: 'Postal address.' },
      ),
    ),
  },
  { title: 'Customer', description: 'The customer: data from the merchant, completed by the customer.' },
)

const merchantSchema = Type.Object(
  {
    id: Type.String({ description: 'Number of the wallet, as text.' }),
    name: Type.String({ description: 'Name that customers see.' }),
    email: Type.String({ description: 'E-mail address of the merchant.' }),
  },
  { title: 'Merchant', description: 'The merchant that receives the money.' },
)

export const cardSummaryFields = {
  last4: Type.String({ description: 'The last 4 digits of the number.', examples: ['0027'] }),
  bin: Type.String({ description: 'The first 6 digits of the number.', examples: ['417666'] }),
  type: Type.String({ description: 'The brand, in lower case.', examples: ['visa'] }),
  valdate: Type.String({
    description: 'Expiry month, as MM/YYYY.',
    examples: ['12/2030'],
  }),
}

const paidCardSchema = Type.Object(
  {
    token: Type.Optional(Type.String({ description: 'Token of the stored card, in upper case.' })),
    ...cardSummaryFields,
  },
  { title: 'PaidCard', description: 'The card that was used.' },
)

const shareSchema = Type.Object(
  {
    merchant_wallet: Type.Object(
      {
        currency: currencyField,
        name: Type.Optional(Type.String({ description: 'Name of the sub-merchant.' })),
        balance: amountField('Share of this payment, less refunds of the share.'),
        public_id: Type.String({ description: 'Public id of its wallet.' }),
      },
      { description: 'The wallet that receives the share.' },
    ),
    amount: Type.String({
      description: 'Amount that the sub-merchant received, after fees. Text with 2 decimals.',
    }),
    fee_variable: Type.String({
      description: 'Variable fee of the marketplace. Text with 4 decimals.',
    }),
    fee_fixed: Type.String({ description: 'Fixed fee of the marketplace. Text with 2 decimals.' }),
  },
  { title: 'Share', description: 'The share of one sub-merchant.' },
)

const splitsSchema = Type.Object(
  {
    total: Type.Integer({ description: 'Number of shares.' }),
    elements: Type.Array(shareSchema, { description: 'The shares.' }),
  },
  { description: 'How the payment is divided among sub-merchants.' },
)

const text = (description: string, ...examples: string[]) =>
  Type.Optional(Type.String({ description, ...(examples.length > 0 && { examples }) }))

const sometimes = {
  ipaddress: text('Address from which the customer paid.', '203.0.113.7'),
  channel: Type.Optional(
    wordField(
      channels,
      'Origin. WEBSITE: a checkout. API, BACKOFFICE: a program or a person. SCHEDULE: a payout by schedule. SPLIT: a share of a payment. BANK, RAIL: a report of a bank or a provider.',
    ),
  ),
  expires: Type.Optional(momentField('Last moment to pay it; for an authorization, to capture it.')),
  starts: Type.Optional(momentField('First moment to pay an instant reference.')),
  instant: Type.Optional(Type.Boolean({ description: '`true` for an instant bank reference.' })),
  parent: Type.Optional(idField('The operation that this one captures, releases or refunds.')),
  payment_link_id: Type.Optional(idField('The payment link that opened the checkout.')),
  notes: text('Remarks of the merchant.'),
  ext_invoiceid: text("The merchant's reference of the transaction."),
  ext_email: text("The customer's e-mail address, for reference."),
  ext_customerid: text("The merchant's reference of the customer."),
  ext_employee: text('Name of the employee.', 'Rui'),
  items: Type.Optional(Type.Array(shownItemSchema, { description: 'Lines of the purchase.' })),
  client: Type.Optional(shownClientSchema),
  merchant: Type.Optional(merchantSchema),
  card: Type.Optional(paidCardSchema),
  mb: Type.Optional(
    Type.Object(
      {
        entity: Type.String({ description: 'Entity of the bank reference: 5 digits.', examples: ['21312'] }),
        ref: Type.String({ description: 'The bank reference: 9 digits.', examples: ['123456789'] }),
      },
      { description: 'The bank reference for this payment.' },
    ),
  ),
  mbway: Type.Optional(
    Type.Object(
      { phone: Type.String({ description: 'Phone number in E.164.', examples: ['+351911234567'] }) },
      { description: 'The phone that received the request.' },
    ),
  ),
  callback: text("Address for the callbacks of this operation, if it differs from the wallet's address."),
  cardsecure_url_confirm: text("The customer's browser goes here when the operation completes."),
  cardsecure_url_cancel: text("The customer's browser goes here when the operation fails."),
  cardsecure_url_redirect: text(
    'Send the customer to this address for 3-D Secure 2. The operation completes after that.',
  ),
  splits: Type.Optional(splitsSchema),
  dry_run: Type.Optional(
    Type.Literal(true, { description: '`true`: this is a preview; nothing was changed.' }),
  ),
  calculation: Type.Optional(
    Type.Unsafe<object>({
      type: 'object',
      description: 'Only in a dry run: how the amounts are computed, in euros as texts.',
    }),
  ),
  postings: Type.Optional(
    Type.Array(postingSchema, { description: 'Only in a dry run: the postings it would write.' }),
  ),
}

export const operationFields = {
  id: idField('Id of the operation.'),
  type: wordField(
    operationTypes,
    "Type: PAYMENT, REFUND, AUTH (an amount on hold), CAPTURE, RELEASE, USERTRANSFER (a sub-merchant's share) or WALLETFUNDS (a payout).",
  ),
  status: wordField(
    operationStatuses,
    'NEW: no method chosen yet. PENDING: the customer or the network has not decided yet. COMPLETED, FAIL and VOIDED are final.',
  ),
  method: Type.Optional(wordField(methods, 'Payment method; absent until the customer has chosen.')),
  amount: amountField('Negative for refunds.'),
  amount_net: amountField('The amount less the fee.'),
  fee: amountField('The fee of the gateway: negative, or 0.'),
  currency: currencyField,
  refundable: Type.Boolean({ description: '`true` if a part of it can be refunded now.' }),
  date: momentField('Moment of creation.'),
  modified_date: momentField('Moment of the last change.'),
  ...sometimes,
}

export const operationSchema = Type.Object(operationFields, {
  title: 'Operation',
  description: 'A movement of money.',
  additionalProperties: true,
})

export const operationExample = {
  id: exampleId,
  type: 'PAYMENT',
  status: 'COMPLETED',
  method: exampleMethod,
  amount: 10.5,
  amount_net: 10.24,
  fee: -0.26,
  currency: 'EUR',
  refundable: true,
  date: exampleMoment,
  modified_date: exampleMoment,
  merchant: { id: '1000', name: 'Demo Shop', email: 'shop@demo.example' },
}

const shownCard = { last4: '0027', bin: '417666', type: 'visa', valdate: '12/2030' }
const callback = 'https://shop.example/callbacks'

export const cardPaymentExample = {
  ...operationExample,
  channel: 'API',
  ext_invoiceid: '2026-0042',
  card: shownCard,
  callback,
  cardsecure_url_confirm: 'https://shop.example/thanks',
  cardsecure_url_cancel: 'https://shop.example/cart',
}

export const followUpExample = {
  ...operationExample,
  id: '0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30',
  channel: 'API',
  parent: operationExample.id,
  card: shownCard,
  callback,
}
