// GET /api/v2/callback/listen: callbacks as they are sent, for programs without a public address.
import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import {
  type App,
  type AppReply,
  type AppRequest,
  answers,
  callerOf,
  dateOnWire,
  documented,
  exampleMoment,
  idField,
  momentField,
  refusalByNow,
  sendText,
  wordField,
} from '../../http/index.ts'
import { deny, unwrap } from '../../kernel/result.ts'
import { second } from '../../kernel/time.ts'
import type { Database } from '../../storage/index.ts'
import { operationCallbackExample } from '../callback-docs.ts'
import { eventKinds } from '../model.ts'
import { type HeaderDeps, headersOf } from '../sending/signature.ts'
import { cursorOf, eventId, unknownCursor } from './routes.ts'
import { type EventInFeed, eventsAfter, lastEvent } from './store.ts'

/** The wait is shorter than the request limit of 30 s, and than the limit of most proxies (one minute). */
const waitSecondsMax = 25
/** A receiver can handle this many callbacks before their signatures are too old. */
const callbacksPerAnswer = 10
const pollEveryMs = 500
/** Each listener queries the database twice a second. */
const listenersPerWalletMax = 8
const retrySeconds = 10

export interface ListenDeps extends HeaderDeps {
  readonly database: Database
}

const callbackSchema = Type.Object(
  {
    id: idField('Id of the event. Equals its `webhook-id`.'),
    kind: wordField(eventKinds, 'Kind of its subject, such as `operation`.'),
    event: Type.String({ description: 'The new status, such as `COMPLETED`, or the name of the event.' }),
    date: momentField('Time of the event.'),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'All headers of a delivery at this moment: Basic authorization, signature, content type.',
    }),
    body: Type.String({ description: 'The body as text. Pass it on unchanged: it is signed.' }),
  },
  {
    title: 'SignedCallback',
    description: 'A callback with the headers and the body that your endpoint would get.',
  },
)

const answerSchema = Type.Object(
  {
    callbacks: Type.Array(callbackSchema, {
      description: 'New callbacks, oldest first. Often empty.',
    }),
    next: Type.String({ description: 'Send it as `after` in the next request.' }),
    more: Type.Boolean({ description: 'Whether more callbacks are available now.' }),
  },
  { title: 'SignedCallbacks', description: 'New callbacks.' },
)

const answerExample = {
  callbacks: [
    {
      id: eventId,
      kind: 'operation',
      event: 'COMPLETED',
      date: exampleMoment,
      headers: {
        authorization: 'Basic c2hvcDpzZWNyZXQ=',
        'content-type': 'application/json',
        'webhook-id': eventId,
        'webhook-timestamp': '1772389872',
        'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      },
      body: JSON.stringify(operationCallbackExample),
    },
  ],
  next: eventId,
  more: false,
}

const query = Type.Object({
  after: Type.Optional(
    Type.String({
      description:
        '`next` of the previous answer, or the id of an event. Without it the answer comes at once and contains the start for `after`.',
      ...documented({ format: 'uuid' }),
    }),
  ),
})

export function listenRoutes(deps: ListenDeps): (app: App) => void {
  const { database } = deps
  return (app) => {
    const stopping = new AbortController()
    // The server ends the listeners, so a stop does not wait for them.
    app.addHook('preClose', async () => stopping.abort())
    const listeners = createSeats(listenersPerWalletMax)

    async function waitFor(
      request: AppRequest,
      reply: AppReply,
      walletId: bigint,
      after: string,
    ): Promise<EventInFeed[]> {
      const end = performance.now() + waitSecondsMax * second
      for (;;) {
        const found = await eventsAfter(database, walletId, after, callbacksPerAnswer + 1)
        if (found === undefined) return unwrap(unknownCursor)
        // The key may have been revoked during the wait.
        const refusal = await refusalByNow(request)
        if (refusal !== undefined) deny(refusal)
        const isOver = performance.now() > end || stopping.signal.aborted || reply.raw.closed
        if (found.length > 0 || isOver) return found
        await pause(pollEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }

    app.get(
      '/api/v2/callback/listen',
      {
        config: {
          auth: { permission: 'callbacks' },
          refusals: ['invalid_parameter', 'too_many_requests'],
          waits: true,
        },
        schema: {
          operationId: 'listenToCallbacks',
          summary: 'Wait for new callbacks',
          description: `For a program without a public address, such as one on your own machine. Answers as soon as an event happens, or after ${waitSecondsMax} seconds without events. Each callback has the body and headers of a real delivery, signed now. Deliveries to your endpoints do not change. At most ${listenersPerWalletMax} programs at once per wallet and process. \`comporta listen\` uses it.`,
          tags: ['Callbacks'],
          querystring: query,
          response: answers(answerSchema, answerExample),
        },
      },
      async (request, reply) => {
        const { walletId } = callerOf(request)
        const { after: typed } = request.query
        reply.header('cache-control', 'no-store')
        if (typed === undefined || typed === '') {
          const next = await lastEvent(database, walletId)
          return sendText(reply, JSON.stringify({ callbacks: [], next, more: false }))
        }
        const after = unwrap(cursorOf(typed))
        const leave = listeners.take(walletId)
        try {
          const found = await waitFor(request, reply, walletId, after)
          const shown = found.slice(0, callbacksPerAnswer)
          const callbacks = await Promise.all(shown.map((event) => signed(deps, walletId, event)))
          const next = shown.at(-1)?.id ?? after
          return sendText(reply, JSON.stringify({ callbacks, next, more: found.length > shown.length }))
        } finally {
          leave()
        }
      },
    )
  }
}

async function signed(deps: ListenDeps, walletId: bigint, event: EventInFeed) {
  const { id: eventId, kind, event: word, createdAt, payload } = event
  const credentials = await deps.credentialsOf(walletId)
  const headers = headersOf(deps, { eventId, payload }, credentials, credentials.secret)
  return { id: eventId, kind, event: word, date: dateOnWire(createdAt), headers, body: payload }
}

function createSeats(max: number) {
  const taken = new Map<bigint, number>()
  return {
    take(walletId: bigint): () => void {
      const before = taken.get(walletId) ?? 0
      if (before >= max) {
        const reason = `at most ${max} programs of a wallet may listen at once: stop one, or try again later`
        deny({ kind: 'too_many_requests', reason, retrySeconds })
      }
      taken.set(walletId, before + 1)
      return () => {
        const left = (taken.get(walletId) ?? 1) - 1
        if (left === 0) taken.delete(walletId)
        else taken.set(walletId, left)
      }
    },
  }
}
