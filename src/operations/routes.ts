// Operations over HTTP: list and read.
import { Type } from 'typebox'
import {
  type App,
  answers,
  callerOf,
  describeWebhooks,
  idOf,
  idParameter,
  listOf,
  parsePage,
  sendText,
} from '../http/index.ts'
import { deny, unwrap } from '../kernel/result.ts'
import { type Database, type PageOfList, sharedRead } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { cardPaymentExample, operationFields, operationSchema } from './answer.ts'
import { webhooks } from './callback.ts'
import { listQuery, readFilter } from './read/filter.ts'
import { listShownOperations, type OperationFilter } from './read/list.ts'
import { movementsReadMax, showAuthorizations } from './read/movements.ts'
import { findOperation } from './read/store.ts'
import type { ShowOperations } from './shares/on-wire.ts'

const listSchema = listOf(operationSchema, 'OperationList', 'A page of operations.')

const movements = (what: string) =>
  Type.Optional(
    Type.Array(operationSchema, { description: `Only for an authorization: its ${what}, oldest first.` }),
  )
const readSchema = Type.Object(
  { ...operationFields, captures: movements('captures'), releases: movements('releases') },
  {
    title: 'OperationRead',
    description: 'A movement of money; an authorization has its captures and releases.',
    additionalProperties: true,
  },
)

export interface OperationRoutesDeps {
  readonly database: Database
  readonly wallets: { get(walletId: bigint): Promise<Wallet> }
  readonly show: ShowOperations
}

interface AskedList {
  readonly walletId: bigint
  readonly filter: OperationFilter
  readonly page: PageOfList
}

export function operationRoutes({ database, wallets, show }: OperationRoutesDeps): (app: App) => void {
  /** Parallel requests with the same query share one read. */
  const listText = sharedRead<AskedList, string>(
    ({ walletId, filter, page }) => `${walletId} ${JSON.stringify([filter, page])}`,
    async ({ walletId, filter, page }) => {
      const wallet = await wallets.get(walletId)
      const { total, operations } = await listShownOperations(database, walletId, filter, page)
      return JSON.stringify({ total, elements: await show(operations, wallet) })
    },
  )

  return (app) => {
    describeWebhooks(app, webhooks)
    app.get(
      '/api/v2/operations',
      {
        config: { auth: { permission: 'operations' }, refusals: ['invalid_parameter'] },
        schema: {
          operationId: 'listOperations',
          summary: 'List operations, newest first',
          description:
            'All operations of your wallet that match all filters. Divided payments have their `splits`.',
          tags: ['Operations'],
          querystring: listQuery,
          response: answers(listSchema, { total: 1, elements: [cardPaymentExample] }),
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        const page = unwrap(parsePage(request.query))
        const filter = unwrap(readFilter(request.query))
        return sendText(reply, await listText({ walletId, filter, page }))
      },
    )

    app.get(
      '/api/v2/operations/:id',
      {
        config: { auth: { permission: 'operations' }, refusals: ['not_found'] },
        schema: {
          operationId: 'getOperation',
          summary: 'Read an operation',
          description:
            'Shows the current status. A payment has its items and, if divided, its `splits`. An authorization has its `captures` and `releases`, as in `GET /api/v2/authorizations/{id}`.',
          tags: ['Operations'],
          params: idParameter('operation'),
          response: answers(readSchema, cardPaymentExample),
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        const id = unwrap(idOf(request.params.id, 'operation'))
        const operation = await findOperation(database, walletId, id)
        if (operation === undefined) return deny('not_found', `operation ${id} does not exist`)
        const wallet = await wallets.get(walletId)
        const [shown] =
          operation.type === 'AUTH'
            ? await showAuthorizations({ database, show }, [operation], wallet, movementsReadMax)
            : await show([operation], wallet)
        return sendText(reply, JSON.stringify(shown))
      },
    )
  }
}
