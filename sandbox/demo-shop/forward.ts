// Proxy for the demo shop below `/sandbox/shop`.

// biome-ignore lint/style/noRestrictedImports: pages of our own shop, passed on as they come
import { type IncomingMessage, type RequestOptions, request as sendRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { type App, type AppRequest, openEventStream } from '../../src/http/index.ts'
import { RefusalError } from '../../src/kernel/result.ts'
import { withBanner } from '../pages/layout.ts'
import { sandboxJson, sandboxPage } from '../route-options.ts'
import { shopPath } from './path.ts'

/** A proxy must not forward these headers, because they concern one connection. */
const ofOneConnection = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'host',
  'date',
])

export function shopRoutes(shopUrl: string): (app: App) => void {
  return (app) => {
    // This scope has its own body parser: the shop verifies callbacks over the raw bytes.
    app.register(async (scope) => {
      const streams = new Set<IncomingMessage>()
      scope.addHook('preClose', async () => {
        for (const stream of streams) stream.destroy()
      })
      scope.removeContentTypeParser(['application/json', '*'])
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

      const forward = async (request: AppRequest) => send(shopUrl, request)
      scope.post(`${shopPath}/callbacks`, sandboxJson, async (request, reply) => {
        const answer = await forward(request)
        return reply
          .code(answer.statusCode ?? 502)
          .headers(headersOf(answer))
          .send(answer)
      })
      for (const path of [shopPath, `${shopPath}/*`]) {
        scope.route({
          ...sandboxPage,
          method: ['GET', 'POST'],
          url: path,
          async handler(request, reply) {
            const answer = await forward(request)
            if (answer.headers['content-type']?.startsWith('text/html') === true)
              return reply
                .code(answer.statusCode ?? 502)
                .headers(headersOf(answer))
                .send(withBanner(await text(answer), reply))
            if (answer.headers['content-type'] !== 'text/event-stream')
              return reply
                .code(answer.statusCode ?? 502)
                .headers(headersOf(answer))
                .send(answer)
            streams.add(answer)
            answer.once('close', () => streams.delete(answer))
            request.raw.once('close', () => answer.destroy())
            const out = openEventStream(request, reply)
            answer.on('data', (chunk) => out.write(chunk)).once('close', () => out.end())
            return reply
          },
        })
      }
    })
  }
}

function send(shopUrl: string, request: AppRequest): Promise<IncomingMessage> {
  const body = bodyOf(request)
  const options: RequestOptions = {
    method: request.method,
    headers: {
      ...Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ofOneConnection.has(name))),
      'content-length': body.length,
    },
  }
  return new Promise((resolve, reject) => {
    sendRequest(shopUrl + request.url.slice(shopPath.length).replace(/^(?!\/)/, '/'), options, resolve)
      .once('error', () => {
        const reason = 'the demo shop does not answer; it starts with the gateway'
        reject(new RefusalError({ kind: 'service_unavailable', reason }))
      })
      .end(body)
  })
}

/** A form arrives parsed, because the gateway looks for card numbers in it. This writes it as a body again. */
function bodyOf({ body }: AppRequest): Buffer {
  if (Buffer.isBuffer(body)) return body
  const fields = Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string')
  return Buffer.from(new URLSearchParams(fields as [string, string][]).toString())
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !ofOneConnection.has(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}
