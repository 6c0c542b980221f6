// The schemas of the card API.
import { type Static, Type } from 'typebox'
import {
  cardDataSchema,
  coerceNumberToString,
  currencySchema,
  type DescribedWebhook,
  described,
  documented,
  exampleId,
  flagOf,
  idField,
  impliedWordSchema,
  readAs,
  requestAmount,
  requestIdSchema,
  textSchema,
  used,
  wordField,
  wordSchema,
} from '../../../http/index.ts'
import { addressSchema } from '../../../operations/for-methods.ts'
import { cardSummaryFields } from '../../../operations/for-movements.ts'
import { clientSchema, itemsSchema, merchantReferenceFields, splitSchema } from '../../../operations/index.ts'
import { cards } from '../facts.ts'

const fieldLengthMax = 4096

const example = (examples: readonly string[]) => (examples.length > 0 ? { examples } : {})

const cardFields = (what: string, ...examples: string[]) => ({
  number: described(textSchema(fieldLengthMax, readAs('digits')), `Card number${what}.`, example(examples)),
  name: described(textSchema(fieldLengthMax), `Name on the card${what}.`, example(examples)),
  vcode: described(
    textSchema(fieldLengthMax),
    `Security code: 3 digits (American Express: 4)${what}.`,
    example(examples),
  ),
  valdate: described(textSchema(fieldLengthMax), `Expiry month, MM/YYYY${what}.`, example(examples)),
  email: Type.Optional(
    described(textSchema(100), 'E-mail address of the cardholder. Optional if `phone` is present.'),
  ),
  phone: Type.Optional(
    described(
      textSchema(40, { ...coerceNumberToString, ...readAs('pasted') }),
      'Phone number of the cardholder. Optional if `email` is present.',
    ),
  ),
  address: Type.Optional(
    used({ ...addressSchema, ...readAs('implied') }, 'Postal address of the cardholder. Not stored.'),
  ),
})

const cardForms = {
  newCard: Type.Optional(
    Type.Object(cardFields(''), {
      title: 'NewCard',
      description:
        'Plain card data. Requires the right `pci_dss` and a key with the permission `card_plain`.',
      ...cardDataSchema,
    }),
  ),
  newCardSecure: Type.Optional(
    Type.Object(cardFields(', encrypted by the secure form fields', 'eyJhbGciOiJFQ0RILUVTIiwi…'), {
      title: 'NewCardSecure',
      description: 'Card data, encrypted by the secure form fields in the customer’s browser.',
      ...cardDataSchema,
    }),
  ),
}

const address = (description: string) =>
  Type.String({ description, ...documented({ format: 'uri', examples: ['https://shop.example/thanks'] }) })

const addresses = {
  cardsecure_url_confirm: address('Address for the customer after success: absolute, https in production.'),
  cardsecure_url_cancel: address('Address for the customer after failure: absolute, https in production.'),
}

const plainCardExample = {
  number: '4176660000000027',
  name: 'Ana Silva',
  vcode: '123',
  valdate: '12/2030',
  email: 'ana@example.com',
}
const addressesExample = {
  cardsecure_url_confirm: 'https://shop.example/thanks',
  cardsecure_url_cancel: 'https://shop.example/cart',
}

export const paymentBody = Type.Object(
  {
    amount: requestAmount('Amount to pay or to reserve, in euros.'),
    currency: currencySchema,
    method: impliedWordSchema(cards.code),
    callback: Type.String({
      description: 'Address for the callbacks of this operation: absolute, https in production.',
      ...documented({ format: 'uri' }),
    }),
    ...addresses,
    ...merchantReferenceFields,
    ...cardForms,
    card: Type.Optional(
      Type.Object(
        {
          token: wordSchema({
            description: 'Token of a stored card of your wallet.',
            ...documented({ format: 'uuid' }),
          }),
        },
        { title: 'CardByToken', description: 'A stored card, authenticated when it was stored.' },
      ),
    ),
    items: Type.Optional(itemsSchema),
    client: Type.Optional(clientSchema),
    split: Type.Optional(splitSchema),
    instant: Type.Optional(flagOf('Accepted for compatibility; has no effect.')),
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'CardPaymentRequest',
    description: 'A card payment. Send exactly one of `newCard`, `newCardSecure` and `card`.',
    examples: [
      {
        amount: 10.5,
        currency: 'EUR',
        method: cards.code,
        callback: 'https://shop.example/callbacks',
        ...addressesExample,
        ext_invoiceid: '2026-0042',
        newCard: plainCardExample,
      },
    ],
  },
)

export const storeCardBody = Type.Object(
  {
    ...addresses,
    ...cardForms,
    request_id: Type.Optional(
      described(
        requestIdSchema,
        'Idempotency key, a UUID of your own. Required, here or as the header `Idempotency-Key`. The callback contains it.',
      ),
    ),
  },
  {
    title: 'StoreCardRequest',
    description: 'A card to store. Send exactly one of `newCard` and `newCardSecure`.',
    examples: [{ ...addressesExample, newCard: plainCardExample, request_id: exampleId }],
  },
)

export const storedCardSchema = Type.Object(
  {
    token: Type.String({
      description: 'Token of the card, in upper case.',
      examples: [exampleId.toUpperCase()],
    }),
    ...cardSummaryFields,
    expired: Type.Boolean({ description: 'Whether the card has expired.' }),
    verification_status: wordField(
      ['VERIFIED', 'UNVERIFIED'],
      'Whether the cardholder was authenticated at storing.',
    ),
    voided: Type.Boolean({ description: 'Whether the card was deleted. A deleted card cannot pay.' }),
    name: Type.Optional(Type.String({ description: 'Name on the card.' })),
  },
  { title: 'CreditCard', description: 'A stored card.' },
)

export const storedCardExample = {
  token: exampleId.toUpperCase(),
  last4: '0027',
  type: 'visa',
  valdate: '12/2030',
  expired: false,
  verification_status: 'VERIFIED',
  bin: '417666',
  voided: false,
  name: 'Ana Silva',
}

export const authenticationSchema = Type.Object(
  {
    cardsecure_url_redirect: Type.String({
      description: 'Address for the customer to authenticate (3-D Secure 2). The card is stored after that.',
    }),
  },
  { title: 'CardSecureResponse', description: 'The address for authentication.' },
)

export type PaymentBody = Static<typeof paymentBody>
export type StoreCardBody = Static<typeof storeCardBody>

const storedSchema = Type.Object(
  {
    type: Type.Literal('ADD_CARD', { description: 'Always ADD_CARD.' }),
    event: wordField(['COMPLETED', 'FAIL'], 'Result of storing the card.'),
    token: Type.Optional(
      Type.String({ description: 'Token of the card, in upper case. Only with COMPLETED.' }),
    ),
    request_id: idField('The `request_id` of the request to store the card.'),
  },
  { title: 'CardStoredCallback', description: 'The result of storing a card.' },
)

const failed = { type: 'ADD_CARD', event: 'FAIL', request_id: exampleId }

export const webhooks: Readonly<Record<string, DescribedWebhook>> = {
  cardStored: {
    summary: 'Result of storing a card',
    description: 'Sent to the wallet’s address for cards. Default: the wallet’s callback address.',
    body: storedSchema,
    examples: {
      COMPLETED: {
        summary: 'The card was stored',
        value: { ...failed, event: 'COMPLETED', token: exampleId.toUpperCase() },
      },
      FAIL: { summary: 'The customer was not authenticated', value: failed },
    },
  },
}
