// For those who watch the gateway: is it up, can it work, how is it doing (CONTRACT section 1).
import { RefusalError, refuse, unwrap } from '../kernel/result.ts'
import type { HttpContext } from './context.ts'
import { mayReadMetrics } from './metrics-access.ts'
import type { App } from './types.ts'

/** A database that takes longer to say it is there is not there. */
const readyMs = 2_000

const watched = { auth: 'none', unlimited: true } as const

export function healthRoutes(app: App, { deps }: HttpContext): void {
  app.get('/healthz', { config: watched, schema: { hide: true } }, () => ({ status: 'up' }))

  app.get('/readyz', { config: watched, schema: { hide: true } }, async () => {
    await within(readyMs, deps.ready())
    return { status: 'ready' }
  })

  app.get('/metrics', { config: watched, schema: { hide: true } }, async (request, reply) => {
    if (!mayReadMetrics(request, deps.config.metricsToken)) {
      return unwrap(refuse('endpoint_not_found', 'there is no such path: see /docs for those there are'))
    }
    return reply.type(deps.metrics.contentType).send(await deps.metrics.metrics())
  })
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, milliseconds)
  })
  try {
    await Promise.race([work, late])
  } catch {
    throw new RefusalError({ kind: 'service_unavailable', reason: 'the gateway is not ready yet' })
  } finally {
    clearTimeout(timer)
  }
}
