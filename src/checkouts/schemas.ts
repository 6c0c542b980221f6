// Requests and answers of checkouts.
import { type Static, Type } from 'typebox'
import {
  aliases,
  currencySchema,
  dateOnWire,
  described,
  documented,
  dropIfInvalid,
  exampleId,
  flagOf,
  idField,
  momentField,
  momentSchema,
  oneOfSchema,
  parseAmount,
  parseEnd,
  parseInstant,
  readAs,
  requestAmount,
  requestIdSchema,
  textSchema,
  used,
  wordField,
} from '../http/index.ts'
import { uuidText } from '../kernel/random.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import { webAddress } from '../kernel/values/web-address.ts'
import {
  amountWithinRange,
  clientOf,
  clientSchema,
  itemsOf,
  itemsSchema,
  merchantReferenceFields,
  merchantReferencesOf,
  operationExample,
  operationOnWire,
  operationSchema,
  splitSchema,
  storeOf,
  storeSchema,
} from '../operations/index.ts'
import type { CheckoutKind } from '../pages/index.ts'
import {
  type AutoCharge,
  readSubscription,
  subscriptionBody,
  subscriptionOnWire,
  subscriptionSchema,
} from '../subscriptions/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { type Checkout, type CheckoutDraft, checkoutMethodCodes } from './model.ts'
import {
  expiryOf,
  instantFits,
  methodCode,
  methodCodes,
  type NamedMoment,
  offeredMethods,
  openUntil,
  withCheckoutId,
} from './rules.ts'

const paymentBody = Type.Object(
  {
    amount: requestAmount('Amount that the customer pays, or that is reserved.'),
    currency: currencySchema,
    ...merchantReferenceFields,
    items: Type.Optional(itemsSchema),
    client: Type.Optional(clientSchema),
    store: Type.Optional(storeSchema),
    split: Type.Optional(splitSchema),
    expires: Type.Optional(
      described(
        momentSchema,
        'Last moment to pay (ISO 8601 date, in the future). The same as `expires` of the checkout.',
      ),
    ),
    starts: Type.Optional(
      described(momentSchema, 'First moment to pay an instant reference (ISO 8601 date). Default: now.'),
    ),
    instant: Type.Optional(
      flagOf(
        'Whether method MB creates an instant reference, payable for less than a day. `expires` is then required. Default: `false`.',
      ),
    ),
    request_id: Type.Optional(requestIdSchema),
  },
  { title: 'CheckoutPaymentRequest', description: 'The payment or reservation.' },
)

const required = (what: string) =>
  Type.Optional(
    Type.Boolean({ default: false, description: `Whether the page asks for ${what}. Default: \`false\`.` }),
  )
export const requiredFieldsSchema = Type.Object(
  {
    name: required('their name'),
    email: required('their e-mail address'),
    phone: required('their phone number'),
    shipping: required('an address to deliver to'),
  },
  {
    title: 'RequiredFields',
    description: 'Fields that the customer must fill in before paying.',
    default: {},
  },
)

/** Also accepts the field next to the amount, where some clients put it. */
function insideKinds(field: string): readonly string[] {
  return ['payment', 'authorization', 'subscription'].map((kind) => `${kind}.${field}`)
}

const absoluteAddress =
  'Absolute address, https in production. The gateway adds `checkoutid=<id>` to its query.'

