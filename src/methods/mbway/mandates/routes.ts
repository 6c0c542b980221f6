// Mandates over HTTP (SPEC.md "Mobile-wallet mandates").
import { Type } from 'typebox'
import {
  type App,
  answers,
  callerOf,
  describeWebhooks,
  exampleId,
  idOf,
  idParameter,
  listOf,
  parsePage,
} from '../../../http/index.ts'
import { withIdempotency } from '../../../idempotency/index.ts'
import { lisbonDayOf } from '../../../kernel/lisbon.ts'
import { deny, unwrap } from '../../../kernel/result.ts'
import type { MbwayDeps } from '../deps.ts'
import { monthOf } from './allowances-store.ts'
import { requestMandate } from './changes/create.ts'
import { endMandate } from './changes/end.ts'
import { findMandate } from './changes/move.ts'
import { webhooks } from './events.ts'
import { listMandates, mandateListQuery, readMandateFilter } from './list.ts'
import type { Mandate } from './model.ts'
import {
  mandateBody,
  mandateExample,
  mandateOnWire,
  mandateSchema,
  readMandate,
  requestedSchema,
} from './schemas.ts'

const auth = { permission: 'mandates', rights: ['partner'] } as const
const parameters = idParameter('mandate')
const listSchema = listOf(mandateSchema, 'MandateList', 'A page of mandates.')

export function mandateRoutes(deps: MbwayDeps): (app: App) => void {
  const { database, clock } = deps

  async function mandateWith(walletId: bigint, text: string): Promise<Mandate> {
    const id = unwrap(idOf(text, 'mandate'))
    const mandate = await findMandate(deps, walletId, id)
    return mandate ?? deny('not_found', `there is no mandate ${id}`)
  }

  return (app) => {
    describeWebhooks(app, webhooks)
    app.post(
      '/api/v2/mandate/mbway',
      {
        config: {
          auth,
          refusals: ['missing_parameter', 'invalid_parameter', 'too_many_requests', 'rail_unavailable'],
        },
        schema: {
          operationId: 'createMandate',
          summary: 'Ask a customer for a mandate',
          description:
            'Asks the customer on the phone. The customer has 4 minutes to approve and to set a monthly limit. A callback reports the result. A number that is not registered with the mobile wallet is refused with 10002.',
          tags: ['Mobile wallet'],
          body: mandateBody,
          response: answers(requestedSchema, { state: 'REQUESTED', mandate_id: exampleId }),
        },
      },
      (request, reply) => {
        const { walletId } = callerOf(request)
        return withIdempotency(request, reply, {
          work: async (key) =>
            requestMandate(deps, walletId, unwrap(readMandate(request.body, deps.mode)), key),
        }) as never
      },
    )

    app.get(
      '/api/v2/mandate/mbway',
      {
        config: { auth, refusals: ['invalid_parameter'] },
        schema: {
          operationId: 'listMandates',
          summary: 'List mandates, newest first',
          description: 'The mandates of your wallet that match all filters.',
          tags: ['Mobile wallet'],
          querystring: mandateListQuery,
          response: answers(listSchema, { total: 1, elements: [mandateExample] }),
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const page = unwrap(parsePage(request.query))
        const filter = readMandateFilter(request.query)
        const month = monthOf(lisbonDayOf(clock.now()))
        const { total, mandates } = await listMandates(database, walletId, filter, page, month)
        return { total, elements: mandates.map(mandateOnWire) }
      },
    )

    app.get(
      '/api/v2/mandate/mbway/:id',
      {
        config: { auth, refusals: ['not_found'] },
        schema: {
          operationId: 'getMandate',
          summary: 'Read a mandate',
          description: 'A mandate with its limit and the rest for this month.',
          tags: ['Mobile wallet'],
          params: parameters,
          response: answers(mandateSchema, mandateExample),
        },
      },
      async (request) => mandateOnWire(await mandateWith(callerOf(request).walletId, request.params.id)),
    )

    app.delete(
      '/api/v2/mandate/mbway/:id',
      {
        config: { auth, refusals: ['not_found', 'illegal_state'] },
        schema: {
          operationId: 'endMandate',
          summary: 'End a mandate',
          description:
            'Ends the mandate and sends a callback. The answer has no body. A mandate that has ended before is refused with 10013.',
          tags: ['Mobile wallet'],
          params: parameters,
          response: { 200: Type.Unsafe<undefined>({ type: 'null', description: 'Done' }) },
        },
      },
      async (request, reply) => {
        const mandate = await mandateWith(callerOf(request).walletId, request.params.id)
        const ended = unwrap(await endMandate(deps, mandate))
        request.changes = [{ field: `mandate ${mandate.id}`, old: mandate.state, new: ended.state }]
        return reply.send(undefined)
      },
    )
  }
}
