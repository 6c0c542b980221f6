// Authorizations over HTTP (SPEC.md "Authorizations").
import { Type } from 'typebox'
import {
  type App,
  type AppReply,
  type AppRequest,
  answers,
  callerOf,
  idOf,
  idParameter,
  listOf,
  parsePage,
  sendText,
} from '../http/index.ts'
import { withIdempotency } from '../idempotency/index.ts'
import { unwrap } from '../kernel/result.ts'
import {
  dryRunQuery,
  followUpExample,
  isDryRun,
  listOperations,
  movementsListedMax,
  movementsReadMax,
  readSharedFilter,
  rereadOperation,
  sharedQuery,
  showAuthorizations,
} from '../operations/for-movements.ts'
import { findOperation, operationSchema } from '../operations/index.ts'
import {
  authorizationOf,
  captureVerb,
  declined,
  previewTake,
  releaseVerb,
  take as takeOf,
  type Verb,
} from './capture-and-release.ts'
import type { AuthorizationsDeps } from './lapsing.ts'
import { authorizationExample, authorizationSchema, readTake, takeBody } from './schemas.ts'

const auth = { permission: 'authorizations' } as const
const parameters = idParameter('authorization')
const listQuery = Type.Object(sharedQuery)
const listSchema = listOf(authorizationSchema, 'AuthorizationList', 'A page of authorizations.')

const verbs = [
  [
    'capture',
    captureVerb,
    'Capture an authorization, in part or in full',
    'Charges a part of the hold. At most 10 captures; their total is at most the authorized amount minus the releases. The answer is the capture, an operation whose `parent` is the authorization.',
    { ...followUpExample, type: 'CAPTURE', amount: 5, amount_net: 4.8, fee: -0.2 },
  ],
  [
    'release',
    releaseVerb,
    'Release an authorization, in part or in full',
    'Releases a part of the hold, which the customer can then spend again. After the first capture the gateway refuses it. To capture a part and release the rest, release first. The answer is the release, an operation whose `parent` is the authorization.',
    { ...followUpExample, type: 'RELEASE', amount: 5, amount_net: 5, fee: 0, refundable: false },
  ],
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
    return withIdempotency(request, reply, {
      work: (key) => takeOf(deps, { ...asked, wallet, authorizationId, key }, verb),
      reread: (operationId, mayMove) => rereadOperation(deps, { operationId, mayMove }, { wallet, declined }),
    })
  }

  return (app) => {
    for (const [word, verb, summary, description, example] of verbs) {
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
              'rail_unavailable',
            ],
          },
          schema: {
            operationId: `${word}Authorization`,
            summary,
            description,
            tags: ['Authorizations'],
            params: parameters,
            querystring: dryRunQuery,
            body: takeBody,
            response: answers(operationSchema, {
              ...example,
              ext_invoiceid: '2026-0042',
              expires: '2026-04-01T17:30:00+0000',
            }),
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
          operationId: 'listAuthorizations',
          summary: 'List authorizations with their captures and releases, newest first',
          description: 'All authorizations of your wallet that match all filters.',
          tags: ['Authorizations'],
          querystring: listQuery,
          response: answers(listSchema, { total: 1, elements: [authorizationExample] }),
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const page = unwrap(parsePage(request.query))
        const filter = { ...unwrap(readSharedFilter(request.query)), types: ['AUTH'] } as const
        const wallet = await wallets.get(walletId)
        const { total, operations } = await listOperations(database, walletId, filter, page)
        const elements = await showAuthorizations(deps, operations, wallet, movementsListedMax)
        return { total, elements: elements as never }
      },
    )

    app.get(
      '/api/v2/authorizations/:id',
      {
        config: { auth, refusals: ['not_found'] },
        schema: {
          operationId: 'getAuthorization',
          summary: 'Read an authorization with its captures and releases',
          description:
            'The rest of the hold is the amount minus all captures and releases, without failed ones.',
          tags: ['Authorizations'],
          params: parameters,
          response: answers(authorizationSchema, authorizationExample),
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const id = unwrap(idOf(request.params.id, 'authorization'))
        const authorization = unwrap(authorizationOf(await findOperation(database, walletId, id), id))
        const wallet = await wallets.get(walletId)
        const [shown] = await showAuthorizations(deps, [authorization], wallet, movementsReadMax)
        return shown as never
      },
    )
  }
}