export const checkoutBody = Type.Object(
  {
    payment: Type.Optional(
      used(paymentBody, 'The payment. Alone, or with `subscription`: both succeed or both fail.'),
    ),
    authorization: Type.Optional(
      used(paymentBody, 'The authorization: an amount to reserve and capture later. Alone.'),
    ),
    subscription: Type.Optional(
      used(subscriptionBody, 'The subscription: permission for later charges. Alone, or with `payment`.'),
    ),
    url_confirm: Type.String({
      description: `Page for the customer after success. ${absoluteAddress}`,
      ...documented({ format: 'uri', examples: ['https://shop.example/thanks'] }),
      ...aliases(...insideKinds('url_confirm')),
    }),
    url_cancel: Type.Optional(
      Type.String({
        minLength: 1,
        description: `Page for the customer after cancelling. Default: \`url_confirm\`. ${absoluteAddress}`,
        ...documented({ format: 'uri', examples: ['https://shop.example/cart'] }),
        ...aliases(...insideKinds('url_cancel'), 'url_confirm'),
      }),
    ),
    exclude: Type.Optional(
      Type.Array(oneOfSchema(checkoutMethodCodes, 'A method.'), {
        maxItems: 20,
        default: [],
        description:
          'Codes of methods to leave out, such as `["MB"]`. Unknown codes are ignored with a `Warning`.',
      }),
    ),
    default_method: Type.Optional(
      described(
        textSchema(10, { minLength: 1, ...readAs('word') }),
        'Method that is selected when the page opens, such as `MBWAY`.',
        { type: 'string', enum: [...checkoutMethodCodes] },
      ),
    ),
    required_fields: Type.Optional(requiredFieldsSchema),
    customer: Type.Optional(
      Type.Object(
        {
          id: Type.Optional(
            described(
              textSchema(36, { pattern: uuidText, 'x-expected': 'the UUID of a customer' }),
              'Id of one of your customers.',
              { format: 'uuid' },
            ),
          ),
        },
        {
          title: 'CheckoutCustomer',
          description:
            'The customer who is signed in to your shop. The page offers the cards that this customer saved, and the mandate of MB WAY. Needs the permission `customers`.',
          default: {},
          ...documented({ examples: [{ id: exampleId }] }),
          // Merchants may have sent a customer of their own before the gateway knew customers.
          ...dropIfInvalid,
        },
      ),
    ),
    expires: Type.Optional(
      described(
        momentSchema,
        'Last moment to pay (ISO 8601 date, in the future). A day without a time means its end in Lisbon, unless the payment is `instant`. Default: 24 hours from now.',
      ),
    ),
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'CheckoutRequest',
    description:
      'Exactly one of `payment`, `authorization` and `subscription`, or `payment` with `subscription`.',
    examples: [
      {
        payment: {
          amount: 10.5,
          currency: 'EUR',
          ext_invoiceid: '2026-0042',
          client: { name: 'Ana Silva', email: 'ana@example.com' },
          items: [{ name: 'Coffee', descr: 'A bag of 250 g', qt: 1, amount: 10.5 }],
        },
        url_confirm: 'https://shop.example/thanks',
        url_cancel: 'https://shop.example/cart',
      },
    ],
  },
)

export const checkoutSchema = Type.Object(
  {
    id: idField('Id of the checkout. Equals `checkoutid` in the return addresses.'),
    url_confirm: Type.String({ description: 'Page for the customer after success, with `checkoutid`.' }),
    url_cancel: Type.String({ description: 'Page for the customer after cancelling, with `checkoutid`.' }),
    url_redirect: Type.String({
      description:
        'Send the customer here. Append `?lang=en` or `?locale=pt_PT` to set the language. Default: the language of the browser.',
    }),
    exclude: Type.Array(wordField(checkoutMethodCodes, 'A method.'), {
      description: 'Codes of the excluded methods.',
    }),
    required_fields: requiredFieldsSchema,
    shipping: Type.Boolean({ description: 'Whether the page asks for a delivery address.' }),
    allows_punch_card_stamp: Type.Boolean({ description: 'Always false.' }),
    date: momentField('Time of creation.'),
    customer: Type.Optional(
      Type.Object(
        { id: idField('Id of the customer.') },
        { title: 'CustomerOfCheckout', description: 'The customer that you named.' },
      ),
    ),
    payment: Type.Optional(
      used(
        operationSchema,
        'The payment. Its status is the result of the checkout: `NEW` until the customer chooses a method.',
      ),
    ),
    authorization: Type.Optional(used(operationSchema, 'The authorization and its status.')),
    subscription: Type.Optional(used(subscriptionSchema, 'The subscription and its status.')),
  },
  { title: 'Checkout', description: 'A page on which a customer pays.', additionalProperties: true },
)

