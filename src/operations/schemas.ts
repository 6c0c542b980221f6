// Operations on the wire: the schema of what is read and written, and the translation of a record.
import { type Static, Type } from 'typebox'
import {
  aliases,
  amountOnWire,
  amountSchema,
  coerceNumberToString,
  coerceStringToNumber,
  dateOnWire,
  described,
  documented,
  dropIfInvalid,
  filledSchema,
  phoneSchema,
  readAs,
  referenceSchema,
  roundNoise,
  textSchema,
  wordSchema,
} from '../http/index.ts'
import { cents } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { countryCodes } from '../kernel/values/countries.ts'
import { phoneOrText } from '../kernel/values/phones.ts'
import { phoneMethods } from '../methods/list.ts'
import type { Wallet } from '../wallets/index.ts'
import type { Client, MerchantReferences, PaymentItem } from './model.ts'
import type { ShownOperation } from './read/store.ts'
import { feeToShow, isRefundable } from './rules.ts'

const extCustomerIdLengthMax = 45
const extInvoiceIdLengthMax = 45
const extEmployeeLengthMax = 45
const extEmailLengthMax = 100
const notesLengthMax = 255
const itemsMax = 200

/** The merchant's references, in the body of everything that makes an operation. */
export const merchantReferenceFields = {
  ext_invoiceid: Type.Optional(
    described(referenceSchema(extInvoiceIdLengthMax), 'Your reference of the transaction.', {
      examples: ['2026-0042'],
    }),
  ),
  ext_email: Type.Optional(
    described(filledSchema(extEmailLengthMax), "The customer's e-mail address, for your reference.", {
      examples: ['ana@example.com'],
    }),
  ),
  // Several clients of this API misspell it.
  ext_customerid: Type.Optional({
    ...described(referenceSchema(extCustomerIdLengthMax), 'Your reference of the customer.', {
      examples: ['C-17'],
    }),
    ...aliases('ext_costumerid'),
  }),
  ext_employee: Type.Optional(
    described(referenceSchema(extEmployeeLengthMax), 'Name of the employee.', { examples: ['Rui'] }),
  ),
  notes: Type.Optional(
    described(referenceSchema(notesLengthMax), 'Remarks for yourself.', { examples: ['Gift wrapped'] }),
  ),
}

const referenceBody = Type.Object(merchantReferenceFields)

/** Reads {@link merchantReferenceFields}. An empty or null field counts as absent. */
export function merchantReferencesOf(body: Static<typeof referenceBody>): MerchantReferences {
  return {
    extInvoiceId: body.ext_invoiceid || undefined,
    extEmail: body.ext_email || undefined,
    extCustomerId: body.ext_customerid || undefined,
    extEmployee: body.ext_employee || undefined,
    notes: body.notes || undefined,
  }
}

const clientTextLengthMax = 255

/** Every code, in either case. */
const countryPattern = `^(?:${countryCodes.map(inEitherCase).join('|')})$`

function inEitherCase(code: string): string {
  return [...code].map((letter) => `[${letter}${letter.toLowerCase()}]`).join('')
}

/** Text of at most `lengthMax` characters, of which an address may go without. */
const addressPart = (lengthMax: number, description: string, options: object = {}) =>
  Type.Optional(
    described(
      textSchema(lengthMax, { 'x-expected': `text of at most ${lengthMax} characters`, ...options }),
      description,
    ),
  )

/** A merchant's data about the customer: nothing in it is worth losing a sale. */
export const addressSchema = Type.Object(
  {
    address: addressPart(
      clientTextLengthMax,
      'Street and door number.',
      documented({ examples: ['Rua Augusta 1'] }),
    ),
    city: addressPart(clientTextLengthMax, 'City.', documented({ examples: ['Lisboa'] })),
    country: Type.Optional(
      wordSchema({
        pattern: countryPattern,
        description: 'ISO 3166-1 alpha-2, such as PT',
        'x-expected': 'a code of ISO 3166-1 alpha-2, such as PT',
        ...documented({ pattern: '^[A-Za-z]{2}$', examples: ['PT'] }),
      }),
    ),
    postalcode: addressPart(20, 'Postal code, such as 1100-048.', {
      ...coerceNumberToString,
      ...documented({ examples: ['1100-048'] }),
    }),
  },
  {
    title: 'AddressRequest',
    description:
      'Postal address. Any part may be missing, empty or null. A part that does not fit is left out, and the header `Warning` says so.',
    ...dropIfInvalid,
  },
)

