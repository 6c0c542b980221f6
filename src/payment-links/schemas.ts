// Requests and answers of payment links.
import { type Static, Type } from 'typebox'
import { offeredMethods, type ReadContext, requiredFieldsSchema } from '../checkouts/index.ts'
import {
  amountField,
  amountOnWire,
  currencyField,
  dateOnWire,
  described,
  exampleId,
  idField,
  impliedWordSchema,
  momentField,
  momentSchema,
  oneOfSchema,
  parseAmount,
  parseEnd,
  parseImpliedWord,
  requestAmount,
  requestIdSchema,
  textSchema,
  wordField,
} from '../http/index.ts'
import type { Cents } from '../kernel/money.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import { webAddress } from '../kernel/values/web-address.ts'
import { methodsDefault, pageMethods } from '../methods/list.ts'
import {
  amountWithinRange,
  itemsOf,
  itemsSchema,
  merchantReferenceFields,
  merchantReferencesOf,
  shownItemSchema,
  storeOf,
  storeSchema,
} from '../operations/index.ts'
import { linkLanguages, linkStatuses, type PaymentLink } from './model.ts'
import { linkStatus, linkUrl } from './rules.ts'

const descriptionLengthMax = 255
const usesMaxMax = 100_000

export const linkBody = Type.Object(
  {
    description: Type.String({
      minLength: 1,
      maxLength: descriptionLengthMax,
      description: 'Description for the customer, such as "Yoga class on Saturday".',
    }),
    amount: Type.Optional(
      requestAmount('Amount of each payment. Leave it out to let the customer choose between two bounds.'),
    ),
    amount_min: Type.Optional(
      requestAmount('Lowest amount that the customer may choose. Needs `amount_max`.'),
    ),
    amount_max: Type.Optional(
      requestAmount('Highest amount that the customer may choose. Needs `amount_min`.'),
    ),
    currency: impliedWordSchema('EUR'),
    items: Type.Optional(itemsSchema),
    ...merchantReferenceFields,
    store: Type.Optional(storeSchema),
    methods: Type.Optional(
      Type.Array(oneOfSchema(pageMethods, 'A method.'), {
        maxItems: 20,
        description: 'Codes of the methods to offer. Default: all methods of the wallet.',
      }),
    ),
    required_fields: Type.Optional(requiredFieldsSchema),
    uses_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: usesMaxMax,
        description: 'Maximum number of payments, such as 1. Default: no limit.',
      }),
    ),
    expires: Type.Optional(
      described(
        momentSchema,
        'Last moment to open the link (ISO 8601 date, in the future). A day without a time means its end in Lisbon. Default: no end.',
      ),
    ),
    url_confirm: Type.Optional(
      described(
        textSchema(2048, { minLength: 1 }),
        'Page for the customer after success. Default: a page of the gateway.',
        { format: 'uri' },
      ),
    ),
    url_cancel: Type.Optional(
      described(
        textSchema(2048, { minLength: 1 }),
        'Page for the customer after cancelling. Default: `url_confirm`.',
        { format: 'uri' },
      ),
    ),
    language: Type.Optional(
      oneOfSchema(
        linkLanguages,
        `Language of the pages: ${linkLanguages.join(' or ')}. Default: the language of the browser.`,
      ),
    ),
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'PaymentLinkRequest',
    description: '`amount`, or `amount_min` with `amount_max`.',
    examples: [{ description: 'Yoga class on Saturday', amount: 12.5, uses_max: 20 }],
  },
)

const text = (description: string) => Type.Optional(Type.String({ description }))

export const mailBody = Type.Object(
  {
    email: Type.String({
      minLength: 3,
      maxLength: 254,
      description: "The customer's e-mail address.",
      format: 'email',
    }),
  },
  {
    title: 'PaymentLinkMailRequest',
    description: 'The customer who gets the link.',
    examples: [{ email: 'ana@example.com' }],
  },
)

export const mailedSchema = Type.Object(
  { mail_id: idField('The mail: read it with `GET mails/:id`.') },
  { title: 'PaymentLinkMail', description: 'The mail is waiting to be sent.' },
)