const { method: _method, ...unpaid } = operationExample
export const checkoutExample = {
  id: '0198c2f4-5d0c-7a11-8e2d-4b9c6a1f7e55',
  url_confirm: 'https://shop.example/thanks?checkoutid=0198c2f4-5d0c-7a11-8e2d-4b9c6a1f7e55',
  url_cancel: 'https://shop.example/cart?checkoutid=0198c2f4-5d0c-7a11-8e2d-4b9c6a1f7e55',
  url_redirect: 'https://pay.example/checkout/0198c2f4-5d0c-7a11-8e2d-4b9c6a1f7e55',
  exclude: [],
  required_fields: {},
  shipping: false,
  allows_punch_card_stamp: false,
  date: '2026-03-01T18:30:00+0000',
  payment: {
    ...unpaid,
    status: 'NEW',
    amount_net: 10.5,
    fee: 0,
    refundable: false,
    channel: 'WEBSITE',
    ext_invoiceid: '2026-0042',
    items: [{ name: 'Coffee', descr: 'A bag of 250 g', qt: 1, amount: 10.5 }],
    client: { name: 'Ana Silva', email: 'ana@example.com' },
  },
}

type CheckoutBody = Static<typeof checkoutBody>

export interface ReadContext {
  readonly wallet: Wallet
  readonly mode: 'sandbox' | 'production'
  readonly now: Instant
}

function whyNothingIsOffered(wanted: {
  kind: CheckoutKind
  exclude: readonly unknown[]
  subscription: unknown
}) {
  if (wanted.exclude.length > 0) return 'exclude must leave at least one method that the wallet offers'
  const what = wanted.subscription === undefined ? `a ${wanted.kind}` : 'subscriptions'
  return `the wallet has no method for ${what}: ask the operator`
}

/** Refusals name the first wrong field (CONTRACT section 7). */
export function readCheckout(body: CheckoutBody, context: ReadContext): Result<CheckoutDraft> {
  const kind = kindOf(body)
  if (!kind.ok) return kind
  const field = kind.value
  const subscription = body.subscription && readSubscription(body.subscription, context.now)
  if (subscription?.ok === false) return subscription
  const asked = field === 'subscription' ? ok(subscription?.value) : readPayment(body, field, context)
  if (!asked.ok) return asked
  if (asked.value === undefined) return refuse('missing_parameter', `${field} is required`)
  const urlConfirm = webAddress(body.url_confirm, 'url_confirm', context.mode)
  if (!urlConfirm.ok) return urlConfirm
  const urlCancel = webAddress(body.url_cancel ?? body.url_confirm, 'url_cancel', context.mode)
  if (!urlCancel.ok) return urlCancel
  const exclude = methodCodes(body.exclude ?? [])
  const wanted = { kind: field, exclude, subscription: subscription?.value }
  const offered = offeredMethods(context.wallet, wanted)
  if (offered.length === 0) return refuse('invalid_parameter', whyNothingIsOffered(wanted))
  const defaultMethod = defaultMethodOf(body.default_method)
  if (!defaultMethod.ok) return defaultMethod
  const expires = requestedExpiry(body, field)
  if (!expires.ok) return expires
  const expiresAt = expiryOf(expires.value.at, expires.value.field, context.now, field)
  if (!expiresAt.ok) return expiresAt
  const payment = field === 'subscription' ? undefined : body[field]
  const starts = requestedStart(payment?.starts, `${field}.starts`)
  if (!starts.ok) return starts
  const instant = payment?.instant === true
  const asking = { instant, expires: expires.value, starts: starts.value }
  const fitting = instantFits(field, asking, offered, context.now)
  if (!fitting.ok) return fitting

  return ok({
    merchantReferences: {},
    ...asked.value,
    kind: field,
    subscription: subscription?.value,
    urlConfirm: urlConfirm.value,
    urlCancel: urlCancel.value,
    exclude,
    defaultMethod: defaultMethod.value,
    requiredFields: body.required_fields ?? {},
    instant,
    starts: starts.value.at,
    expiresAt: openUntil(expiresAt.value, subscription?.value),
    expiryWasAsked: expires.value.at !== undefined,
    customerId: body.customer?.id?.toLowerCase(),
  })
}