export const clientSchema = Type.Object(
  {
    name: Type.Optional(described(textSchema(clientTextLengthMax), 'Name of the customer.')),
    email: Type.Optional(described(textSchema(clientTextLengthMax), 'E-mail address.')),
    phone: Type.Optional(phoneSchema),
    address: Type.Optional(addressSchema),
  },
  {
    title: 'ClientRequest',
    description:
      'The customer, as far as you know them: pages of the gateway ask for the rest that they need.',
    default: {},
    ...documented({
      examples: [{ name: 'Ana Silva', email: 'ana@example.com', phone: '+351911234567' }],
    }),
  },
)

/** The wallet's store, by its number. */
export const storeSchema = Type.Integer({
  minimum: 1,
  description: 'Number of one of the stores of your wallet.',
  examples: [1],
  ...coerceStringToNumber,
})

const itemSchema = Type.Object(
  {
    descr: Type.Optional(described(textSchema(1000, coerceNumberToString), 'What it is.')),
    name: Type.Optional(
      described(textSchema(1000, coerceNumberToString), 'Its name, which the customer sees.'),
    ),
    ref: Type.Optional(
      Type.Union([textSchema(255), Type.Number()], {
        description: 'Your own reference, a text or a number; answered as it was sent.',
        ...readAs('decimal'),
        ...coerceNumberToString,
      }),
    ),
    qt: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'How many, or how much: goods by weight have decimals.',
        ...documented({ format: 'double' }),
        ...coerceStringToNumber,
      }),
    ),
    amount: Type.Optional(
      Type.Number({
        description: 'The price of one. The lines need not add up to the amount that is paid.',
        ...coerceStringToNumber,
        ...readAs('number'),
      }),
    ),
  },
  {
    title: 'PaymentItemRequest',
    description: 'A line of what is bought.',
  },
)

export const itemsSchema = Type.Array(itemSchema, {
  maxItems: itemsMax,
  description: 'What is bought, as the customer is shown it.',
  ...documented({
    examples: [[{ name: 'Coffee', descr: 'A bag of 250 g', ref: 'SKU-1', qt: 2, amount: 5.25 }]],
  }),
})

/** A descriptor as the reference shows it. */
const splitDescriptorSchema = Type.Object(
  {
    merchant_wallet: Type.String({
      description: 'Public id of the wallet of the sub-merchant, which is another than your own.',
    }),
    amount: Type.Optional(
      described(amountSchema, 'Its part of the gross amount, in euros. Excludes `amount_fraction`.'),
    ),
    amount_fraction: Type.Optional(
      Type.String({
        description:
          'Its part as a fraction, such as 0.6 or 2/3. Without it and without `amount` it gets an equal share of what the others leave.',
      }),
    ),
    fee_fixed: Type.Optional(
      described(amountSchema, 'What the marketplace keeps of it, in euros; 0 where it is left out.'),
    ),
    fee_variable: Type.Optional(
      Type.Union([Type.Number(), Type.String()], {
        description:
          'The part that the marketplace keeps of it, from 0 to 1 with at most 4 decimals; 0 where it is left out.',
      }),
    ),
    descr: Type.Optional(Type.String({ maxLength: 255, description: 'What it is for.' })),
  },
  { title: 'SplitDescriptor', description: 'The part of one sub-merchant.' },
)

/**
 * A split is read by its own rules, each refused with 40018. The schema only names the fields of a descriptor,
 * so that no card number gets into them, and says what is the same.
 */
export const refundSplitSchema = Type.Unknown({
  description:
    'How it is divided among sub-merchants: at most 100 descriptors, and not at all with none. Of an authorization: how each of its captures is divided. Needs the right `marketplace` and the permission `split`.',
  ...documented({ type: 'array', maxItems: 100, items: splitDescriptorSchema }),
  items: {
    properties: {
      merchant_wallet: {},
      fee_fixed: readAs('number'),
      fee_variable: readAs('rate'),
      amount: readAs('number'),
      amount_fraction: readAs('fraction'),
      descr: readAs('filled'),
    },
  },
})

/** The same where an empty list says no more than none: everywhere but in a refund (SPEC.md "Operations"). */
export const splitSchema = Type.Unsafe<unknown>({ ...refundSplitSchema, default: [] })

