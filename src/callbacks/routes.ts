// POST /api/v2/callback/verify: whether a callback is genuine (SPEC.md Callback verification).
import { Type } from 'typebox'
import {
  type App,
  answers,
  callerOf,
  describeWebhooks,
  readJson,
  roundNoise,
  sendText,
} from '../http/index.ts'
import { isUuid } from '../kernel/random.ts'
import type { Clock } from '../kernel/time.ts'
import type { Database } from '../storage/index.ts'
import { callbackDocs, operationCallbackExample } from './callback-docs.ts'
import { digestOf } from './events-store.ts'
import { verifyEvent } from './store.ts'

export interface VerifyDeps {
  readonly database: Database
  readonly clock: Clock
}

const subjectsMax = 16

const receivedSchema = Type.Object(
  {},
  {
    title: 'ReceivedCallback',
    description: 'Body of the callback: see Webhooks.',
    additionalProperties: true,
    examples: [operationCallbackExample],
  },
)

export function verifyRoutes({ database, clock }: VerifyDeps): (app: App) => void {
  const isGenuine = (walletId: bigint, callback: Record<string, unknown>) =>
    verifyEvent(database, walletId, subjectsOf(callback), digestOf(exactAmountsIn(callback)), clock.now())

  return (app) => {
    describeWebhooks(app, callbackDocs)
    // The scope has its own error handler: an invalid or too large body is no error here, only not genuine.
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      scope.setErrorHandler((error: { code?: string }, _request, reply) => {
        if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error
        return sendText(reply.code(400), 'false')
      })
      scope.post(
        '/api/v2/callback/verify',
        {
          config: { auth: { permission: 'callbacks', whileSuspended: true } },
          schema: {
            operationId: 'verifyCallback',
            summary: 'Verify a callback',
            description:
              'Post the body exactly as you received it. The answer is 200 and `true` if the gateway sent it to your wallet, otherwise 400 and `false`. The order of fields, white space and floating-point noise may differ. A verified callback is not sent again.',
            tags: ['Callbacks'],
            documentedBody: receivedSchema,
            response: {
              ...answers(Type.Literal(true, { description: 'The gateway sent this body.' }), true),
              400: Type.Literal(false, {
                description: 'The gateway did not send this body.',
                examples: [false],
              }),
            },
          },
        },
        async (request, reply) => {
          const callback = readCallback(request.body)
          const genuine = callback !== undefined && (await isGenuine(callerOf(request).walletId, callback))
          return sendText(reply.code(genuine ? 200 : 400), String(genuine))
        },
      )
    })
  }
}

function readCallback(body: unknown): Record<string, unknown> | undefined {
  if (!Buffer.isBuffer(body)) return undefined
  const json = readJson(body)
  if (!json.ok || json.value === null || typeof json.value !== 'object' || Array.isArray(json.value))
    return undefined
  return json.value as Record<string, unknown>
}

/** A client that reads amounts as doubles may send 24.6 as 24.600000000000001. */
function exactAmountsIn(callback: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(callback).map(([name, value]) => [name, roundNoise(value)]))
}

/** Each payload contains the id of its subject, which leads to the event. */
function subjectsOf(callback: Record<string, unknown>): string[] {
  const ids = Object.values(callback).filter(
    (value): value is string => typeof value === 'string' && isUuid(value),
  )
  return ids.slice(0, subjectsMax)
}
