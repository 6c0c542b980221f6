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
import { eventKinds } from '../model.ts'
import { type HeaderDeps, headersOf } from '../sending/headers.ts'
import { operationCallbackExample } from '../webhooks.ts'
import { cursorOf, eventId, unknownCursor } from './routes.ts'
import { type EventInFeed, eventsAfter, lastEvent } from './store.ts'

/** Below the request limit of 30 s, and the usual proxy limit of one minute. */
const waitSecondsMax = 25
/** Few enough to handle while their signatures are fresh. */
const callbacksPerAnswer = 10
const lookEveryMs = 500
/** Each one queries the database twice a second. */
const listenersPerWalletMax = 8
const retrySeconds = 10

export interface ListenDeps extends HeaderDeps {
  readonly database: Database
}

const callbackSchema = Type.Object(
  {
    id: idField('The id of the event, the same as its webhook-id.'),
    kind: wordField(eventKinds, 'What it is about.'),
    event: Type.String({ description: 'The status reached, or the word of the event.' }),
    date: momentField('When it happened.'),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Every header of a delivery made now: Basic authorization, signature, content type.',
    }),
    body: Type.String({ description: 'The body as text, to be handed on unchanged: it is what was signed.' }),
  },
  { title: 'SignedCallback', description: 'A callback with everything that your endpoint would get.' },
)

const answerSchema = Type.Object(
  {
    callbacks: Type.Array(callbackSchema, {
      description: 'What happened since, oldest first; often nothing.',
    }),
    next: Type.String({ description: 'To be given as `after` the next time.' }),
    more: Type.Boolean({ description: 'Whether there are more at this moment.' }),
  },
  { title: 'SignedCallbacks', description: 'Callbacks as they are sent.' },
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
        '`next` of the answer before, or the id of an event. Without it nothing is waited for: the answer says where to begin.',
      ...documented({ format: 'uuid' }),
    }),
  ),
})

export function listenRoutes(deps: ListenDeps): (app: App) => void {
  const { database } = deps
  return (app) => {
    const stopping = new AbortController()
    // A stop does not wait for listeners.
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
        await pause(lookEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
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
          summary: 'Wait for callbacks, and get each as it is sent',
          description: `For a program that the gateway cannot reach, such as one on your own machine: answers as soon as something happened, or after ${waitSecondsMax} seconds with nothing. Each callback has the body and the headers of a real delivery, signed now. What your endpoints receive does not change. At most ${listenersPerWalletMax} at once for each wallet and process. \`comporta listen\` uses it.`,
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
        const reason = `at most ${max} programs of a wallet listen at once: end one, or try again later`
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
