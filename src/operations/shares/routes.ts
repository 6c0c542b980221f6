// Manual splits over HTTP (SPEC.md "Operations").
import { type Static, Type } from 'typebox'
import {
  type App,
  type AppReply,
  type AppRequest,
  answers,
  callerOf,
  documented,
  idOf,
  idParameter,
  requestIdSchema,
  sendText,
} from '../../http/index.ts'
import { created, withIdempotency } from '../../idempotency/index.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import type { Wallet } from '../../wallets/index.ts'
import { cardPaymentExample, operationSchema } from '../answer.ts'
import type { Operation } from '../model.ts'
import { findOperation } from '../read/store.ts'
import { dryRun, dryRunQuery, isDryRun, operationOnWire } from '../schemas.ts'
import type { ShowPostings } from '../settle/preview.ts'
import { type ShowOperations, type ShowShares, splitSchema } from './on-wire.ts'
import { previewSplit, type SplitDeps, splitOperation } from './split.ts'

const params = idParameter('operation')
type Params = Static<typeof params>

const splitBody = Type.Object(
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

export interface SplitRoutesDeps extends SplitDeps {
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly show: ShowOperations
  readonly showShares: ShowShares
  readonly showPostings: ShowPostings
}

export function splitRoutes(deps: SplitRoutesDeps): (app: App) => void {
  const { database, wallets } = deps

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
          ? deny('not_found', `operation ${id} does not exist`)
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
            'For payments and captures without split rules that were never divided or refunded. Net of a share: `(1 - fee_variable) * fraction * (amount - fee) - fee_fixed`, rounded to the cent. You keep the rest. The answer is the operation with its `splits`.',
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
