// The schemas of bank references, with rules of dates and amounts.
import { type Static, Type } from 'typebox'
import {
  aliases,
  currencySchema,
  described,
  documented,
  flagOf,
  impliedWordSchema,
  momentSchema,
  parseAmount,
  parseImpliedWord,
  parseInstant,
  requestAmount,
  requestIdSchema,
} from '../../http/index.ts'
import type { Cents } from '../../kernel/money.ts'
import { deny, ok, type Result, refuse, unwrap } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import {
  amountWithinRange,
  type Client,
  clientOf,
  clientSchema,
  itemsOf,
  itemsSchema,
  type MerchantReferences,
  merchantReferenceFields,
  merchantReferencesOf,
  type PaymentItem,
  splitSchema,
  storeOf,
  storeSchema,
} from '../../operations/index.ts'
import type { ReferenceName } from '../../rails/index.ts'
import { unavailableReason, type Wallet } from '../../wallets/index.ts'
import type { PayableWindow } from './model.ts'
import { payableWindow, recurringExpiry } from './rules.ts'

export const payBody = Type.Object(
  {
    amount: requestAmount('Amount of the reference, in euros. Other amounts are rejected.'),
    currency: currencySchema,
    method: impliedWordSchema('MB'),
    type: impliedWordSchema('PAYMENT'),
    expires: Type.Optional(
      described(
        momentSchema,
        'Last moment to pay: ISO 8601 date, at least 2 days ahead, extended to the end of that day in Lisbon. For an instant reference: the exact moment. Default: the end of the day that is 1000 minutes, about 17 hours, from now. The answer has the real limit.',
      ),
    ),
    starts: Type.Optional(
      described(
        momentSchema,
        'First moment to pay an instant reference: in the future and before `expires`. Default: now.',
      ),
    ),
    instant: Type.Optional(
      flagOf(
        '`true` for an instant reference: exact times, another fee, and no deletion. Requires `expires`. Default: `false`.',
      ),
    ),
    ...merchantReferenceFields,
    items: Type.Optional(itemsSchema),
    client: Type.Optional(clientSchema),
    store: Type.Optional(storeSchema),
    split: Type.Optional(splitSchema),
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'ReferencePaymentRequest',
    description: 'A reference for one payment.',
    examples: [{ amount: 10.5, currency: 'EUR', ext_invoiceid: '2026-0042', ext_email: 'ana@example.com' }],
  },
)

const { notes: _notes, ext_employee: _employee, ...recurringIds } = merchantReferenceFields

export const referenceBody = Type.Object(
  {
    max_amount: requestAmount('The most that each payment may be.'),
    min_amount: requestAmount('The least that each payment may be; not above `max_amount`.'),
    currency: impliedWordSchema('EUR'),
    op_type: impliedWordSchema('PAYMENT'),
    expires: Type.Optional(
      described(
        momentSchema,
        'Last day to pay: ISO 8601 date, to the end of that day in Lisbon. Default: no end.',
      ),
    ),
    ...recurringIds,
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'RecurringReferenceRequest',
    description: 'A reference for many payments.',
    examples: [{ min_amount: 5, max_amount: 50, currency: 'EUR', ext_customerid: 'C-17' }],
  },
)

const digitsSchema = {
  type: ['string', 'number'],
  minLength: 1,
  maxLength: 40,
  ...documented({ type: 'string' }),
}
const nameFields = {
  entity: Type.Optional(
    Type.Unsafe<string | number>({ ...digitsSchema, description: 'Entity: 5 digits.', examples: ['21312'] }),
  ),
  ref: Type.Optional(
    Type.Unsafe<string | number>({
      ...digitsSchema,
      description: 'Reference: 9 digits, also in groups. Alias: `reference`.',
      examples: ['123456789'],
      ...aliases('reference'),
    }),
  ),
}

export const deleteBody = Type.Object(
  {
    ...nameFields,
    mb: Type.Optional(
      Type.Object(nameFields, {
        description: '`entity` and `ref` together, as in an answer. Use either this or the two fields above.',
      }),
    ),
  },
  {
    title: 'DeleteReferenceRequest',
    description: 'A reference to delete: `entity` and `ref`, or `mb` with both.',
    examples: [{ entity: '21312', ref: '123456789' }],
  },
)

