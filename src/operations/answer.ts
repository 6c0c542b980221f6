// An operation as the API answers it: the schema for the reference, and an example of which others are made.

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
    public_id: Type.Optional(Type.String({ description: "Of a merchant's wallet, where it is another's." })),
  },
  { title: 'Account', description: 'An account of the ledger.' },
)

const postingSchema = Type.Object(
  {
    debit: used(accountSchema, 'From where.'),
    credit: used(accountSchema, 'To where.'),
    amount: amountField('How much moves.'),
  },
  { title: 'Posting', description: 'A movement from one account of the ledger to another.' },
)

/** The lines of what was bought, as they were sent. */
export const shownItemSchema = Type.Object(
  {
    descr: Type.Optional(Type.String({ description: 'What it is.' })),
    name: Type.Optional(Type.String({ description: 'Its name.' })),
    ref: Type.Optional(
      Type.Union([Type.String(), Type.Number()], { description: "The merchant's own reference." }),
    ),
    qt: Type.Optional(
      Type.Number({ description: 'How many, or how much.', ...documented({ format: 'double' }) }),
    ),
    amount: Type.Optional(
      Type.Union([Type.Number(), Type.String()], { description: 'The price of one, in euros.' }),
    ),
  },
  { title: 'PaymentItem', description: 'A line of what was bought, as it was sent.' },
)

/** The customer as shown. */
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
              description: 'Postal code, where the customer typed it on a page of the gateway.',
              examples: ['1100-048'],
            }),
          ),
        },
        { description: 'Postal address.' },
      ),
    ),
  },
  { title: 'Customer', description: 'The customer, as the merchant sent and the customer completed it.' },
)

const merchantSchema = Type.Object(
  {
    id: Type.String({ description: 'Number of the wallet, as text.' }),
    name: Type.String({ description: 'Name that customers see.' }),
    email: Type.String({ description: 'E-mail address of the merchant.' }),
  },
  { title: 'Merchant', description: 'Who receives the money.' },
)

/** What is shown of a card in every answer that names one. */
export const cardSummaryFields = {
  last4: Type.String({ description: 'The last 4 digits of the number.', examples: ['0027'] }),
  bin: Type.String({ description: 'The first 6 digits of the number.', examples: ['417666'] }),
  type: Type.String({ description: 'The brand, in lower case.', examples: ['visa'] }),
  valdate: Type.String({
    description: 'The last month in which it pays, as MM/YYYY.',
    examples: ['12/2030'],
  }),
}

const paidCardSchema = Type.Object(
  {
    token: Type.Optional(Type.String({ description: 'Of the stored card that was used, in upper case.' })),
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
        balance: amountField('What it has of this payment: its share, less what was refunded of that.'),
        public_id: Type.String({ description: 'Public id of its wallet.' }),
      },
      { description: 'The wallet that receives the share.' },
    ),
    amount: Type.String({ description: 'What it received, after its fees; a text with 2 decimals.' }),
    fee_variable: Type.String({
      description: 'The variable fee of the marketplace; a text with 4 decimals.',
    }),
    fee_fixed: Type.String({ description: 'The fixed fee of the marketplace; a text with 2 decimals.' }),
  },
  { title: 'Share', description: 'The part of a sub-merchant.' },
)

const splitsSchema = Type.Object(
  {
    total: Type.Integer({ description: 'How many shares there are.' }),
    elements: Type.Array(shareSchema, { description: 'The shares.' }),
  },
  { description: 'How it was divided among sub-merchants.' },
)

const text = (description: string, ...examples: string[]) =>
  Type.Optional(Type.String({ description, ...(examples.length > 0 && { examples }) }))

