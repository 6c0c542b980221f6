// Authorizations over HTTP (SPEC.md "Authorizations").
import { Type } from 'typebox'
import {
  type App,
  type AppReply,
  type AppRequest,
  callerOf,
  idOf,
  parsePage,
  sendText,
} from '../http/index.ts'
import { answerOnce } from '../idempotency/index.ts'
import { unwrap } from '../kernel/result.ts'
import {
  dryRunQuery,
  findOperation,
  isDryRun,
  listOperations,
  operationSchema,
  readSharedFilter,
  rereadOperation,
  sharedQuery,
} from '../operations/index.ts'
import {
  authorizationOf,
  captureVerb,
  declined,
  previewTake,
  releaseVerb,
  take as takeOf,
  type Verb,
} from './capture-and-release.ts'
import type { AuthorizationsDeps } from './deps.ts'
import { authorizationSchema, readTake, takeBody } from './schemas.ts'
import { showAuthorizations } from './show.ts'

const auth = { permission: 'authorizations' } as const
const idParameter = Type.Object({ id: Type.String() })
const listQuery = Type.Object(sharedQuery)

const verbs = [
  ['capture', captureVerb, 'Capture an authorization, in part or what remains'],
  ['release', releaseVerb, 'Release an authorization, in part or what remains'],
] as const

export function authorizationRoutes(deps: AuthorizationsDeps): (app: App) => void {
  const { database, wallets } = deps

  async function take(request: AppRequest, reply: AppReply, verb: Verb): Promise<AppReply> {
    const wallet = await wallets.get(callerOf(request).walletId)
    const { id } = request.params as { id: string }
    const authorizationId = unwrap(idOf(id, 'authorization'))
    const asked = unwrap(readTake(request.body as never))
    if (isDryRun(request.query, request.body as never)) {
      const shown = await previewTake(deps, { ...asked, wallet, authorizationId, key: undefined }, verb)
      return sendText(reply, JSON.stringify(shown))
    }
    return answerOnce(request, reply, {
      work: (key) => takeOf(deps, { ...asked, wallet, authorizationId, key }, verb),
      reread: (childId) => rereadOperation(deps, childId, { wallet, declined }),
    })
  }

  return (app) => {
    for (const [word, verb, summary] of verbs) {
      app.post(
        `/api/v2/authorizations/:id/${word}`,
        {
          config: {
            auth: { ...auth, whileSuspended: word === 'release' },
            refusals: [
              'invalid_parameter',
              'not_found',
              'illegal_state',
              'below_minimum_amount',
              'amount_exceeds_remaining',
              ...(word === 'capture' ? (['too_many_captures'] as const) : []),
              'card_declined',
            ],
          },
          schema: {
            summary,
            tags: ['authorizations'],
            params: idParameter,
            querystring: dryRunQuery,
            body: takeBody,
            response: { 200: operationSchema },
          },
        },
        (request, reply) => take(request, reply, verb) as never,
      )
    }

    app.get(
      '/api/v2/authorizations',
      {
        config: { auth, refusals: ['invalid_parameter'] },
        schema: {
          summary: 'List authorizations with their captures and releases, newest first',
          tags: ['authorizations'],
          querystring: listQuery,
          response: {
            200: Type.Object({ total: Type.Integer(), elements: Type.Array(authorizationSchema) }),
          },
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const page = unwrap(parsePage(request.query))
        const filter = { ...unwrap(readSharedFilter(request.query)), types: ['AUTH'] } as const
        const wallet = await wallets.get(walletId)
        const { total, operations } = await listOperations(database, walletId, filter, page)
        return { total, elements: (await showAuthorizations(deps, operations, wallet)) as never }
      },
    )

    app.get(
      '/api/v2/authorizations/:id',
      {
        config: { auth, refusals: ['not_found'] },
        schema: {
          summary: 'Read an authorization with its captures and releases',
          tags: ['authorizations'],
          params: idParameter,
          response: { 200: authorizationSchema },
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const id = unwrap(idOf(request.params.id, 'authorization'))
        const authorization = unwrap(authorizationOf(await findOperation(database, walletId, id), id))
        const [shown] = await showAuthorizations(deps, [authorization], await wallets.get(walletId))
        return shown as never
      },
    )
  }
}
