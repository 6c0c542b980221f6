// Records the routes and the memory of a gateway. Load it with `node --import`.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'

const folder = process.env.FUZZ_FOLDER
if (isMainThread && folder !== undefined) watch(folder)

/**
 * Writes a line into `routes.jsonl` for each route. After SIGUSR2 it collects garbage and writes a line into
 * `memory.jsonl`.
 */
function watch(folder: string): void {
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, schema, config }) => {
      const { body, querystring, params, headers, documentedBody } = (schema ?? {}) as Record<string, unknown>
      const { auth, page = false, waits = false } = config ?? {}
      for (const one of [method].flat()) {
        const isOpen = auth === 'none'
        const line = { method: one, url, isOpen, page, waits, params, querystring, headers }
        appendFileSync(
          join(folder, 'routes.jsonl'),
          `${JSON.stringify({ ...line, body: body ?? documentedBody })}\n`,
        )
      }
    })
  })
  process.on('SIGUSR2', () => {
    const collect = (globalThis as { gc?: () => void }).gc
    collect?.()
    collect?.()
    const { heapUsed, rss } = process.memoryUsage()
    const polluted = Object.keys(Object.prototype)
    appendFileSync(join(folder, 'memory.jsonl'), `${JSON.stringify({ heapUsed, rss, polluted })}\n`)
  })
}
