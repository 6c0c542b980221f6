// The load generator and the callback receiver, each in a process.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface Load {
  readonly port: number
  readonly connections: number
  readonly requests: readonly string[]
  /** A second request on the same connection after each answer 200. `:id` becomes the id of that answer. */
  readonly follow?: string | undefined
  /** How long the generator sends. After that it waits for the last answers. */
  readonly seconds?: number | undefined
  readonly total?: number | undefined
}

export interface LoadResult {
  readonly answers: number
  /** Number of answers by status, and of requests without an answer by reason. */
  readonly statuses: Readonly<Record<string, number>>
  readonly seconds: number
  /** Epoch milliseconds. */
  readonly beganAt: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuSeconds: number
}

export interface Received {
  readonly callbacks: number
  /** Operations with at least one callback. */
  readonly operations: number
  /** Milliseconds since 1970; 0 before the first callback. */
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

export function startGenerator(): { readonly generator: Generator; stop(): void } {
  const child = forked('generator.ts')
  return {
    generator: { pid: child.pid ?? 0, run: (load) => ask<LoadResult>(child, load) },
    stop: () => child.disconnect(),
  }
}

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
