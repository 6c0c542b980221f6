// Receiver of callbacks: a real HTTP server with scripted answers.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { patienceSeconds } from './patience.ts'

export interface ReceivedCallback {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly at: number
}

/** With `hang` the receiver never answers. With `cut` it closes the connection. */
export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly delayMs?: number
  readonly kind?: 'answer' | 'hang' | 'cut'
  readonly before?: (callback: ReceivedCallback) => Promise<unknown>
}

export interface Receiver {
  readonly origin: string
  url(path: string): string
  received(path?: string): ReceivedCallback[]
  /** The answers to the next requests to `path`, in order. The last one is repeated. Default: 200. */
  script(path: string, ...answers: readonly ScriptedAnswer[]): void
  /** Resolves after `count` requests to `path`; rejects after the time-out. */
  waitFor(path: string, count: number): Promise<ReceivedCallback[]>
  openAtOnce(path: string): number
  close(): Promise<void>
}

const waitStepMs = 5

export async function startReceiver(address = '127.0.0.1'): Promise<Receiver> {
  const all: ReceivedCallback[] = []
  const scripts = new Map<string, ScriptedAnswer[]>()
  const open = new Map<string, number>()
  const openMax = new Map<string, number>()

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const now = (open.get(path) ?? 0) + 1
    open.set(path, now)
    openMax.set(path, Math.max(now, openMax.get(path) ?? 0))
    response.once('close', () => open.set(path, (open.get(path) ?? 1) - 1))
    const callback = {
      method: request.method ?? '',
      path,
      headers: request.headers,
      body: await textOf(request),
      at: Date.now(),
    }
    all.push(callback)
    const step = nextStep(path)
    if (step.delayMs !== undefined) await pause(step.delayMs)
    await step.before?.(callback)
    if (step.kind === 'hang') return
    if (step.kind === 'cut') request.socket.destroy()
    else response.writeHead(step.status ?? 200, step.headers).end(step.body ?? '')
  }

  function nextStep(path: string): ScriptedAnswer {
    const steps = scripts.get(path) ?? []
    return (steps.length > 1 ? steps.shift() : steps[0]) ?? {}
  }

  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const origin = `http://${address}:${(server.address() as AddressInfo).port}`
  const received = (path?: string) => all.filter((callback) => path === undefined || callback.path === path)

  return {
    origin,
    url: (path) => `${origin}${path}`,
    received,
    script: (path, ...answers) => void scripts.set(path, [...answers]),
    async waitFor(path, count) {
      const until = performance.now() + patienceSeconds * 1000
      while (received(path).length < count) {
        if (performance.now() > until)
          throw new Error(
            `${path} got ${received(path).length} of ${count} callbacks in ${patienceSeconds} s`,
          )
        await pause(waitStepMs)
      }
      return received(path)
    },
    openAtOnce: (path) => openMax.get(path) ?? 0,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
