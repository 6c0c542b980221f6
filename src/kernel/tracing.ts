// Traces, as every layer begins them: nothing is done, and nothing is loaded, unless `tracing` was set at the start.
import { AsyncLocalStorage } from 'node:async_hooks'

/** What is known of a span: ids, codes and counts. Never card data, secrets, names of people or whole addresses. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>

export interface SpanOptions {
  /** `server`: somebody asked us; `client`: we ask somebody; else neither. */
  readonly kind?: 'server' | 'client'
  readonly facts?: SpanFacts | undefined
  /** The `traceparent` of the span it belongs to; else the current span is. Null: it begins a trace. */
  readonly parent?: string | undefined | null
  /** The `traceparent` of a span that it has to do with, in another trace. */
  readonly link?: string | undefined
}

/** A part of a trace that has begun. */
export interface Span {
  /** Runs `work` with this span as the current one, in everything that it begins too. */
  run<T>(work: () => T): T
  note(facts: SpanFacts): void
  /** The first time it is called. @param failure why it failed, in a word */
  end(failure?: string): void
}

export interface Tracing {
  begin(name: string, options?: SpanOptions): Span
  /** Does `work` within a span that ends with it, as failed where it throws. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  /** The W3C `traceparent` of the current span; undefined outside of all spans. */
  traceparent(): string | undefined
  /** Runs `work` within the span that `traceparent` names, which may have ended; undefined: outside of all spans. */
  within<T>(traceparent: string | undefined, work: () => T): T
}

/** Undefined unless the operator asked for traces: then whoever would begin a span does nothing more than to look. */
export let tracing: Tracing | undefined

/** Set once at the start, before anything is composed, and unset by who set it. */
export function startTracing(given: Tracing | undefined): void {
  tracing = given
}

/**
 * `outside(work)` runs `work` as if nobody had asked for it: outside of the caller's trace and transaction, and of whatever else
 * follows a caller through what it begins. Loaded at the start, when nothing does.
 */
export const runDetached: <T>(work: () => T) => T = AsyncLocalStorage.snapshot()
