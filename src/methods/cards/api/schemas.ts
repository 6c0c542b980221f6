// What the card API is asked for: exactly one form of card, the addresses, and an operation's own fields.
import { type Static, Type } from 'typebox'
import {
  cardDataSchema,
  coerceNumberToString,
  currencySchema,
  described,
  documented,
  exampleId,
  flagOf,
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

/** The fields of a card; `what` says how the four that are secret are written, and `example` shows it. */
const cardFields = (what: string, ...examples: string[]) => ({
  number: described(
    textSchema(fieldLengthMax, readAs('digits')),
    `The number of the card${what}.`,
    example(examples),
  ),
  name: described(textSchema(fieldLengthMax), `The name on the card${what}.`, example(examples)),
  vcode: described(
    textSchema(fieldLengthMax),
    `The security code: 3 digits, American Express 4${what}.`,
    example(examples),
  ),
  valdate: described(
    textSchema(fieldLengthMax),
    `The last month in which it pays, as MM/YYYY${what}.`,
    example(examples),
  ),
  email: Type.Optional(
    described(
      textSchema(100),
      'E-mail address of the cardholder. It may be left out where `phone` is there.',
    ),
  ),
  phone: Type.Optional(
    described(
      textSchema(40, { ...coerceNumberToString, ...readAs('pasted') }),
      'Phone number of the cardholder. It may be left out where `email` is there.',
    ),
  ),
  address: Type.Optional(
    used({ ...addressSchema, ...readAs('implied') }, 'Postal address of the cardholder. It is not kept.'),
  ),
})

const cardForms = {
  newCard: Type.Optional(
    Type.Object(cardFields(''), {
      title: 'NewCard',
      description:
        'Plain card data: for merchants with the right `pci_dss`, by a key with the permission `card_plain`.',
      ...cardDataSchema,
    }),
  ),
  newCardSecure: Type.Optional(
    Type.Object(cardFields(', as the secure form fields encrypted it', 'eyJhbGciOiJFQ0RILUVTIiwi…'), {
      title: 'NewCardSecure',
      description: 'Card data that the secure form fields have encrypted in the browser of the customer.',
      ...cardDataSchema,
    }),
  ),
}

const address = (description: string) =>
  Type.String({ description, ...documented({ format: 'uri', examples: ['https://shop.example/thanks'] }) })

const addresses = {
  cardsecure_url_confirm: address(
    'Where the customer goes after success: an absolute address, https in production.',
  ),
  cardsecure_url_cancel: address(
    'Where the customer goes after failure: an absolute address, https in production.',
  ),
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
    amount: requestAmount('What is paid, or reserved.'),
    currency: currencySchema,
    method: impliedWordSchema(cards.code),
    callback: Type.String({
      description: 'Where the callbacks of this operation go: an absolute address, https in production.',
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
        { title: 'CardByToken', description: 'A stored card: it was authenticated when it was stored.' },
      ),
    ),
    items: Type.Optional(itemsSchema),
    client: Type.Optional(clientSchema),
    split: Type.Optional(splitSchema),
    instant: Type.Optional(flagOf('Read and echoed; cards are always paid at once.')),
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'CardPaymentRequest',
    description: 'With exactly one of `newCard`, `newCardSecure` and `card`.',
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
        'Required, here or as the header `Idempotency-Key`. A UUID of your own: the callback names it, and under it the request happens once.',
      ),
    ),
  },
  {
    title: 'StoreCardRequest',
    description: 'With exactly one of `newCard` and `newCardSecure`.',
    examples: [{ ...addressesExample, newCard: plainCardExample, request_id: exampleId }],
  },
)

export const storedCardSchema = Type.Object(
  {
    token: Type.String({
      description: 'Identifies the card, in upper case.',
      examples: [exampleId.toUpperCase()],
    }),
    ...cardSummaryFields,
    expired: Type.Boolean({ description: 'Whether its last month is over.' }),
    verification_status: wordField(
      ['VERIFIED', 'UNVERIFIED'],
      'Whether the cardholder was authenticated when it was stored.',
    ),
    voided: Type.Boolean({ description: 'Whether it was deleted: then it pays nothing.' }),
    name: Type.Optional(Type.String({ description: 'The name on the card.' })),
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
      description: 'Send the customer here: the card is stored when they have authenticated by 3-D Secure 2.',
    }),
  },
  { title: 'CardSecureResponse', description: 'Where the customer authenticates.' },
)

export type PaymentBody = Static<typeof paymentBody>
export type StoreCardBody = Static<typeof storeCardBody>
