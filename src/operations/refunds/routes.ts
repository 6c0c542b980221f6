// Refunding and splitting over HTTP (SPEC.md "Operations").
import type { Static } from 'typebox'
import {
  type App,
  type AppReply,
  type AppRequest,
  answers,
  callerOf,
  idOf,
  idParameter,
  sendText,
} from '../../http/index.ts'
import { created, withIdempotency } from '../../idempotency/index.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import type { Caller } from '../../kernel/values/permissions.ts'
import type { Wallet } from '../../wallets/index.ts'
import { cardPaymentExample, followUpExample, operationSchema } from '../answer.ts'
import { rereadOperation } from '../attempts/engine.ts'
import type { Operation } from '../model.ts'
import type { RefundCeiling } from '../open/open.ts'
import { openedOperation } from '../open/open.ts'
import { findOperation } from '../read/store.ts'
import { maySplit } from '../rules.ts'
import { operationOnWire } from '../schemas.ts'
import type { ShowPostings } from '../settle/preview.ts'
import type { ShowShares } from '../shares/on-wire.ts'
import { previewSplit, type SplitDeps, splitOperation } from '../shares/split.ts'
import { declined, previewRefund, type RefundDeps, refundOperation } from './refund.ts'
import { dryRunQuery, isDryRun, readRefund, refundBody, splitBody } from './schemas.ts'

export interface RefundRoutesDeps extends RefundDeps, SplitDeps {
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly showShares: ShowShares
  readonly showPostings: ShowPostings
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by whoever lets somebody in who may refund a part only; of keys there is none. */
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
const dividedExample = {
  ...cardPaymentExample,
  splits: {
    total: 1,
    elements: [
      {
        merchant_wallet: {
          currency: 'EUR',
          name: 'Sub Shop A',
          balance: 6.14,
          public_id: 'HXimu7F2BkqXVaxz',
        },
        amount: '6.14',
        fee_variable: '0.0000',
        fee_fixed: '0.00',
      },
    ],
  },
}

export function refundRoutes(deps: RefundRoutesDeps): (app: App) => void {
  const { database, wallets } = deps

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
      reread: (id) => rereadOperation(deps, id, { wallet, declined }),
    })
  }

  async function split(request: AppRequest, reply: AppReply): Promise<AppReply> {
    const caller = callerOf(request)
    const wallet = await wallets.get(caller.walletId)
    const operationId = unwrap(idOf((request.params as Params).id, 'operation'))
    const body = (request.body ?? {}) as Static<typeof splitBody>
    if (body.split === undefined || body.split === null) {
      return deny('missing_parameter', 'split is required: an array of split descriptors')
    }
    const asked = { wallet, operationId, split: body.split }
    if (isDryRun(request.query, body)) {
      const { operation, shares, calculation, postings } = await previewSplit(deps, {
        ...asked,
        key: undefined,
      })
      const shown = { ...operationOnWire(operation, wallet), splits: await deps.showShares(shares) }
      const booked = await deps.showPostings(postings, wallet)
      return sendText(reply, JSON.stringify({ ...shown, dry_run: true, calculation, postings: booked }))
    }
    return withIdempotency(request, reply, {
      async work(key) {
        const divided = await splitOperation(deps, { ...asked, key })
        return divided && created(await splitAnswerOf(divided, wallet))
      },
      async reread(id) {
        const operation = await findOperation(database, wallet.id, id)
        return operation === undefined
          ? deny('not_found', `there is no operation ${id}`)
          : splitAnswerOf(operation, wallet)
      },
    })
  }

  async function splitAnswerOf(operation: Operation, wallet: Wallet): Promise<string> {
    const [shown] = await deps.show([operation], wallet)
    return JSON.stringify(shown)
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
          summary: 'Refund an operation, in full or in part',
          description:
            'Gives money back of a completed payment or capture by CC, MBWAY, PAYPAL, WALLET or SEPA. The answer is the refund, an operation of its own with negative amounts. It is COMPLETED at once, or PENDING where the bank decides later. Fees are not given back.',
          tags: ['Operations'],
          params,
          querystring: dryRunQuery,
          body: refundBody,
          response: answers(operationSchema, refundExample),
        },
      },
      (request, reply) => refund(request, reply) as never,
    )
    app.post(
      '/api/v2/operations/:id/split',
      {
        config: {
          auth: { permission: 'split', rights: ['marketplace'] },
          refusals: [
            'missing_parameter',
            'not_found',
            'not_splittable',
            'pending_operations',
            'invalid_split',
          ],
        },
        schema: {
          operationId: 'splitOperation',
          summary: 'Divide a completed payment among sub-merchants',
          description:
            'For payments and captures that were made without split rules, were never divided and of which nothing was refunded. Net of a share: `(1 - fee_variable) * fraction * (amount - fee) - fee_fixed`, rounded to the cent; what remains stays with you. The answer is the operation with its `splits`.',
          tags: ['Operations'],
          params,
          querystring: dryRunQuery,
          body: splitBody,
          response: answers(operationSchema, dividedExample),
        },
      },
      (request, reply) => split(request, reply) as never,
    )
  }
}

/** Who may refund may do so in proportion, or alone; naming who else pays needs what splitting needs. */
function mayList(caller: Caller, split: unknown): void {
  const listsNobody = split === undefined || split === null || (Array.isArray(split) && split.length === 0)
  if (!listsNobody) unwrap(maySplit(caller, 'split'))
}
