// Mandates over HTTP (SPEC.md "Mobile-wallet mandates").
import { Type } from 'typebox'
import { type App, callerOf, idOf, parsePage } from '../http/index.ts'
import { answerOnce } from '../idempotency/index.ts'
import { lisbonDayOf } from '../kernel/lisbon.ts'
import { refuse, unwrap } from '../kernel/result.ts'
import { requestMandate } from './changes/create.ts'
import { endMandate } from './changes/end.ts'
import { findMandate } from './changes/move.ts'
import type { MandatesDeps } from './deps.ts'
import { monthOf } from './limits/allowances-store.ts'
import { mandateListQuery, readMandateFilter } from './lists/filters.ts'
import { listMandates } from './lists/list-store.ts'
import type { Mandate } from './model.ts'
import { mandateBody, mandateOnWire, mandateSchema, readMandate, requestedSchema } from './schemas.ts'

const auth = { permission: 'mandates', rights: ['partner'] } as const
const idParameter = Type.Object({ id: Type.String() })

export function mandateRoutes(deps: MandatesDeps): (app: App) => void {
  const { database, clock } = deps

  async function mandateWith(walletId: bigint, text: string): Promise<Mandate> {
    const id = unwrap(idOf(text, 'mandate'))
    const mandate = await findMandate(deps, walletId, id)
    return mandate ?? unwrap(refuse('not_found', `there is no mandate ${id}`))
  }

  return (app) => {
    app.post(
      '/api/v2/mandate/mbway',
      {
        config: {
          auth,
          refusals: ['missing_parameter', 'invalid_parameter', 'too_many_requests', 'rail_unavailable'],
        },
        schema: {
          summary: 'Ask a customer for a mandate',
          tags: ['mandates'],
          body: mandateBody,
          response: { 200: requestedSchema },
        },
      },
      (request, reply) => {
        const { walletId } = callerOf(request)
        return answerOnce(request, reply, {
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
          summary: 'List mandates, newest first',
          tags: ['mandates'],
          querystring: mandateListQuery,
          response: { 200: Type.Object({ total: Type.Integer(), elements: Type.Array(mandateSchema) }) },
        },
      },
      async (request) => {
        const { walletId } = callerOf(request)
        const page = unwrap(parsePage(request.query))
        const filter = unwrap(readMandateFilter(request.query))
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
          summary: 'Read a mandate',
          tags: ['mandates'],
          params: idParameter,
          response: { 200: mandateSchema },
        },
      },
      async (request) => mandateOnWire(await mandateWith(callerOf(request).walletId, request.params.id)),
    )

    app.delete(
      '/api/v2/mandate/mbway/:id',
      {
        config: { auth, refusals: ['not_found', 'illegal_state'] },
        schema: { summary: 'End a mandate', tags: ['mandates'], params: idParameter },
      },
      async (request, reply) => {
        unwrap(await endMandate(deps, await mandateWith(callerOf(request).walletId, request.params.id)))
        return reply.send()
      },
    )
  }
}
