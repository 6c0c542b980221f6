// Automatic charges on the wire.
import { type Static, Type } from 'typebox'
import {
  amountField,
  amountOnWire,
  coerceStringToNumber,
  dayField,
  described,
  parseAmount,
  referenceSchema,
  requestAmount,
  wordField,
} from '../../http/index.ts'
import { type Cents, decimalText } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { amountWithinRange, itemsOf, itemsSchema } from '../../operations/index.ts'
import type { NewCharge, Terms } from '../model.ts'
import { type AutoCharge, type AutoChargeTerms, autoChargeStatuses } from './model.ts'
import { isSoft, nextDayOf, retriesDefault } from './rules.ts'

/** Leaves room for the number in a reference of 45 characters. */
const referenceLengthMax = 38
const maxChargesMost = 10_000
const retriesMax = 8
const retryDaysMax = 60

export const autoChargeBody = Type.Object(
  {
    amount: Type.Optional(
      requestAmount('Charged in each cycle, at most `amount` of the subscription. Required at first.'),
    ),
    ext_invoiceid: Type.Optional(
      described(
        referenceSchema(referenceLengthMax),
        'Your reference. Each charge gets its number after it: `CLUB` becomes `CLUB-1`, `CLUB-2`.',
      ),
    ),
    items: Type.Optional(itemsSchema),
    max_charges: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxChargesMost,
        description: 'Number of cycles to charge, also those that fail. Default: no end.',
        examples: [12],
        ...coerceStringToNumber,
      }),
    ),
    retries: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: retryDaysMax, description: 'Days.' }), {
        maxItems: retriesMax,
        description: `Days from the first attempt of a cycle to each further one, ascending. Default: [${retriesDefault.join(', ')}]. [] makes one attempt.`,
        examples: [[1, 3, 5, 7]],
      }),
    ),
  },
  { title: 'AutoChargeRequest', description: 'A charge that the gateway makes in each cycle.' },
)

export const changeBody = Type.Object(
  { auto_charge: autoChargeBody },
  {
    title: 'SubscriptionChangeRequest',
    description: 'Absent fields keep their value.',
    examples: [{ auto_charge: { amount: 12.5 } }],
  },
)

/**
 * The new terms: those asked, and the `current` ones for absent fields.
 * Refusals: missing_parameter, invalid_parameter, below_minimum_amount, above_maximum_amount.
 */
export function readAutoCharge(
  asked: Static<typeof autoChargeBody>,
  {
    field,
    limit,
    current,
  }: { readonly field: string; readonly limit: Cents; readonly current?: AutoCharge | undefined },
): Result<AutoChargeTerms> {
  const amount = amountOf(asked, field, current)
  if (!amount.ok) return amount
  if (amount.value > limit) {
    const most = `${decimalText(limit)}, which the customer allows in each cycle`
    return refuse('invalid_parameter', `${field}.amount must be at most ${most}`)
  }
  const retries = asked.retries ?? current?.retries ?? retriesDefault
  if (retries.some((days, index) => index > 0 && days <= (retries[index - 1] ?? 0))) {
    return refuse('invalid_parameter', `${field}.retries must be ascending days, such as [1, 3, 5, 7]`)
  }
  const maxCharges = asked.max_charges ?? current?.maxCharges
  const made = current?.number ?? 0
  if (maxCharges !== undefined && maxCharges < made) {
    return refuse(
      'invalid_parameter',
      `${field}.max_charges must be at least ${made}, the charges already made`,
    )
  }
  return ok({
    amount: amount.value,
    extInvoiceId: asked.ext_invoiceid || current?.extInvoiceId,
    items: itemsOf(asked.items) ?? current?.items,
    maxCharges,
    retries,
  })
}

