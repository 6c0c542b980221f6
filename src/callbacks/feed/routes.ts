// GET /api/v2/events: the wallet's events in order, for programs that missed callbacks.
import { Type } from 'typebox'
import {
  type App,
  answers,
  callerOf,
  clampedTo,
  dateOnWire,
  documented,
  exampleMoment,
  idField,
  momentField,
  sendText,
  wordField,
} from '../../http/index.ts'
import { isUuid } from '../../kernel/random.ts'
import { ok, type Result, refuse, unwrap } from '../../kernel/result.ts'
import type { Database } from '../../storage/index.ts'
import { operationCallbackExample } from '../callback-docs.ts'
import { deliveryStates, eventKinds } from '../model.ts'
import { beforeAllEvents, type EventInFeed, eventsAfter } from './store.ts'

const limitDefault = 100
const limitMax = 100

const deliverySchema = Type.Object(
  {
    state: wordField(
      deliveryStates,
      '`DUE`: not sent yet. `DELIVERED`: answered with 2xx. `VERIFIED`: verified by you. `GIVEN_UP`: no 2xx within two days. `NO_ENDPOINT`: no address.',
    ),
    attempts: Type.Integer({ description: 'Number of attempts.' }),
    url: Type.Optional(
      Type.String({
        description: 'Its own address, if the request set one.',
        examples: ['https://shop.example/callbacks'],
      }),
    ),
    last_status: Type.Optional(Type.Integer({ description: 'HTTP status of the last answer.' })),
    last_error: Type.Optional(
      Type.String({ description: 'Reason why the last attempt got no answer.', examples: ['timeout'] }),
    ),
    next_attempt: Type.Optional(momentField('Time of the next attempt.')),
  },
  { title: 'Delivery', description: 'State of its delivery.' },
)

const eventSchema = Type.Object(
  {
    id: idField('Id of the event. Equals the `webhook-id` of every attempt.'),
    kind: wordField(eventKinds, 'Kind of its subject, such as `operation`.'),
    event: Type.String({ description: 'The new status, such as `COMPLETED`, or the name of the event.' }),
    date: momentField('Time of the event.'),
    body: Type.Unknown({ description: 'The body of the callback, exactly as sent.' }),
    delivery: deliverySchema,
  },
  { title: 'Event', description: 'An event that a callback reports.' },
)

const answerSchema = Type.Object(
  {
    events: Type.Array(eventSchema, { description: 'Events, oldest first.' }),
    next: Type.String({
      description: 'Send it as `after` in the next request, even if there are no more events yet.',
    }),
    more: Type.Boolean({ description: 'Whether more events are available now.' }),
  },
  { title: 'EventPage', description: 'Events in their order.' },
)

export const eventId = '0198c2f4-5e77-7b20-93cd-2a6e8d0c4f19'
const answerExample = {
  events: [
    {
      id: eventId,
      kind: 'operation',
      event: 'COMPLETED',
      date: exampleMoment,
      body: operationCallbackExample,
      delivery: { state: 'DELIVERED', attempts: 1, last_status: 200 },
    },
  ],
  next: eventId,
  more: false,
}

const query = Type.Object({
  after: Type.Optional(
    Type.String({
      description: '`next` of the previous answer, or the id of an event. Default: from the first event.',
      ...documented({ format: 'uuid' }),
    }),
  ),
  limit: Type.Optional(
    Type.String({
      description: `Number of events, 1 to ${limitMax}. Default: ${limitMax}. Larger numbers count as ${limitMax}.`,
      ...documented({ type: 'integer', minimum: 1, default: limitDefault }),
      ...clampedTo(limitMax),
    }),
  ),
})

export function feedRoutes({ database }: { readonly database: Database }): (app: App) => void {
  return (app) => {
    app.get(
      '/api/v2/events',
      {
        config: { auth: { permission: 'callbacks' }, refusals: ['invalid_parameter'] },
        schema: {
          operationId: 'listEvents',
          summary: 'Read events after a known one, oldest first',
          description:
            'Every event of your wallet with the body of its callback, delivered or not. Use it after a downtime of your program. Keep `next` and continue there.',
          tags: ['Callbacks'],
          querystring: query,
          response: answers(answerSchema, answerExample),
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

export const unknownCursor = refuse(
  'invalid_parameter',
  'after must be next of an earlier answer, or the id of an event of this wallet',
)

export function cursorOf(after: string | undefined): Result<string> {
  if (after === undefined || after === '') return ok(beforeAllEvents)
  return isUuid(after) ? ok(after.toLowerCase()) : unknownCursor
}

function limitOf(text: string | undefined): Result<number> {
  const limit = text === undefined ? limitDefault : /^\d{1,3}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= limitMax
    ? ok(limit)
    : refuse('invalid_parameter', `limit must be a whole number from 1 to ${limitMax}`)
}

/** Keeps the stored payload byte for byte, because its signature covers the bytes. */
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
