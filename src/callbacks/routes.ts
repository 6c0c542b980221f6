// POST /api/v2/callback/verify: whether a callback is ours (SPEC.md Callback verification).
import { type App, readJson } from '../http/index.ts'
import { isUuid } from '../kernel/ids.ts'
import type { Clock } from '../kernel/time.ts'
import type { Database } from '../storage/index.ts'
import { digestOf } from './events.ts'
import { verifyEvent } from './store.ts'

export interface VerifyDeps {
  readonly database: Database
  readonly clock: Clock
}

/** Genuine payloads hold a handful of identifiers; a body with more of them is looked up no further. */
const subjectsMax = 16

/** The route of callback verification. */
export function verifyRoutes({ database, clock }: VerifyDeps): (app: App) => void {
  return (app) => {
    // A scope of its own, because here a body that is not JSON is no error: it is no callback of ours.
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      scope.route({
        method: 'POST',
        url: '/api/v2/callback/verify',
        config: { auth: { permission: 'callbacks' } },
        handler: async (request, reply) => {
          const callback = readCallback(request.body)
          const genuine =
            callback !== undefined &&
            (await verifyEvent(database, request.caller.walletId, subjectsOf(callback), digestOf(callback), clock.now()))
          return reply.code(genuine ? 200 : 400).type('application/json; charset=utf-8').send(String(genuine))
        },
      })
    })
  }
}

/** The received structure; undefined when it cannot be one of ours. */
function readCallback(body: unknown): Record<string, unknown> | undefined {
  if (!Buffer.isBuffer(body)) return undefined
  const json = readJson(body)
  if (!json.ok || json.value === null || typeof json.value !== 'object' || Array.isArray(json.value)) return undefined
  return json.value as Record<string, unknown>
}

/** Every event's payload carries its subject, so the identifiers of a callback lead to its event. */
function subjectsOf(callback: Record<string, unknown>): string[] {
  const ids = Object.values(callback).filter((value): value is string => typeof value === 'string' && isUuid(value))
  return ids.slice(0, subjectsMax)
}
