// Replaces functions of Node by versions that depend only on the seed. It loads before the gateway.
import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import perfHooks from 'node:perf_hooks'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import zlib from 'node:zlib'
import { createChance } from '../../chance.ts'
import { owners, type Task, VirtualTime } from './time.ts'

const RealDate = Date

export const time = new VirtualTime(RealDate.UTC(2026, 0, 15, 12), createChance('set-up'))

/** A timer with the interface of Node. No timer keeps a simulation alive, so `ref` has no effect. */
class VirtualTimer {
  readonly #run: () => void
  readonly #afterMs: number
  readonly #repeats: boolean
  #task: Task

  constructor(run: () => void, afterMs: number, repeats: boolean) {
    this.#run = run
    this.#afterMs = Math.max(1, Math.trunc(Number(afterMs)) || 1)
    this.#repeats = repeats
    this.#task = this.#plan()
  }

  #plan(): Task {
    return time.plan(() => {
      if (this.#repeats) this.#task = this.#plan()
      this.#run()
    }, this.#afterMs)
  }

  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
  refresh(): this {
    this.#task.cancelled = true
    this.#task = this.#plan()
    return this
  }
  close(): this {
    this.#task.cancelled = true
    return this
  }
  [Symbol.dispose](): void {
    this.close()
  }
}

type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string },
) => Promise<Response>

let fetchFrom: Fetch = () => Promise.reject(new TypeError('fetch failed'))

export function takeFetches(ask: Fetch): void {
  fetchFrom = ask
}

type Callback = (...args: unknown[]) => void

const setTimer = (run: Callback, afterMs = 1, ...args: unknown[]) =>
  new VirtualTimer(() => run(...args), afterMs, false)
const repeat = (run: Callback, everyMs = 1, ...args: unknown[]) =>
  new VirtualTimer(() => run(...args), everyMs, true)
const clear = (timer: unknown) => {
  if (timer instanceof VirtualTimer) timer.close()
}
const setSoon = (run: Callback, ...args: unknown[]) => {
  const task = time.plan(() => run(...args), 0)
  return {
    cancel: () => {
      task.cancelled = true
    },
    ref() {},
    unref() {},
    hasRef: () => true,
  }
}
const clearSoon = (soon: unknown) => (soon as { cancel?(): void } | undefined)?.cancel?.()

function pause(afterMs = 1, value?: unknown, options: { signal?: AbortSignal } = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { signal } = options
    const abort = () => {
      timer.close()
      reject(new DOMException('The operation was aborted', 'AbortError'))
    }
    const timer = setTimer(() => {
      signal?.removeEventListener('abort', abort)
      resolve(value)
    }, afterMs)
    if (signal?.aborted === true) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

class VirtualDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [Math.floor(time.now)] : given) as [number]))
  }

  static override now(): number {
    return Math.floor(time.now)
  }
}

/** Does the work at once in this thread, and calls back. */
function inThisThread(sync: (...args: never[]) => unknown): (...args: unknown[]) => void {
  return (...args) => {
    const answer = args.pop() as (error: unknown, value?: unknown) => void
    try {
      const value = sync(...(args as never[]))
      process.nextTick(answer, null, value)
    } catch (error) {
      process.nextTick(answer, error)
    }
  }
}

function whereAsked<Call extends (...args: never[]) => unknown>(call: Call): Call {
  const later = inThisThread(call)
  return ((...args: Parameters<Call>) =>
    typeof args.at(-1) === 'function' ? later(...args) : call(...args)) as Call
}

/** Derives a password key quickly. Its strength does not matter in a simulation. */
function cheapKey(password: string, salt: Buffer, length: number): Buffer {
  return crypto.scryptSync(password, salt, length, { N: 2, r: 1, p: 1 })
}

function install(): void {
  const timing = {
    setTimeout: setTimer,
    setInterval: repeat,
    setImmediate: setSoon,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clearSoon,
  }
  Object.assign(globalThis, timing, { Date: VirtualDate })
  Object.assign(timers, timing)
  Object.assign(timersPromises, {
    setTimeout: pause,
    setImmediate: (value: unknown) => new Promise((resolve) => setSoon(() => resolve(value))),
  })
  Object.defineProperty(performance, 'now', { value: () => time.elapsed, configurable: true })
  AbortSignal.timeout = (afterMs) => {
    const controller = new AbortController()
    setTimer(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), afterMs)
    return controller.signal
  }
  Object.assign(crypto, {
    scrypt: inThisThread(cheapKey),
    sign: whereAsked(crypto.sign),
    verify: whereAsked(crypto.verify),
  })
  Object.assign(zlib, {
    gzip: inThisThread(zlib.gzipSync),
    brotliCompress: inThisThread(zlib.brotliCompressSync),
  })
  // A gateway observes its process until the process ends. Here that would last for many seeds, so this observes
  // nothing.
  Object.assign(perfHooks, {
    PerformanceObserver: class {
      observe(): void {}
      disconnect(): void {}
    },
    monitorEventLoopDelay: undefined,
  })
  Object.assign(globalThis, { fetch: (...asked: Parameters<Fetch>) => fetchFrom(...asked) })
  // Work for many callers still belongs to the process that does it.
  const snapshot = AsyncLocalStorage.snapshot.bind(AsyncLocalStorage)
  AsyncLocalStorage.snapshot = () => {
    const inContext = snapshot()
    return ((work: (...args: unknown[]) => unknown, ...args: unknown[]) => {
      const owner = owners.getStore()
      return inContext(() => owners.run(owner, () => work(...args)))
    }) as ReturnType<typeof snapshot>
  }
  syncBuiltinESMExports()
}

install()