export const linkSchema = Type.Object(
  {
    id: idField('Id of the link. Equals `payment_link_id` of its operations.'),
    url: Type.String({ description: 'Address for your customers.' }),
    qr_url: Type.String({ description: 'Address of its QR code, an SVG image.' }),
    status: wordField(linkStatuses, 'Status. Only an `ACTIVE` link can be paid.'),
    description: Type.String({ description: 'Description for the customer.' }),
    amount: Type.Optional(amountField('Amount of each payment.')),
    amount_min: Type.Optional(amountField('Lowest amount that the customer may choose.')),
    amount_max: Type.Optional(amountField('Highest amount that the customer may choose.')),
    currency: currencyField,
    items: Type.Optional(Type.Array(shownItemSchema, { description: 'Items that the customer buys.' })),
    ext_invoiceid: text('Your reference of the transaction, copied to each operation.'),
    ext_email: text("The customer's e-mail address, for reference."),
    ext_customerid: text('Your reference of the customer.'),
    ext_employee: Type.Optional(Type.String({ description: 'Name of the employee.', examples: ['Rui'] })),
    notes: text('Your remarks.'),
    store: Type.Optional(Type.Integer({ description: 'Number of the store.', examples: [1] })),
    methods: Type.Array(wordField(pageMethods, 'A method.'), {
      description: 'Codes of the methods that it offers now.',
    }),
    required_fields: requiredFieldsSchema,
    language: Type.Optional(wordField(linkLanguages, 'Language of the pages.')),
    uses_max: Type.Optional(Type.Integer({ description: 'Maximum number of payments.' })),
    uses: Type.Integer({ description: 'Number of payments so far.' }),
    amount_paid: amountField('Total paid through it, before refunds.'),
    url_confirm: text('Page for the customer after success.'),
    url_cancel: text('Page for the customer after cancelling.'),
    date: momentField('Time of creation.'),
    expires: Type.Optional(momentField('Last moment to open the link.')),
    closed: Type.Optional(momentField('Time at which you closed it.')),
  },
  { title: 'PaymentLink', description: 'A web address that opens a checkout.', additionalProperties: true },
)

export const linkExample = {
  id: exampleId,
  url: 'https://pay.example/pay/3nWbF9yHtKqZ8vRmXcLd2A',
  qr_url: 'https://pay.example/pay/3nWbF9yHtKqZ8vRmXcLd2A/qr.svg',
  status: 'ACTIVE',
  description: 'Yoga class on Saturday',
  amount: 12.5,
  currency: 'EUR',
  methods: methodsDefault,
  required_fields: {},
  uses_max: 20,
  uses: 0,
  amount_paid: 0,
  date: '2026-03-01T18:30:00+0000',
}

export type LinkDraft = Omit<PaymentLink, 'id' | 'walletId' | 'code' | 'createdAt' | 'uses' | 'amountPaid'>

export function readLink(body: Static<typeof linkBody>, context: ReadContext): Result<LinkDraft> {
  const { wallet, mode, now } = context
  const amounts = readAmounts(body)
  if (!amounts.ok) return amounts
  const currency = parseImpliedWord(body.currency, 'EUR', 'currency')
  if (!currency.ok) return currency
  const store = storeOf(body.store, 'store', wallet)
  if (!store.ok) return store
  const exclude = excludedBy(body.methods, wallet)
  if (!exclude.ok) return exclude
  const expiresAt = optional(body.expires, (text) => parseEnd(text, 'expires'))
  if (!expiresAt.ok) return expiresAt
  if (expiresAt.value !== undefined && expiresAt.value <= now)
    return refuse('invalid_parameter', 'expires must be in the future')
  const urlConfirm = optional(body.url_confirm, (text) => webAddress(text, 'url_confirm', mode))
  if (!urlConfirm.ok) return urlConfirm
  const urlCancel = optional(body.url_cancel, (text) => webAddress(text, 'url_cancel', mode))
  if (!urlCancel.ok) return urlCancel
  const language = linkLanguages.find((known) => known === body.language?.toLowerCase())
  if (body.language !== undefined && language === undefined)
    return refuse('invalid_parameter', `language must be ${linkLanguages.join(' or ')}`)
  const description = body.description.trim()
  if (description === '') return refuse('invalid_parameter', 'description must not be empty')
  return ok({
    ...amounts.value,
    ...merchantReferencesOf(body),
    description,
    currency: 'EUR',
    items: itemsOf(body.items),
    store: store.value,
    exclude: exclude.value,
    requiredFields: body.required_fields ?? {},
    usesMax: body.uses_max,
    urlConfirm: urlConfirm.value,
    urlCancel: urlCancel.value ?? urlConfirm.value,
    language,
    expiresAt: expiresAt.value,
  })
}

