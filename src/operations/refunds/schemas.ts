// Refunds and splits on the wire: what may be asked for (SPEC.md "RefundRequest", CONTRACT section 10).
import { type Static, Type } from 'typebox'
import {
  described,
  documented,
  parseAmount,
  readAs,
  requestAmount,
  requestIdSchema,
  textSchema,
} from '../../http/index.ts'
import type { Cents } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { MerchantReferences } from '../model.ts'
import { merchantReferenceFields, merchantReferencesOf, refundSplitSchema, splitSchema } from '../schemas.ts'

const refundedAmount = requestAmount('In euros.')

/** Computes and answers without doing. Whoever says so in the body means it as much. */
export const dryRun = {
  dry_run: Type.Optional(
    Type.Boolean({
      description: 'True or false.',
      default: false,
      ...documented({ description: 'Whether to compute and answer without doing anything: true or false.' }),
    }),
  ),
}

export const refundBody = Type.Object(
  {
    ...dryRun,
    // Full without an amount, partial with one, and nothing else: the amount says it all.
    type: Type.Optional(
      described(
        textSchema(10, readAs('implied')),
        'full: all that is left. partial: `amount`. Where it is left out, the amount decides.',
        { type: 'string', enum: ['full', 'partial'] },
      ),
    ),
    amount: Type.Optional(
      Type.Union([refundedAmount, Type.Null()], {
        description: 'What is given back, at most what is left; left out of a full refund.',
      }),
    ),
    split: Type.Optional(
      described(
        refundSplitSchema,
        'Of a divided payment: who gives it back. Left out: each sub-merchant in proportion to what it received. An empty array: you alone. Else the wallets that are named, in equal parts or by `amount_fraction`.',
      ),
    ),
    ...merchantReferenceFields,
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'RefundRequest',
    description: 'What is given back; without a body all that is left.',
    examples: [{ type: 'partial', amount: 2.5, notes: 'One bag was damaged' }],
  },
)

export const splitBody = Type.Object(
  {
    ...dryRun,
    split: Type.Optional(splitSchema),
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'SplitRequest',
    description: 'Among whom it is divided.',
    examples: [{ split: [{ merchant_wallet: 'HXimu7F2BkqXVaxz', amount_fraction: '0.6' }] }],
    ...documented({ required: ['split'] }),
  },
)

export const dryRunQuery = Type.Object(dryRun)

/** Whether the query or the body says that nothing is to be done. */
export function isDryRun(query: unknown, body: Static<typeof dryRunQuery>): boolean {
  return body.dry_run === true || (query as Static<typeof dryRunQuery>).dry_run === true
}

export interface RefundDraft {
  /** In cents; undefined for all that is left. */
  readonly amount: Cents | undefined
  readonly split: unknown
  readonly merchantReferences: MerchantReferences
}

/**
 * Reads a refund. Without a type it is partial where it names an amount, and full where not.
 *
 * Refusals: missing_parameter, invalid_parameter naming the field.
 */
export function readRefund(body: Static<typeof refundBody>): Result<RefundDraft> {
  const given = body.amount ?? undefined
  const type = (body.type || (given === undefined ? 'full' : 'partial')).toLowerCase()
  if (type !== 'full' && type !== 'partial') {
    return refuse('invalid_parameter', 'type must be full or partial')
  }
  const rest = { split: body.split, merchantReferences: merchantReferencesOf(body) }
  if (type === 'full') {
    return given === undefined
      ? ok({ amount: undefined, ...rest })
      : refuse(
          'invalid_parameter',
          'amount must be left out of a full refund: it gives back all that is left',
        )
  }
  const amount = parseAmount(given, 'amount')
  return amount.ok ? ok({ amount: amount.value, ...rest }) : amount
}