function readPayment(
  body: CheckoutBody,
  field: 'payment' | 'authorization',
  { wallet }: ReadContext,
): Result<
  | Pick<CheckoutDraft, 'amount' | 'currency' | 'merchantReferences' | 'items' | 'client' | 'store' | 'split'>
  | undefined
> {
  const asked = body[field]
  if (asked === undefined) return ok(undefined)
  const digits = parseAmount(asked.amount, `${field}.amount`)
  if (!digits.ok) return digits
  const amount = amountWithinRange(digits.value, `${field}.amount`)
  if (!amount.ok) return amount
  if (asked.currency.toUpperCase() !== 'EUR')
    return refuse('invalid_parameter', `${field}.currency must be EUR`)
  const store = storeOf(asked.store, `${field}.store`, wallet)
  if (!store.ok) return store
  return ok({
    amount: amount.value,
    currency: 'EUR',
    merchantReferences: merchantReferencesOf(asked),
    items: itemsOf(asked.items),
    client: clientOf(asked.client),
    store: store.value,
    split: asked.split,
  })
}

function kindOf({ payment, authorization, subscription }: CheckoutBody): Result<CheckoutKind> {
  if (authorization !== undefined && (payment !== undefined || subscription !== undefined)) {
    const other = payment === undefined ? 'subscription' : 'payment'
    return refuse('invalid_parameter', `send either ${other} or authorization, not both`)
  }
  if (payment !== undefined) return ok('payment')
  if (authorization !== undefined) return ok('authorization')
  if (subscription !== undefined) return ok('subscription')
  return refuse('missing_parameter', 'payment is required (or authorization, or subscription)')
}

function defaultMethodOf(code: string | null | undefined): Result<CheckoutDraft['defaultMethod']> {
  if (code === undefined || code === null) return ok(undefined)
  const known = methodCode(code)
  return known === undefined
    ? refuse('invalid_parameter', `default_method must be one of ${checkoutMethodCodes.join(', ')}`)
    : ok(known)
}

function requestedStart(text: string | null | undefined, field: string): Result<NamedMoment> {
  if (text === undefined || text === null) return ok({ at: undefined, field })
  const at = parseInstant(text, field)
  return at.ok ? ok({ at: at.value, field }) : at
}

function requestedExpiry(body: CheckoutBody, kind: CheckoutKind): Result<NamedMoment> {
  const inner = (kind === 'subscription' ? undefined : body[kind]?.expires) ?? undefined
  const outer = body.expires ?? undefined
  const field = outer === undefined ? `${kind}.expires` : 'expires'
  const text = outer ?? inner
  if (text === undefined) return ok({ at: undefined, field })
  // An instant reference ends at an exact time in UTC (SPEC.md "Bank-reference payments", rule 2).
  const isInstant = kind !== 'subscription' && body[kind]?.instant === true
  const at = isInstant ? parseInstant(text, field) : parseEnd(text, field)
  return at.ok ? ok({ at: at.value, field }) : at
}

/** A checkout as CONTRACT section 7 shows it. `shown`: its operation with more details. `auto`: its automatic charges. */
export function checkoutOnWire(
  checkout: Checkout,
  wallet: Wallet,
  baseUrl: string,
  { shown, auto }: { shown?: Record<string, unknown> | undefined; auto?: AutoCharge | undefined } = {},
): Record<string, unknown> {
  return {
    id: checkout.id,
    url_confirm: withCheckoutId(checkout.urlConfirm, checkout.id),
    url_cancel: withCheckoutId(checkout.urlCancel, checkout.id),
    url_redirect: `${baseUrl}/checkout/${checkout.id}`,
    exclude: checkout.exclude,
    required_fields: checkout.requiredFields,
    shipping: checkout.requiredFields.shipping === true,
    allows_punch_card_stamp: false,
    date: dateOnWire(checkout.createdAt),
    ...(checkout.customerId !== undefined && { customer: { id: checkout.customerId } }),
    ...(checkout.operation && { [checkout.kind]: shown ?? operationOnWire(checkout.operation, wallet) }),
    ...(checkout.subscription && {
      subscription: subscriptionOnWire(checkout.subscription, undefined, auto),
    }),
  }
}
