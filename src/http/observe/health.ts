// Health checks (CONTRACT section 1).
import { deny, RefusalError } from '../../kernel/result.ts'
import type { HttpContext } from '../context.ts'
import { reasonOfUnavailable } from '../errors/error-handler.ts'
import { admitAddress } from '../guard.ts'
import type { App } from '../types.ts'
import { mayReadMetrics } from './metrics-access.ts'

const readyMs = 2_000
/** Answers are cached for this time, so that frequent checks cost the database nothing. */
const readyKeptMs = 1_000

const reasonNotReady = 'the gateway is not ready yet'

const watched = { auth: 'none', unlimited: true } as const

export function healthRoutes(app: App, { deps, limiters, isOwnHost }: HttpContext): void {
  const ready = cachedFor(readyKeptMs, () => within(readyMs, deps.ready()))

  app.get('/healthz', { config: watched, schema: { hide: true } }, () => ({ status: 'up' }))

  app.get('/readyz', { config: watched, schema: { hide: true } }, async (request, reply) => {
    if (!admitAddress(request, reply, limiters?.readiness)) return reply
    if (deps.working?.() === false) throw notReady(reasonNotReady)
    await ready()
    return { status: 'ready' }
  })

  app.get('/metrics', { config: watched, schema: { hide: true } }, async (request, reply) => {
    if (!mayReadMetrics(request, deps.config.metricsToken, isOwnHost)) {
      return deny('endpoint_not_found', 'no such path: /docs lists all paths')
    }
    return reply.type(deps.metrics.contentType).send(await deps.metrics.metrics())
  })
}

function cachedFor(milliseconds: number, work: () => Promise<void>): () => Promise<void> {
  let last: { readonly end: Promise<void>; readonly until: number } | undefined
  return () => {
    const now = performance.now()
    if (last === undefined || now >= last.until) last = { end: work(), until: now + milliseconds }
    return last.end
  }
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, milliseconds)
  })
  try {
    await Promise.race([work, late])
  } catch (error) {
    throw notReady(reasonOfUnavailable(error) ?? reasonNotReady)
  } finally {
    clearTimeout(timer)
  }
}

function notReady(reason: string): RefusalError {
  return new RefusalError({ kind: 'service_unavailable', reason })
}
