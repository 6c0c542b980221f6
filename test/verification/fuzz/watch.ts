// Loaded into a gateway before its program (`node --import`): writes down every route with its schemas, and what lives in memory.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'

/** Names the folder of both files. */
const folder = process.env.FUZZ_FOLDER
if (isMainThread && folder !== undefined) watch(folder)

/** A line of `routes.jsonl` for each route; on SIGUSR2 a line of `memory.jsonl`, after all that nobody holds was collected. */
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
