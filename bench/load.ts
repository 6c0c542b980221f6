// The processes around the gateway: the load generator, and the endpoint that merchants would have.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What the generator is to do; requests are whole, with head and body, as text. */
export interface Load {
  readonly port: number
  readonly connections: number
  /** Sent in turn. */
  readonly requests: readonly string[]
  /** Sent after each answer 200, on the same connection: `:id` becomes the id in that answer. */
  readonly follow?: string
  /** For how long requests are sent; their answers are waited for. */
  readonly seconds?: number
  /** How many are sent. */
  readonly total?: number
}

export interface LoadResult {
  readonly answers: number
  /** How often each status came; other ends of a request under their reason. */
  readonly statuses: Readonly<Record<string, number>>
  /** From the first request to the last answer. */
  readonly seconds: number
  /** Epoch milliseconds. */
  readonly beganAt: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuSeconds: number
}

/** What came to one path of the receiver. */
export interface Received {
  /** Requests, repeated ones too. */
  readonly callbacks: number
  /** Operations that at least one of them was about. */
  readonly operations: number
  /** Epoch milliseconds; 0 before the first. */
  readonly lastAt: number
}

export interface Generator {
  readonly pid: number
  run(load: Load): Promise<LoadResult>
}

export interface Receiver {
  readonly pid: number
  url(path: string): string
  received(path: string): Promise<Received>
}

/** Starts the load generator; it ends when this process does, or stops it. */
export function startGenerator(): { readonly generator: Generator; stop(): void } {
  const child = forked('generator.ts')
  return {
    generator: { pid: child.pid ?? 0, run: (load) => ask<LoadResult>(child, load) },
    stop: () => child.disconnect(),
  }
}

/** Starts the receiver of callbacks, which answers each with 200 at once. */
export async function startCounter(): Promise<{ readonly receiver: Receiver; stop(): void }> {
  const child = forked('counter.ts')
  const [port] = (await once(child, 'message')) as [number]
  const receiver: Receiver = {
    pid: child.pid ?? 0,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    received: (path) => ask<Received>(child, path),
  }
  return { receiver, stop: () => child.disconnect() }
}

function forked(file: string): ChildProcess {
  return fork(join(import.meta.dirname, file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

function ask<Answer>(child: ChildProcess, question: object | string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('a process of the bench ended'))
    child.once('exit', ended)
    child.once('message', (answer) => {
      child.off('exit', ended)
      resolve(answer as Answer)
    })
    child.send(question)
  })
}