function amountOf(
  { amount }: Static<typeof autoChargeBody>,
  field: string,
  current: AutoCharge | undefined,
): Result<Cents> {
  if (amount === undefined) {
    return current === undefined
      ? refuse('missing_parameter', `${field}.amount is required`)
      : ok(current.amount)
  }
  const digits = parseAmount(amount, `${field}.amount`)
  return digits.ok ? amountWithinRange(digits.value, `${field}.amount`) : digits
}

export const resultWords = ['CHARGING', 'PAID', 'RETRYING', 'FAILED'] as const

export const autoChargeSchema = Type.Object(
  {
    status: wordField(
      autoChargeStatuses,
      'NEW until the customer accepts. ACTIVE, PAUSED (by you), or ENDED: no further charge.',
    ),
    amount: amountField('Charged in each cycle that is not charged yet.'),
    ext_invoiceid: Type.Optional(Type.String({ description: 'Your reference, without the number.' })),
    items: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), { description: 'Lines.' }),
    ),
    max_charges: Type.Optional(Type.Integer({ description: 'Number of cycles to charge.' })),
    retries: Type.Array(Type.Integer(), {
      description: 'Days from the first attempt of a cycle to each further one.',
    }),
    charges: Type.Integer({ description: 'Number of cycles charged, also those that failed.' }),
    latest: Type.Optional(
      Type.Object(
        {
          charge_id: Type.String({ format: 'uuid', description: 'The charge.' }),
          attempt: Type.Integer({ description: 'Number of the attempt in the cycle.' }),
          result: wordField(
            resultWords,
            'CHARGING: no answer yet. RETRYING: refused, another attempt follows. FAILED: no attempt follows in this cycle.',
          ),
          error: Type.Optional(Type.String({ description: 'Reason of the refusal, in a word.' })),
        },
        { title: 'LatestAutoCharge', description: 'The latest attempt.' },
      ),
    ),
    next_on: Type.Optional(dayField('Lisbon day of the next attempt, at 08:00. Absent after the last.')),
  },
  { title: 'AutoCharge', description: 'A charge that the gateway makes in each cycle.' },
)

export const autoChargeExample = {
  status: 'ACTIVE',
  amount: 9.99,
  ext_invoiceid: 'CLUB',
  max_charges: 12,
  retries: [1, 3, 5, 7],
  charges: 2,
  latest: { charge_id: '0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30', attempt: 1, result: 'PAID' },
  next_on: '2026-05-01',
}

/** A refusal without a decision yet is shown as the decision will be. */
export function autoChargeOnWire(auto: AutoCharge, terms: Terms): Record<string, unknown> {
  const { chargeId, outcome, error, attempt } = auto
  const result = outcome === 'REFUSED' ? 'FAILED' : outcome
  return {
    status: auto.status,
    amount: amountOnWire(auto.amount),
    ext_invoiceid: auto.extInvoiceId,
    items: auto.items,
    max_charges: auto.maxCharges,
    retries: auto.retries,
    charges: auto.number,
    latest: outcome && { charge_id: chargeId, attempt, result, error },
    next_on: nextDayOf(auto, terms),
  }
}

const dayOrNull = (description: string) =>
  Type.Unsafe<string | null>({ anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }], description })

/** In charges and their callbacks. */
export const numberedSchema = Type.Object(
  {
    number: Type.Integer({ description: 'Number of the charge; its attempts share it.' }),
    attempt: Type.Integer({ description: 'Number of the attempt in the cycle.' }),
    retry_on: dayOrNull('Lisbon day of the next attempt. Null if none follows in this cycle.'),
    next_on: dayOrNull("Lisbon day of the next cycle's charge. Null after the last."),
  },
  { title: 'NumberedCharge', description: 'Number of an automatic charge, and the next attempt or cycle.' },
)

export function numberedOnWire(
  { number, attempt, retryOn, nextOn }: NewCharge,
  error: string | undefined,
): Record<string, unknown> {
  return { number, attempt, retry_on: isSoft(error) ? (retryOn ?? null) : null, next_on: nextOn ?? null }
}
