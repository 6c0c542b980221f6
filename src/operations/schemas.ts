// Operations on the wire: the schema of what is read and written, and the translation of a record.
import { type Static, Type } from 'typebox'
import {
  absentWhenEmpty,
  amountOnWire,
  dateOnWire,
  elseAt,
  filledSchema,
  numberAsText,
  phoneSchema,
  readAs,
  referenceSchema,
  textAsNumber,
  textSchema,
  wordSchema,
} from '../http/index.ts'
import { cents } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { countryCodes } from '../kernel/values/countries.ts'
import { phoneOrText } from '../kernel/values/phones.ts'
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
  ext_invoiceid: Type.Optional(referenceSchema(extInvoiceIdLengthMax)),
  ext_email: Type.Optional(filledSchema(extEmailLengthMax)),
  // Several clients of this API misspell it.
  ext_customerid: Type.Optional({ ...referenceSchema(extCustomerIdLengthMax), ...elseAt('ext_costumerid') }),
  ext_employee: Type.Optional(referenceSchema(extEmployeeLengthMax)),
  notes: Type.Optional(referenceSchema(notesLengthMax)),
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

const addressSchema = Type.Object(
  {
    address: Type.Optional(textSchema(clientTextLengthMax)),
    city: Type.String({ maxLength: clientTextLengthMax }),
    country: wordSchema({ pattern: countryPattern, description: 'ISO 3166-1 alpha-2, such as PT' }),
    postalcode: Type.String({ maxLength: 20, ...numberAsText }),
  },
  absentWhenEmpty,
)

export const clientSchema = Type.Object(
  {
    name: Type.Optional(textSchema(clientTextLengthMax)),
    email: Type.Optional(textSchema(clientTextLengthMax)),
    phone: Type.Optional(phoneSchema),
    address: Type.Optional(addressSchema),
  },
  { default: {} },
)

/** The wallet's store, by its number. */
export const storeSchema = Type.Integer({ minimum: 1, ...textAsNumber })

const itemSchema = Type.Object({
  descr: Type.Optional(textSchema(1000, numberAsText)),
  name: Type.Optional(textSchema(1000, numberAsText)),
  ref: Type.Optional(Type.Union([textSchema(255), Type.Number()], { ...readAs('decimal'), ...numberAsText })),
  qt: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, ...textAsNumber })),
  amount: Type.Optional(Type.Number(textAsNumber)),
})

export const itemsSchema = Type.Array(itemSchema, { maxItems: itemsMax })

/**
 * A split is read by its own rules, each refused with 40018. The schema only names the fields of a descriptor,
 * so that no card number gets into them, and says what is the same.
 */
export const splitSchema = Type.Unknown({
  description: 'Split descriptors, 1 to 100. Of an authorization: how each of its captures is divided.',
  items: {
    properties: {
      merchant_wallet: {},
      fee_fixed: readAs('number'),
      fee_variable: readAs('number'),
      amount: readAs('number'),
      amount_fraction: readAs('fraction'),
      descr: readAs('filled'),
    },
  },
})

/** The lines as they were sent, without fields that are null or not SPEC.md's. */
export function itemsOf(items: readonly unknown[] | undefined): readonly PaymentItem[] | undefined {
  return items?.map((item) => knownFields(itemSchema, item))
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

const accountSchema = Type.Object({
  account: Type.String({ description: 'merchant, consumer, fees, or clearing: and the method of the rail' }),
  public_id: Type.Optional(Type.String({ description: "Of a merchant's wallet, where it is another's" })),
})

/** An operation as it is written, for the API reference. */
export const operationSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    type: Type.String(),
    status: Type.String(),
    method: Type.Optional(Type.String()),
    amount: Type.Number(),
    amount_net: Type.Number(),
    fee: Type.Number(),
    currency: Type.String(),
    refundable: Type.Boolean(),
    date: Type.String(),
    modified_date: Type.String(),
    dry_run: Type.Optional(Type.Literal(true)),
    postings: Type.Optional(
      Type.Array(Type.Object({ debit: accountSchema, credit: accountSchema, amount: Type.Number() }), {
        description: 'What a dry run would book',
      }),
    ),
  },
  { additionalProperties: true },
)

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
    starts: operation.starts === undefined ? undefined : dateOnWire(operation.starts),
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
    mbway:
      operation.method === 'MBWAY' && operation.phone !== undefined ? { phone: operation.phone } : undefined,
    callback: operation.callbackUrl,
    cardsecure_url_confirm: operation.cardSecureUrls?.confirm,
    cardsecure_url_cancel: operation.cardSecureUrls?.cancel,
  }
}