function optional<Read>(
  text: string | null | undefined,
  read: (text: string) => Result<Read>,
): Result<Read | undefined> {
  return text === undefined || text === null ? ok(undefined) : read(text)
}

function readAmounts(
  body: Static<typeof linkBody>,
): Result<Pick<LinkDraft, 'amount' | 'amountMin' | 'amountMax'>> {
  const { amount, amount_min: min, amount_max: max } = body
  if (amount !== undefined) {
    if (min !== undefined || max !== undefined)
      return refuse('invalid_parameter', 'send either amount, or amount_min and amount_max')
    const fixed = readAmount(amount, 'amount')
    return fixed.ok ? ok({ amount: fixed.value }) : fixed
  }
  if (min === undefined || max === undefined)
    return refuse('missing_parameter', 'amount is required (or amount_min and amount_max)')
  const amountMin = readAmount(min, 'amount_min')
  if (!amountMin.ok) return amountMin
  const amountMax = readAmount(max, 'amount_max')
  if (!amountMax.ok) return amountMax
  return amountMin.value < amountMax.value
    ? ok({ amountMin: amountMin.value, amountMax: amountMax.value })
    : refuse('invalid_parameter', 'amount_max must be greater than amount_min')
}

function readAmount(value: unknown, field: string): Result<Cents> {
  const digits = parseAmount(value, field)
  return digits.ok ? amountWithinRange(digits.value, field) : digits
}

function excludedBy(
  asked: readonly string[] | undefined,
  wallet: ReadContext['wallet'],
): Result<PaymentLink['exclude']> {
  const offered = offeredMethods(wallet, { kind: 'payment', exclude: [] })
  if (offered.length === 0)
    return refuse('invalid_parameter', 'the wallet has no method for a payment: ask the operator')
  if (asked === undefined || asked.length === 0) return ok([])
  const wanted = asked.map((word) => word.toUpperCase())
  const known = new Set<string>(offered)
  const unknown = wanted.findIndex((word) => !known.has(word))
  return unknown < 0
    ? ok(pageMethods.filter((method) => !wanted.includes(method)))
    : refuse('invalid_parameter', `methods[${unknown}] must be one of ${offered.join(', ')}`)
}

export function linkOnWire(
  link: PaymentLink,
  { wallet, baseUrl, now }: { wallet: ReadContext['wallet']; baseUrl: string; now: Instant },
): Record<string, unknown> {
  const { amount, amountMin, amountMax, expiresAt, closedAt } = link
  const url = linkUrl(baseUrl, link.code)
  return {
    id: link.id,
    url,
    qr_url: `${url}/qr.svg`,
    status: linkStatus(link, now),
    description: link.description,
    ...(amount !== undefined && { amount: amountOnWire(amount) }),
    ...(amountMin !== undefined && { amount_min: amountOnWire(amountMin) }),
    ...(amountMax !== undefined && { amount_max: amountOnWire(amountMax) }),
    currency: link.currency,
    items: link.items,
    ext_invoiceid: link.extInvoiceId,
    ext_email: link.extEmail,
    ext_customerid: link.extCustomerId,
    ext_employee: link.extEmployee,
    notes: link.notes,
    store: link.store === undefined ? undefined : Number(link.store),
    methods: offeredMethods(wallet, { kind: 'payment', exclude: link.exclude }),
    required_fields: link.requiredFields,
    language: link.language,
    ...(link.usesMax !== undefined && { uses_max: link.usesMax }),
    uses: link.uses,
    amount_paid: amountOnWire(link.amountPaid),
    url_confirm: link.urlConfirm,
    url_cancel: link.urlCancel,
    date: dateOnWire(link.createdAt),
    ...(expiresAt !== undefined && { expires: dateOnWire(expiresAt) }),
    ...(closedAt !== undefined && { closed: dateOnWire(closedAt) }),
  }
}
