// Refunds over HTTP (SPEC.md "RefundRequest", CONTRACT section 10).
import { type Static, Type } from 'typebox'
import {
  type App,
  type AppReply,
  type AppRequest,
  answers,
  callerOf,
  described,
  documented,
  idOf,
  idParameter,
  parseAmount,
  readAs,
  requestAmount,
  requestIdSchema,
  sendText,
  textSchema,
} from '../../http/index.ts'
import { withIdempotency } from '../../idempotency/index.ts'
import type { Cents } from '../../kernel/money.ts'
import { ok, type Result, refuse, unwrap } from '../../kernel/result.ts'
import type { Caller } from '../../kernel/values/permissions.ts'
import type { Wallet } from '../../wallets/index.ts'
import { followUpExample, operationFields } from '../answer.ts'
import { rereadOperation } from '../attempts/engine.ts'
import type { MerchantReferences } from '../model.ts'
import { openedOperation, type RefundCeiling } from '../open/open.ts'
import { findOperation } from '../read/store.ts'
import { maySplit } from '../rules.ts'
import {
  dryRun,
  dryRunQuery,
  isDryRun,
  merchantReferenceFields,
  merchantReferencesOf,
  operationOnWire,
} from '../schemas.ts'
import type { ShowPostings } from '../settle/preview.ts'
import { refundSplitSchema } from '../shares/on-wire.ts'
import { declined, previewRefund, type RefundDeps, type RefundRequest, refundOperation } from './refund.ts'

export interface RefundRoutesDeps extends RefundDeps {
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly showPostings: ShowPostings
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if the caller is a user with a refund limit. API keys have none. */
    refundCeiling?: RefundCeiling | undefined
  }
}

const params = idParameter('operation')
type Params = Static<typeof params>

const refundExample = {
  ...followUpExample,
  type: 'REFUND',
  amount: -2.5,
  amount_net: -2.5,
  fee: 0,
  refundable: false,
  notes: 'One bag was damaged',
}

export function refundRoutes(deps: RefundRoutesDeps): (app: App) => void {
  const { wallets } = deps

  async function refund(request: AppRequest, reply: AppReply): Promise<AppReply> {
    const caller = callerOf(request)
    const wallet = await wallets.get(caller.walletId)
    const operationId = unwrap(idOf((request.params as Params).id, 'operation'))
    const body = (request.body ?? {}) as Static<typeof refundBody>
    const draft = unwrap(readRefund(body))
    mayList(caller, draft.split)
    const asked = { ...draft, wallet, operationId, ceiling: request.refundCeiling }
    if (isDryRun(request.query, body)) {
      const {
        refund: planned,
        calculation,
        postings,
      } = await previewRefund(deps, { ...asked, key: undefined })
      const operation = operationOnWire(openedOperation(planned), wallet)
      const booked = await deps.showPostings(postings, wallet)
      return sendText(reply, JSON.stringify({ ...operation, dry_run: true, calculation, postings: booked }))
    }
    return withIdempotency(request, reply, {
      work: (key) => refundOperation(deps, { ...asked, key }),
      reread: (refundId, mayMove) =>
        rereadOperation(
          deps,
          { operationId: refundId, mayMove },
          { wallet, declined, fieldsOf: (one) => deps.railOf(one)?.toAccount?.fieldsOf(one) ?? {} },
        ),
      secret: {
        in: secretIn,
        async of(refundId) {
          const made = await findOperation(deps.database, wallet.id, refundId)
          const toAccount = made && deps.railOf(made)?.toAccount
          if (toAccount === undefined) throw new Error(`refund ${refundId} has no page`)
          return toAccount.secretOf(refundId)
        },
      },
    })
  }

  return (app) => {
    app.post(
      '/api/v2/operations/:id/refund',
      {
        config: {
          auth: { permission: 'refund', whileSuspended: true },
          refusals: [
            'invalid_parameter',
            'missing_parameter',
            'not_found',
            'below_minimum_amount',
            'not_refundable',
            'amount_exceeds_remaining',
            'invalid_split',
            'card_declined',
            'rail_unavailable',
          ],
        },
        schema: {
          operationId: 'refundOperation',
          summary: 'Refund an operation, in part or in full',
          description:
            'Refunds a completed payment or capture by CC, MBWAY, PAYPAL, WALLET or SEPA, and one by MB if your wallet has `mb_refunds`. The answer is the refund, an operation with negative amounts. It is COMPLETED at once, or PENDING if the bank decides later. A refund by MB goes to `iban`, or the payer names the account at `refund_url`. Fees are not refunded.',
          tags: ['Operations'],
          params,
          querystring: dryRunQuery,
          body: refundBody,
          response: answers(refundSchema, refundExample),
        },
      },
      (request, reply) => refund(request, reply) as never,
    )
  }
}

