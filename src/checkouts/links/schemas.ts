// Payment links on the wire: reading what is asked for, writing what stands.
import { type Static, Type } from 'typebox'
import {
  amountOnWire,
  amountSchema,
  dateOnWire,
  impliedWordSchema,
  momentSchema,
  parseAmount,
  parseImpliedWord,
  parseInstant,
  textSchema,
  wordSchema,
} from '../../http/index.ts'
import type { Cents } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import { webAddress } from '../../kernel/values/web-address.ts'
import {
  amountWithinRange,
  itemsOf,
  itemsSchema,
  merchantReferenceFields,
  merchantReferencesOf,
  storeOf,
  storeSchema,
} from '../../operations/index.ts'
import { pageMethods } from '../model.ts'
import { offeredMethods } from '../rules.ts'
import { type ReadContext, requiredFieldsSchema } from '../schemas.ts'
import { linkLanguages, linkStatuses, type PaymentLink } from './model.ts'
import { linkStatus, linkUrl } from './rules.ts'

const descriptionLengthMax = 255
/** What is left of a link with a limit is counted at each payment. */
const usesMaxMax = 100_000

export const linkBody = Type.Object({
  description: Type.String({ minLength: 1, maxLength: descriptionLengthMax }),
  amount: Type.Optional(amountSchema),
  amount_min: Type.Optional(amountSchema),
  amount_max: Type.Optional(amountSchema),
  currency: impliedWordSchema('EUR'),
  items: Type.Optional(itemsSchema),
  ...merchantReferenceFields,
  store: Type.Optional(storeSchema),
  methods: Type.Optional(
    Type.Array(wordSchema(), { maxItems: 20, description: 'Those it offers; all of the wallet by default.' }),
  ),
  required_fields: Type.Optional(requiredFieldsSchema),
  uses_max: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: usesMaxMax,
      description: 'How often it may be paid: 1 for one payment; any number by default.',
    }),
  ),
  expires: Type.Optional(momentSchema),
  url_confirm: Type.Optional(textSchema(2048, { minLength: 1 })),
  url_cancel: Type.Optional(textSchema(2048, { minLength: 1 })),
  language: Type.Optional(wordSchema({ description: `Of the pages: ${linkLanguages.join(' or ')}.` })),
  request_id: Type.Optional(textSchema(36)),
})

export const linkSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    url: Type.String(),
    qr_url: Type.String(),
    status: Type.Unsafe<string>({ type: 'string', enum: linkStatuses }),
    description: Type.String(),
    amount: Type.Optional(Type.Number()),
    amount_min: Type.Optional(Type.Number()),
    amount_max: Type.Optional(Type.Number()),
    currency: Type.String(),
    methods: Type.Array(Type.String()),
    uses_max: Type.Optional(Type.Integer()),
    uses: Type.Integer({ description: 'How often it was paid.' }),
    amount_paid: Type.Number({ description: 'What was paid through it, before refunds.' }),
    date: Type.String(),
    expires: Type.Optional(Type.String()),
    closed: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)

/** A link as asked for, every field checked. */
export type LinkDraft = Omit<PaymentLink, 'id' | 'walletId' | 'code' | 'createdAt' | 'uses' | 'amountPaid'>

/** Refusals: missing_parameter, invalid_parameter, below_minimum_amount, above_maximum_amount. */
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
  const expiresAt = optional(body.expires, (text) => parseInstant(text, 'expires'))
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
  if (description === '') return refuse('invalid_parameter', 'description must say what is paid for')
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

/** One amount, or two bounds between which the customer chooses. */
function readAmounts(
  body: Static<typeof linkBody>,
): Result<Pick<LinkDraft, 'amount' | 'amountMin' | 'amountMax'>> {
  const { amount, amount_min: min, amount_max: max } = body
  if (amount !== undefined) {
    if (min !== undefined || max !== undefined)
      return refuse(
        'invalid_parameter',
        'amount excludes amount_min and amount_max: send it, or both of them',
      )
    const fixed = readAmount(amount, 'amount')
    return fixed.ok ? ok({ amount: fixed.value }) : fixed
  }
  if (min === undefined || max === undefined)
    return refuse('missing_parameter', 'amount is required (or amount_min and amount_max in its place)')
  const amountMin = readAmount(min, 'amount_min')
  if (!amountMin.ok) return amountMin
  const amountMax = readAmount(max, 'amount_max')
  if (!amountMax.ok) return amountMax
  return amountMin.value < amountMax.value
    ? ok({ amountMin: amountMin.value, amountMax: amountMax.value })
    : refuse('invalid_parameter', 'amount_max must be more than amount_min')
}

function readAmount(value: unknown, field: string): Result<Cents> {
  const digits = parseAmount(value, field)
  return digits.ok ? amountWithinRange(digits.value, field) : digits
}

/** The methods that a link leaves out: all but those that it names, which the wallet must offer. */
function excludedBy(
  asked: readonly string[] | undefined,
  wallet: ReadContext['wallet'],
): Result<PaymentLink['exclude']> {
  const offered = offeredMethods(wallet, { kind: 'payment', exclude: [] })
  if (offered.length === 0)
    return refuse('invalid_parameter', 'the wallet has no method for a payment: its operator sets them')
  if (asked === undefined || asked.length === 0) return ok([])
  const wanted = asked.map((word) => word.toUpperCase())
  const unknown = wanted.findIndex((word) => !offered.some((method) => method === word))
  return unknown < 0
    ? ok(pageMethods.filter((method) => !wanted.includes(method)))
    : refuse('invalid_parameter', `methods[${unknown}] must be one of ${offered.join(', ')}`)
}

/** A link as it is answered. Fields without a value are left out. */
export function linkOnWire(
  link: PaymentLink,
  { wallet, baseUrl, now }: { wallet: ReadContext['wallet']; baseUrl: string; now: Instant },
): Static<typeof linkSchema> & Record<string, unknown> {
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
