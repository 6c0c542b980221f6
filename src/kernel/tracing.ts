// Tracing for every layer; costs nothing if it is off.
import { AsyncLocalStorage } from 'node:async_hooks'

/** Facts of a span: ids, codes and counts. Never card data, secrets, names of people or whole addresses. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>

export interface SpanOptions {
  /** `server`: an incoming request. `client`: an outgoing one. */
  readonly kind?: 'server' | 'client'
  readonly facts?: SpanFacts | undefined
  readonly parent?: string | undefined | null
  readonly link?: string | undefined
}

export interface Span {
  run<T>(work: () => T): T
  note(facts: SpanFacts): void
  /** Only the first call counts. `failure` is one word. */
  end(failure?: string): void
}

export interface Tracing {
  begin(name: string, options?: SpanOptions): Span
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  traceparent(): string | undefined
  /** Runs `work` within the span of `traceparent`; undefined: outside of all spans. */
  within<T>(traceparent: string | undefined, work: () => T): T
}

/** Undefined if the operator has not enabled traces. */
export let tracing: Tracing | undefined

export function startTracing(given: Tracing | undefined): void {
  tracing = given
}

/** Runs `work` outside of the caller's trace and transaction. The snapshot is taken at load time. */
export const runDetached: <T>(work: () => T) => T = AsyncLocalStorage.snapshot()
