// GET /api/v2/events: every event of the wallet in order, for a program that was out of reach.
import { Type } from 'typebox'
import { type App, callerOf, dateOnWire, sendText } from '../../http/index.ts'
import { isUuid } from '../../kernel/random.ts'
import { ok, type Result, refuse, unwrap } from '../../kernel/result.ts'
import type { Database } from '../../storage/index.ts'
import { deliveryStates } from '../model.ts'
import { beforeAllEvents, type EventInFeed, eventsAfter } from './store.ts'

const limitDefault = 100
const limitMax = 100

const eventSchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The webhook-id of every attempt to deliver it.' }),
  kind: Type.String({
    description: 'What it is about: operation, card_stored, mandate, subscription, charge.',
  }),
  event: Type.String({ description: 'The status reached, or the word of the event.' }),
  date: Type.String(),
  body: Type.Unknown({ description: 'The body of the callback, exactly as it is sent.' }),
  delivery: Type.Object({
    state: Type.Enum([...deliveryStates]),
    attempts: Type.Integer(),
    url: Type.Optional(
      Type.String({ description: 'Where the call that made it named an address of its own.' }),
    ),
    last_status: Type.Optional(Type.Integer()),
    last_error: Type.Optional(Type.String()),
    next_attempt: Type.Optional(Type.String()),
  }),
})

const answerSchema = Type.Object({
  events: Type.Array(eventSchema),
  next: Type.String({
    description: 'To be given as `after` the next time, also when there is nothing more yet.',
  }),
  more: Type.Boolean({ description: 'Whether there are more at this moment.' }),
})

const query = Type.Object({
  after: Type.Optional(
    Type.String({
      description: '`next` of the answer before, or the id of an event. Without it from the beginning.',
    }),
  ),
  limit: Type.Optional(Type.String({ description: `A whole number from 1 to ${limitMax} (the default).` })),
})

/** The route by which a merchant's program catches up with its events. */
export function feedRoutes({ database }: { readonly database: Database }): (app: App) => void {
  return (app) => {
    app.get(
      '/api/v2/events',
      {
        config: { auth: { permission: 'callbacks' }, refusals: ['invalid_parameter'] },
        schema: {
          summary: 'Read events after one that is known, oldest first',
          tags: ['callbacks'],
          querystring: query,
          response: { 200: answerSchema },
        },
      },
      async (request, reply) => {
        const limit = unwrap(limitOf(request.query.limit))
        const after = unwrap(cursorOf(request.query.after))
        const { walletId } = callerOf(request)
        const found = await eventsAfter(database, walletId, after, limit + 1)
        if (found === undefined) return unwrap(unknownCursor)
        const shown = found.slice(0, limit)
        const next = shown.at(-1)?.id ?? after
        const more = found.length > limit
        const answer = `{"events":[${shown.map(eventText).join(',')}],"next":"${next}","more":${more}}`
        return sendText(reply, answer)
      },
    )
  }
}

const unknownCursor = refuse(
  'invalid_parameter',
  'after must be next of an earlier answer, or the id of an event of this wallet',
)

function cursorOf(after: string | undefined): Result<string> {
  if (after === undefined || after === '') return ok(beforeAllEvents)
  return isUuid(after) ? ok(after.toLowerCase()) : unknownCursor
}

function limitOf(text: string | undefined): Result<number> {
  const limit = text === undefined ? limitDefault : /^\d{1,3}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= limitMax
    ? ok(limit)
    : refuse('invalid_parameter', `limit must be a whole number from 1 to ${limitMax}`)
}

/** The event as JSON; its body is not written anew, so that it stays what was signed. */
function eventText({ id, kind, event, payload, createdAt, ...delivery }: EventInFeed): string {
  const head = JSON.stringify({ id, kind, event, date: dateOnWire(createdAt) })
  const tail = JSON.stringify({
    delivery: {
      state: delivery.state,
      attempts: delivery.attempts,
      url: delivery.url ?? undefined,
      last_status: delivery.lastStatus ?? undefined,
      last_error: delivery.lastError ?? undefined,
      next_attempt: delivery.dueAt === null ? undefined : dateOnWire(delivery.dueAt),
    },
  })
  return `${head.slice(0, -1)},"body":${payload},${tail.slice(1)}`
}