/** The end of the link to the page of the payer. */
function secretIn(body: string): string | undefined {
  if (!body.includes('"refund_url":')) return undefined
  const { refund_url: link } = JSON.parse(body)
  return typeof link === 'string' ? link.slice(link.lastIndexOf('/') + 1) : undefined
}

/** A refund from the owner alone or in proportion to the shares needs no permission to split. */
function mayList(caller: Caller, split: unknown): void {
  const listsNobody = split === undefined || split === null || (Array.isArray(split) && split.length === 0)
  if (!listsNobody) unwrap(maySplit(caller, 'split'))
}

/** Checked only for payments that are refunded to an account: others ignore unknown fields (CONTRACT section 2). */
function accountField(description: string, example: string) {
  return Type.Optional(
    Type.Unknown({
      description,
      ...readAs('filled'),
      ...documented({ type: 'string', examples: [example] }),
    }),
  )
}

const refundSchema = Type.Object(
  {
    ...operationFields,
    refund_url: Type.Optional(
      Type.String({
        description:
          'Only for a refund by MB without `iban`: the page on which the payer types the account, once, until `expires`. Everybody with the link can name the account: send it to the payer alone.',
        examples: ['https://pay.example/refund/0198c2f5-91aa-7d02-8c55-6e1f4a9b2d30/3f1c'],
      }),
    ),
  },
  { title: 'Refund', description: 'A refund.', additionalProperties: true },
)

const refundedAmount = requestAmount('In euros.')

const refundBody = Type.Object(
  {
    ...dryRun,
    // A refund with an amount is partial, without one it is full. If `type` is sent, it must agree.
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
    iban: accountField(
      'Only for payments by MB: account of the payer, in a SEPA country. Default: the payer types it at `refund_url`.',
      'PT50000201231234567890154',
    ),
    name: accountField(
      'Only for payments by MB: name of the account holder. Required with `iban`.',
      'Ana Silva',
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

export interface RefundDraft {
  readonly amount: Cents | undefined
  readonly split: unknown
  readonly merchantReferences: MerchantReferences
  readonly account: RefundRequest['account']
}

/** Refusals: missing_parameter, invalid_parameter naming the field. */
function readRefund(body: Static<typeof refundBody>): Result<RefundDraft> {
  const given = body.amount ?? undefined
  const type = (body.type || (given === undefined ? 'full' : 'partial')).toLowerCase()
  if (type !== 'full' && type !== 'partial') {
    return refuse('invalid_parameter', 'type must be full or partial')
  }
  const account = { iban: body.iban, name: body.name }
  const rest = { split: body.split, merchantReferences: merchantReferencesOf(body), account }
  if (type === 'full') {
    return given === undefined
      ? ok({ amount: undefined, ...rest })
      : refuse('invalid_parameter', 'amount must be left out of a full refund')
  }
  const amount = parseAmount(given, 'amount')
  return amount.ok ? ok({ amount: amount.value, ...rest }) : amount
}