/** Fields of an operation beyond those that each has. */
const sometimes = {
  ipaddress: text('Address from which the customer paid.', '203.0.113.7'),
  channel: Type.Optional(
    wordField(
      channels,
      'Where it came from. WEBSITE: a checkout. API, BACKOFFICE: a program or a person. SCHEDULE: a payout by schedule. SPLIT: a share of a payment. BANK, RAIL: what a bank or a provider reported.',
    ),
  ),
  expires: Type.Optional(
    momentField('Until when it can be paid; of an authorization until when it can be captured.'),
  ),
  starts: Type.Optional(momentField('From when an instant reference can be paid.')),
  instant: Type.Optional(Type.Boolean({ description: 'Whether its bank reference is an instant one.' })),
  parent: Type.Optional(idField('The operation that this one captures, releases or refunds.')),
  payment_link_id: Type.Optional(idField('The payment link that led the customer to its checkout.')),
  notes: text('Remarks of the merchant.'),
  ext_invoiceid: text("The merchant's reference of the transaction."),
  ext_email: text("The customer's e-mail address, for reference."),
  ext_customerid: text("The merchant's reference of the customer."),
  ext_employee: text('Name of the employee.', 'Rui'),
  items: Type.Optional(Type.Array(shownItemSchema, { description: 'What was bought.' })),
  client: Type.Optional(shownClientSchema),
  merchant: Type.Optional(merchantSchema),
  card: Type.Optional(paidCardSchema),
  mb: Type.Optional(
    Type.Object(
      {
        entity: Type.String({ description: 'Entity of the bank reference: 5 digits.', examples: ['21312'] }),
        ref: Type.String({ description: 'The bank reference: 9 digits.', examples: ['123456789'] }),
      },
      { description: 'The bank reference by which it is paid.' },
    ),
  ),
  mbway: Type.Optional(
    Type.Object(
      { phone: Type.String({ description: 'Phone number in E.164.', examples: ['+351911234567'] }) },
      { description: 'The phone that was asked.' },
    ),
  ),
  callback: text('Where its callbacks go, where that is not the address of the wallet.'),
  cardsecure_url_confirm: text('Where the customer goes when it completes.'),
  cardsecure_url_cancel: text('Where the customer goes when it fails.'),
  cardsecure_url_redirect: text(
    'Send the customer here: it completes when they have authenticated by 3-D Secure 2.',
  ),
  splits: Type.Optional(splitsSchema),
  dry_run: Type.Optional(Type.Literal(true, { description: 'Nothing was done: this is what would be.' })),
  calculation: Type.Optional(
    Type.Unsafe<object>({
      type: 'object',
      description: 'Of a dry run: how the amounts come about, in euros as texts.',
    }),
  ),
  postings: Type.Optional(Type.Array(postingSchema, { description: 'Of a dry run: what would be booked.' })),
}

/** The fields of an operation as it is written; those without a value are left out. */
export const operationFields = {
  id: idField('Identifies the operation.'),
  type: wordField(
    operationTypes,
    "What it is: a payment, a reserved amount (AUTH), what was taken or given up of one (CAPTURE, RELEASE), a refund, a seller's share of a payment (USERTRANSFER), or a payout (WALLETFUNDS).",
  ),
  status: wordField(
    operationStatuses,
    'NEW: nothing chosen yet. PENDING: somebody is to act, or an answer is awaited. COMPLETED, FAIL and VOIDED are final.',
  ),
  method: Type.Optional(wordField(methods, 'How it is paid; absent until the customer has chosen.')),
  amount: amountField('Negative for refunds.'),
  amount_net: amountField('The amount with the fee taken off.'),
  fee: amountField('The fee of the gateway: negative, or 0.'),
  currency: currencyField,
  refundable: Type.Boolean({ description: 'Whether something of it can be refunded now.' }),
  date: momentField('When it was made.'),
  modified_date: momentField('When it changed last.'),
  ...sometimes,
}

/** An operation as it is written, for the API reference. */
export const operationSchema = Type.Object(operationFields, {
  title: 'Operation',
  description: 'A movement of money.',
  additionalProperties: true,
})

/** What the examples of operations have in common: a payment of the demo shop. */
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

/** A payment by the card API. */
export const cardPaymentExample = {
  ...operationExample,
  channel: 'API',
  ext_invoiceid: '2026-0042',
  card: shownCard,
  callback,
  cardsecure_url_confirm: 'https://shop.example/thanks',
  cardsecure_url_cancel: 'https://shop.example/cart',
}

/** What was made of it: a refund, a capture or a release. */
export const followUpExample = {
  ...operationExample,
  id: '0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30',
  channel: 'API',
  parent: operationExample.id,
  card: shownCard,
  callback,
}