/** The lines as they were sent, without fields that are null or not SPEC.md's, and without noise in prices. */
export function itemsOf(items: readonly unknown[] | undefined): readonly PaymentItem[] | undefined {
  return items?.map((item) => {
    const known: PaymentItem = knownFields(itemSchema, item)
    return known.amount === undefined ? known : { ...known, amount: roundNoise(known.amount) }
  })
}

/**
 * The customer as sent, without fields that are null or not SPEC.md's, their phone in E.164. What is no phone number
 * stays as it was sent: nobody is asked anything there.
 */
export function clientOf(client: { readonly address?: unknown } | undefined): Client | undefined {
  if (client === undefined) return undefined
  const sent: Client = knownFields(clientSchema, client)
  const known = sent.phone === undefined ? sent : { ...sent, phone: phoneOrText(sent.phone) }
  return known.address === undefined
    ? known
    : { ...known, address: knownFields(addressSchema, client.address) }
}

function knownFields(schema: { readonly properties: object }, value: unknown): Record<string, never> {
  const fields = value as Record<string, never>
  const known = Object.keys(schema.properties).filter(
    (key) => Object.hasOwn(fields, key) && fields[key] !== null,
  )
  return Object.fromEntries(known.map((key) => [key, fields[key] as never]))
}

/** The wallet's store that a body names. Refusals: invalid_parameter for one that is not its own. */
export function storeOf(
  store: number | undefined,
  field: string,
  wallet: Wallet,
): Result<bigint | undefined> {
  if (store === undefined) return ok(undefined)
  if (wallet.stores.includes(store)) return ok(BigInt(store))
  const known =
    wallet.stores.length === 0 ? 'left out: the wallet has no stores' : `one of ${wallet.stores.join(', ')}`
  return refuse('invalid_parameter', `${field} must be ${known}`)
}

/**
 * The customer as shown. A postal code that the merchant sent is not shown (SPEC.md Address: input); one that
 * the customer typed is, as all that was collected from them (SPEC.md Client).
 */
export function clientOnWire(client: Client | undefined): Client | undefined {
  if (client?.address === undefined) return client
  const { typed, postalcode, ...address } = client.address
  const known = typed === true && postalcode !== undefined ? { ...address, postalcode } : address
  return { ...client, address: known }
}

/** An operation as SPEC.md "Operation" lists it. Fields without a value are left out. */
export function operationOnWire(operation: ShownOperation, wallet: Wallet): Record<string, unknown> {
  const fee = feeToShow(operation, wallet.feeSchedule)
  return {
    id: operation.id,
    type: operation.type,
    status: operation.status,
    method: operation.method,
    amount: amountOnWire(operation.amount),
    amount_net: amountOnWire(cents(operation.amount + fee)),
    fee: amountOnWire(fee),
    currency: operation.currency,
    refundable: isRefundable(operation),
    ipaddress: operation.ipaddress,
    channel: operation.channel,
    date: dateOnWire(operation.createdAt),
    modified_date: dateOnWire(operation.modifiedAt),
    expires: operation.expires === undefined ? undefined : dateOnWire(operation.expires),
    starts: startsOnWire(operation),
    instant: operation.instant,
    parent: operation.parentId,
    payment_link_id: operation.paymentLinkId,
    notes: operation.notes,
    ext_invoiceid: operation.extInvoiceId,
    ext_email: operation.extEmail,
    ext_customerid: operation.extCustomerId,
    ext_employee: operation.extEmployee,
    items: operation.items,
    client: clientOnWire(operation.client),
    merchant: { id: String(wallet.id), name: wallet.name, email: wallet.email },
    card: operation.card,
    mb: operation.mb,
    mbway: phoneOf(operation),
    callback: operation.callbackUrl,
    cardsecure_url_confirm: operation.cardSecureUrls?.confirm,
    cardsecure_url_cancel: operation.cardSecureUrls?.cancel,
  }
}

/** An operation keeps its phone when its customer chooses another method. */
function phoneOf({ method, phone }: ShownOperation): { readonly phone: string } | undefined {
  const isAsked = phone !== undefined && method !== undefined && phoneMethods.includes(method)
  return isAsked ? { phone } : undefined
}

/** Every instant reference shows from when it can be paid: where nobody asked for a later moment, since it was asked for. */
function startsOnWire({ instant, mb, starts, createdAt }: ShownOperation): string | undefined {
  const shown = starts ?? (instant === true && mb !== undefined ? createdAt : undefined)
  return shown && dateOnWire(shown)
}
