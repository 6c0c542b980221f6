// Listing and reading operations over HTTP.
import { Type } from 'typebox'
import { type App, callerOf, idOf, parsePage, sendText } from '../http/index.ts'
import { refuse, unwrap } from '../kernel/result.ts'
import { type Database, type PageOfList, readTogether } from '../storage/index.ts'
import type { Wallet } from '../wallets/index.ts'
import { listQuery, readFilter } from './read/filter.ts'
import { listShownOperations, type OperationFilter } from './read/list.ts'
import { findOperation } from './read/store.ts'
import { operationSchema } from './schemas.ts'
import type { ShowOperations } from './shares/on-wire.ts'

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

/** `GET /api/v2/operations` and `GET /api/v2/operations/id` (SPEC.md "Operations"). */
export function operationRoutes({ database, wallets, show }: OperationRoutesDeps): (app: App) => void {
  /** The list as it is answered: callers who ask for the same at the same time share it. */
  const listText = readTogether<AskedList, string>(
    ({ walletId, filter, page }) => `${walletId} ${JSON.stringify([filter, page])}`,
    async ({ walletId, filter, page }) => {
      const wallet = await wallets.get(walletId)
      const { total, operations } = await listShownOperations(database, walletId, filter, page)
      return JSON.stringify({ total, elements: await show(operations, wallet) })
    },
  )

  return (app) => {
    app.get(
      '/api/v2/operations',
      {
        config: { auth: { permission: 'operations' }, refusals: ['invalid_parameter'] },
        schema: {
          summary: 'List operations, newest first',
          tags: ['operations'],
          querystring: listQuery,
          response: { 200: Type.Object({ total: Type.Integer(), elements: Type.Array(operationSchema) }) },
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
          summary: 'Read an operation',
          tags: ['operations'],
          params: Type.Object({ id: Type.String() }),
          response: { 200: operationSchema },
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        const id = unwrap(idOf(request.params.id, 'operation'))
        const operation = await findOperation(database, walletId, id)
        if (operation === undefined) return unwrap(refuse('not_found', `there is no operation ${id}`))
        const [shown] = await show([operation], await wallets.get(walletId))
        return sendText(reply, JSON.stringify(shown))
      },
    )
  }
}
