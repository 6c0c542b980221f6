// Refunds and splits on the wire (SPEC.md "RefundRequest", CONTRACT section 10).
import { type Static, Type } from 'typebox'
import {
  askedAmount,
  described,
  documented,
  parseAmount,
  readAs,
  requestIdSchema,
  textSchema,
} from '../../http/index.ts'
import type { Cents } from '../../kernel/money.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { MerchantReferences } from '../model.ts'
import { merchantReferenceFields, merchantReferencesOf, refundSplitSchema, splitSchema } from '../schemas.ts'

const refundedAmount = askedAmount('In euros.')

/** Also accepted in the body. */
export const dryRun = {
  dry_run: Type.Optional(
    Type.Boolean({
      description: 'True or false.',
      default: false,
      ...documented({ description: '`true` for a preview that changes nothing. Default: `false`.' }),
    }),
  ),
}

export const refundBody = Type.Object(
  {
    ...dryRun,
    // With an amount it is partial, without one full; `type` must agree.
    type: Type.Optional(
      described(
        textSchema(10, readAs('implied')),
        'full: the rest of the payment. partial: `amount`. Default: partial with an `amount`, else full.',
        { type: 'string', enum: ['full', 'partial'] },
      ),
    ),
    amount: Type.Optional(
      Type.Union([refundedAmount, Type.Null()], {
        description: 'Amount to refund, at most the rest. Leave it out of a full refund.',
      }),
    ),
    split: Type.Optional(
      described(
        refundSplitSchema,
        'Only for divided payments: the wallets that pay the refund. Default: each sub-merchant in proportion. `[]`: you alone. A list: those wallets, in equal parts or by `amount_fraction`.',
      ),
    ),
    ...merchantReferenceFields,
    request_id: Type.Optional(requestIdSchema),
  },
  {
    title: 'RefundRequest',
    description: 'The refund. Default: the rest of the payment.',
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
    description: 'Sub-merchants that receive a share.',
    examples: [{ split: [{ merchant_wallet: 'HXimu7F2BkqXVaxz', amount_fraction: '0.6' }] }],
    ...documented({ required: ['split'] }),
  },
)

export const dryRunQuery = Type.Object(dryRun)

export function isDryRun(query: unknown, body: Static<typeof dryRunQuery>): boolean {
  return body.dry_run === true || (query as Static<typeof dryRunQuery>).dry_run === true
}

export interface RefundDraft {
  readonly amount: Cents | undefined
  readonly split: unknown
  readonly merchantReferences: MerchantReferences
}

/** Refusals: missing_parameter, invalid_parameter naming the field. */
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
      : refuse('invalid_parameter', 'amount must be left out of a full refund')
  }
  const amount = parseAmount(given, 'amount')
  return amount.ok ? ok({ amount: amount.value, ...rest }) : amount
}