export const referenceAnswer = Type.Object(
  {
    mb: Type.Object(
      {
        entity: Type.String({ description: 'Entity: 5 digits.' }),
        ref: Type.String({ description: 'Reference: 9 digits.' }),
      },
      { description: 'The reference, for payment at an ATM or in home banking.' },
    ),
  },
  { title: 'Reference', description: 'A bank reference.' },
)

export interface PaymentDraft {
  readonly amount: Cents
  readonly instant: boolean
  readonly window: PayableWindow
  readonly merchantReferences: MerchantReferences
  readonly items: readonly PaymentItem[] | undefined
  readonly client: Client | undefined
  readonly store: bigint | undefined
  readonly split: unknown
}

export function readPayment(body: Static<typeof payBody>, wallet: Wallet, now: Instant): PaymentDraft {
  const amount = unwrap(readAmount(body.amount, 'amount'))
  unwrap(
    readWords([
      ['currency', body.currency, 'EUR'],
      ['method', body.method, 'MB'],
      ['type', body.type, 'PAYMENT'],
    ]),
  )
  if (!wallet.methods.includes('MB')) deny('access_denied', unavailableReason(wallet, 'MB'))
  const store = unwrap(storeOf(body.store, 'store', wallet))
  const starts = unwrap(readDate(body.starts, 'starts'))
  const expires = unwrap(readDate(body.expires, 'expires'))
  const instant = body.instant === true
  const window = unwrap(payableWindow({ instant, starts, expires }, now))
  return {
    amount,
    instant,
    window,
    merchantReferences: merchantReferencesOf(body),
    items: itemsOf(body.items),
    client: clientOf(body.client),
    store,
    split: body.split,
  }
}

export interface RecurringDraft {
  readonly amountMin: Cents
  readonly amountMax: Cents
  readonly expires: Instant | undefined
  readonly merchantReferences: MerchantReferences
}

export function readRecurring(
  body: Static<typeof referenceBody>,
  wallet: Wallet,
  now: Instant,
): RecurringDraft {
  const max = unwrap(readAmount(body.max_amount, 'max_amount'))
  const min = unwrap(readAmount(body.min_amount, 'min_amount'))
  if (min > max) deny('invalid_parameter', 'min_amount must not be above max_amount')
  unwrap(
    readWords([
      ['currency', body.currency, 'EUR'],
      ['op_type', body.op_type, 'PAYMENT'],
    ]),
  )
  if (!wallet.methods.includes('MB')) deny('access_denied', unavailableReason(wallet, 'MB'))
  const asked = unwrap(readDate(body.expires, 'expires'))
  return {
    amountMin: min,
    amountMax: max,
    expires: asked && unwrap(recurringExpiry(asked, now)).expires,
    merchantReferences: merchantReferencesOf(body),
  }
}

export function readName(body: Static<typeof deleteBody> | undefined): Result<ReferenceName> {
  const entity = body?.mb?.entity ?? body?.entity
  const ref = body?.mb?.ref ?? body?.ref
  if (entity === undefined) return refuse('missing_parameter', 'entity is required, together with ref')
  if (ref === undefined) return refuse('missing_parameter', 'ref is required, together with entity')
  return ok({ entity: digitsOf(entity, 5), ref: digitsOf(ref, 9) })
}

function digitsOf(written: string | number, length: number): string {
  return String(written).replaceAll(' ', '').padStart(length, '0')
}

function readAmount(written: unknown, field: string): Result<Cents> {
  const digits = parseAmount(written, field)
  return digits.ok ? amountWithinRange(digits.value, field) : digits
}

function readDate(text: string | null | undefined, field: string): Result<Instant | undefined> {
  return text === undefined || text === null ? ok(undefined) : parseInstant(text, field)
}

function readWords(
  words: readonly (readonly [field: string, sent: string | null | undefined, wanted: string])[],
): Result<void> {
  for (const [field, sent, wanted] of words) {
    const word = parseImpliedWord(sent, wanted, field)
    if (!word.ok) return word
  }
  return ok(undefined)
}
