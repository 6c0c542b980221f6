// Operations on the wire: schemas, and answers from records.
import { type Static, Type } from 'typebox'
import {
  aliases,
  amountOnWire,
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

/** Reads an empty or null field as absent. */
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

const countryPattern = `^(?:${countryCodes.map(inEitherCase).join('|')})$`

function inEitherCase(code: string): string {
  return [...code].map((letter) => `[${letter}${letter.toLowerCase()}]`).join('')
}

const addressPart = (lengthMax: number, description: string, options: object = {}) =>
  Type.Optional(
    described(
      textSchema(lengthMax, { 'x-expected': `text of at most ${lengthMax} characters`, ...options }),
      description,
    ),
  )

/** An invalid address must not lose a sale, so bad parts are dropped. */
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
      'Postal address. Each part can be missing, empty or null. The gateway leaves out an invalid part and says so in the header `Warning`.',
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
    description: 'The customer, as far as you know them. Pages of the gateway ask for the rest.',
    default: {},
    ...documented({
      examples: [{ name: 'Ana Silva', email: 'ana@example.com', phone: '+351911234567' }],
    }),
  },
)

export const storeSchema = Type.Integer({
  minimum: 1,
  description: 'Number of one of the stores of your wallet.',
  examples: [1],
  ...coerceStringToNumber,
})

const itemSchema = Type.Object(
  {
    descr: Type.Optional(described(textSchema(1000, coerceNumberToString), 'Description of the item.')),
    name: Type.Optional(
      described(textSchema(1000, coerceNumberToString), 'Name of the item, which the customer sees.'),
    ),
    ref: Type.Optional(
      Type.Union([textSchema(255), Type.Number()], {
        description: 'Your reference of the item, a text or a number. Answered as sent.',
        ...readAs('decimal'),
        ...coerceNumberToString,
      }),
    ),
    qt: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'Quantity. Goods by weight have decimals.',
        ...documented({ format: 'double' }),
        ...coerceStringToNumber,
      }),
    ),
    amount: Type.Optional(
      Type.Number({
        description: 'Unit price in euros. The total of the lines can differ from the amount.',
        ...coerceStringToNumber,
        ...readAs('number'),
      }),
    ),
  },
  {
    title: 'PaymentItemRequest',
    description: 'A line of the purchase.',
  },
)

export const itemsSchema = Type.Array(itemSchema, {
  maxItems: itemsMax,
  description: 'Lines of the purchase, which the customer sees.',
  ...documented({
    examples: [[{ name: 'Coffee', descr: 'A bag of 250 g', ref: 'SKU-1', qt: 2, amount: 5.25 }]],
  }),
})

/** Drops null fields, fields outside SPEC.md, and rounding noise in prices. */
export function itemsOf(items: readonly unknown[] | undefined): readonly PaymentItem[] | undefined {
  return items?.map((item) => {
    const known: PaymentItem = knownFields(itemSchema, item)
    return known.amount === undefined ? known : { ...known, amount: roundNoise(known.amount) }
  })
}

/** Drops null fields and fields outside SPEC.md. A valid phone number becomes E.164. */
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

/** A postal code is only shown if the customer typed it (SPEC.md Address, Client). */
export function clientOnWire(client: Client | undefined): Client | undefined {
  if (client?.address === undefined) return client
  const { typed, postalcode, ...address } = client.address
  const known = typed === true && postalcode !== undefined ? { ...address, postalcode } : address
  return { ...client, address: known }
}

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
    refundable: isRefundable(operation, wallet),
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

/** Hides the phone that an operation keeps after the customer has chosen another method. */
function phoneOf({ method, phone }: ShownOperation): { readonly phone: string } | undefined {
  const isAsked = phone !== undefined && method !== undefined && phoneMethods.includes(method)
  return isAsked ? { phone } : undefined
}

/** Every instant reference shows a start. The default is the moment of its creation. */
function startsOnWire({ instant, mb, starts, createdAt }: ShownOperation): string | undefined {
  const shown = starts ?? (instant === true && mb !== undefined ? createdAt : undefined)
  return shown && dateOnWire(shown)
}

/** The query parameter for a preview. The body accepts the field too. */
export const dryRun = {
  dry_run: Type.Optional(
    Type.Boolean({
      description: 'True or false.',
      default: false,
      ...documented({ description: '`true` for a preview that changes nothing. Default: `false`.' }),
    }),
  ),
}

export const dryRunQuery = Type.Object(dryRun)

export function isDryRun(query: unknown, body: Static<typeof dryRunQuery>): boolean {
  return body.dry_run === true || (query as Static<typeof dryRunQuery>).dry_run === true
}
