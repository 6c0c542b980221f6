// Tracing by OpenTelemetry, without global registration.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  isSpanContextValid,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { nameOf } from '../kernel/result.ts'
import type { Span, SpanFacts, SpanOptions, Tracing } from '../kernel/tracing.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const

export function createTracing(tracer: Tracer): Tracing {
  const current = new AsyncLocalStorage<SpanContext | undefined>()

  function begin(name: string, { kind, facts, parent, link }: SpanOptions = {}): Span {
    const above = parent === undefined ? current.getStore() : contextOf(parent)
    const linked = contextOf(link)
    const span = tracer.startSpan(
      name,
      {
        kind: kind === undefined ? SpanKind.INTERNAL : kinds[kind],
        attributes: presentOf(facts),
        links: linked === undefined ? [] : [{ context: linked }],
      },
      above === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above),
    )
    return spanOver(span, current)
  }

  return {
    begin,
    async span(name, options, work) {
      const span = begin(name, options)
      try {
        const done = await span.run(() => work(span))
        span.end()
        return done
      } catch (error) {
        // Only the kind of error is noted, because a message may quote the request.
        span.end(nameOf(error))
        throw error
      }
    },
    traceparent() {
      const context = current.getStore()
      return context === undefined ? undefined : traceparentOf(context)
    },
    within: (traceparent, work) => current.run(contextOf(traceparent), work),
  }
}

function spanOver(span: OtelSpan, current: AsyncLocalStorage<SpanContext | undefined>): Span {
  return {
    run: (work) => current.run(span.spanContext(), work),
    note(facts) {
      if (span.isRecording()) span.setAttributes(presentOf(facts))
    },
    end(failure) {
      if (!span.isRecording()) return
      if (failure !== undefined) {
        span.setAttribute('error.type', failure)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    },
  }
}

function presentOf(facts: SpanFacts = {}): Record<string, string | number> {
  const present: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) present[name] = value
  return present
}

/** W3C Trace Context, version 00. */
const traceparentPattern = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/

function contextOf(traceparent: string | null | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = '00'] = traceparentPattern.exec(traceparent ?? '') ?? []
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}
