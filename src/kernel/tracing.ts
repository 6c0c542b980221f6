// Tracing for every layer. It costs nothing if it is off.
import { AsyncLocalStorage } from 'node:async_hooks'

/** Facts of a span: ids, codes and counts. They must not be card data, secrets, names or whole addresses. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>

export interface SpanOptions {
  /** `server`: a request that came in. `client`: a request that goes out. */
  readonly kind?: 'server' | 'client'
  readonly facts?: SpanFacts | undefined
  readonly parent?: string | undefined | null
  readonly link?: string | undefined
}

export interface Span {
  run<T>(work: () => T): T
  note(facts: SpanFacts): void
  /** Ends the span; later calls do nothing. `failure`: one word. */
  end(failure?: string): void
}

export interface Tracing {
  begin(name: string, options?: SpanOptions): Span
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  traceparent(): string | undefined
  /** Runs `work` within the span of `traceparent`. Undefined: within no span. */
  within<T>(traceparent: string | undefined, work: () => T): T
}

/** Undefined if the operator has not turned traces on. */
export let tracing: Tracing | undefined

export function startTracing(given: Tracing | undefined): void {
  tracing = given
}

/** Runs `work` outside of the caller's trace and transaction, in the context of the program's start. */
export const runDetached: <T>(work: () => T) => T = AsyncLocalStorage.snapshot()
