// What the card API is asked for: exactly one form of card, the addresses, and an operation's own fields.
import { type Static, Type } from 'typebox'
import {
  askedAmount,
  cardDataSchema,
  currencySchema,
  described,
  documented,
  exampleId,
  flagOf,
  impliedWordSchema,
  numberAsText,
  parseAmount,
  parseImpliedWord,
  readAs,
  requestIdSchema,
  textSchema,
  used,
  wordField,
  wordSchema,
} from '../../../http/index.ts'
import type { Cents } from '../../../kernel/money.ts'
import { isUuid } from '../../../kernel/random.ts'
import { ok, type Result, refuse } from '../../../kernel/result.ts'
import type { Instant } from '../../../kernel/time.ts'
import { isEmailAddress, webAddress } from '../../../kernel/values/web-address.ts'
import {
  addressSchema,
  amountWithinRange,
  cardSummaryFields,
  clientSchema,
  itemsSchema,
  type MerchantReferences,
  merchantReferenceFields,
  merchantReferencesOf,
  splitSchema,
} from '../../../operations/index.ts'
import { cards } from '../facts.ts'
import type { CardDetails } from '../model.ts'
import { readCard } from '../rules.ts'

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
      textSchema(40, { ...numberAsText, ...readAs('pasted') }),
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
    amount: askedAmount('What is paid, or reserved.'),
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
type CardForms = Pick<PaymentBody, 'newCard' | 'newCardSecure'> & {
  readonly card?: { readonly token: string }
}

/** The one form of card that a request carries. */
export type CardForm =
  | { readonly kind: 'plain'; readonly fields: NonNullable<CardForms['newCard']> }
  | { readonly kind: 'secure'; readonly fields: NonNullable<CardForms['newCardSecure']> }
  | { readonly kind: 'token'; readonly token: string }

/** Exactly one of newCard, newCardSecure and card.token; else missing_parameter or invalid_parameter. */
export function cardFormOf({ newCard, newCardSecure, card }: CardForms, forms: string): Result<CardForm> {
  const given: CardForm[] = []
  if (newCard !== undefined) given.push({ kind: 'plain', fields: newCard })
  if (newCardSecure !== undefined) given.push({ kind: 'secure', fields: newCardSecure })
  if (card !== undefined) given.push({ kind: 'token', token: card.token })
  const [form, second] = given
  if (form === undefined) return refuse('missing_parameter', `one of ${forms} is required`)
  if (second !== undefined) return refuse('invalid_parameter', `send exactly one of ${forms}`)
  if (form.kind !== 'token') {
    const { email, phone } = form.fields
    const field = form.kind === 'plain' ? 'newCard' : 'newCardSecure'
    if ((email ?? '') === '' && (phone ?? '') === '') {
      return refuse('missing_parameter', `${field}.email is required (or ${field}.phone in its place)`)
    }
    if ((email ?? '') !== '' && !isEmailAddress((email ?? '').trim())) {
      return refuse('invalid_parameter', `${field}.email must be an e-mail address such as ana@example.com`)
    }
  }
  return ok(form)
}

const fieldNames = { number: 'number', name: 'name', expiry: 'valdate', vcode: 'vcode' } as const
const wanted = {
  number: 'must be a card number with a right check digit',
  name: 'must be the name on the card, at most 100 characters',
  expiry: 'must be MM/YYYY and not in the past',
  vcode: 'must be the security code: 3 digits, American Express 4',
} as const

/** A card of plain or decrypted texts. The refusal names the field and never its content. */
export function cardOf(
  typed: {
    readonly number: string | null
    readonly name: string | null
    readonly vcode: string | null
    readonly valdate: string | null
  },
  form: 'newCard' | 'newCardSecure',
  now: Instant,
): Result<CardDetails> {
  const { number, name, vcode, valdate } = typed
  const read = readCard(
    { number: number ?? '', name: name ?? '', vcode: vcode ?? '', expiry: valdate ?? '' },
    now,
  )
  if (read.ok) return ok(read.card)
  for (const field of ['number', 'name', 'expiry', 'vcode'] as const) {
    const problem = read.problems[field]
    if (problem === 'missing') return refuse('missing_parameter', `${form}.${fieldNames[field]} is required`)
    if (problem !== undefined)
      return refuse('invalid_parameter', `${form}.${fieldNames[field]} ${wanted[field]}`)
  }
  return refuse('invalid_parameter', `${form} must be a card`)
}

/** A payment as asked for, without its card. */
export interface PaymentDraft {
  readonly amount: Cents
  readonly merchantReferences: MerchantReferences
  readonly callbackUrl: string
  readonly cardSecureUrls: { readonly confirm: string; readonly cancel: string }
}

export function readPayment(body: PaymentBody, mode: 'sandbox' | 'production'): Result<PaymentDraft> {
  const digits = parseAmount(body.amount, 'amount')
  if (!digits.ok) return digits
  const amount = amountWithinRange(digits.value, 'amount')
  if (!amount.ok) return amount
  if (body.currency.toUpperCase() !== 'EUR') return refuse('invalid_parameter', 'currency must be EUR')
  const method = parseImpliedWord(body.method, cards.code, 'method')
  if (!method.ok) return method
  const callback = webAddress(body.callback, 'callback', mode)
  if (!callback.ok) return callback
  const urls = readCardSecureUrls(body, mode)
  if (!urls.ok) return urls
  return ok({
    amount: amount.value,
    merchantReferences: merchantReferencesOf(body),
    callbackUrl: callback.value,
    cardSecureUrls: urls.value,
  })
}

export function readCardSecureUrls(
  body: Pick<PaymentBody, keyof typeof addresses>,
  mode: 'sandbox' | 'production',
): Result<{ readonly confirm: string; readonly cancel: string }> {
  const confirm = webAddress(body.cardsecure_url_confirm, 'cardsecure_url_confirm', mode)
  if (!confirm.ok) return confirm
  const cancel = webAddress(body.cardsecure_url_cancel, 'cardsecure_url_cancel', mode)
  return cancel.ok ? ok({ confirm: confirm.value, cancel: cancel.value }) : cancel
}

/** A token in either case, or not_found. */
export function tokenOf(text: string): Result<string> {
  return isUuid(text) ? ok(text.toLowerCase()) : refuse('not_found', 'there is no card with that token')
}
