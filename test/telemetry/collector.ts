// Collector of traces and metrics: a real OTLP/HTTP receiver.
import { type Receiver, startReceiver } from '../receiver.ts'
import type { Json } from '../world.ts'

export interface SeenSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly links: readonly { readonly traceId: string }[]
  readonly facts: Readonly<Record<string, string>>
}

export interface Collector {
  readonly receiver: Receiver
  readonly environment: Readonly<Record<string, string>>
  spans(): SeenSpan[]
  metrics(): Map<string, Json[]>
  texts(): string[]
}

export async function startCollector(): Promise<Collector> {
  const receiver = await startReceiver()
  const bodies = (path: string): Json[] => receiver.received(path).map(({ body }) => JSON.parse(body))
  return {
    receiver,
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_SERVICE_NAME: 'comporta-under-test',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
    },
    spans: () =>
      bodies('/v1/traces').flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }: Json) =>
          scopeSpans.flatMap(({ spans }: Json) => spans.map(seenSpan)),
        ),
      ),
    metrics: () =>
      new Map(
        bodies('/v1/metrics').flatMap(({ resourceMetrics }) =>
          resourceMetrics.flatMap(({ scopeMetrics }: Json) =>
            scopeMetrics.flatMap(({ metrics }: Json) =>
              metrics.map(({ name, sum, gauge, histogram }: Json) => [
                name,
                (sum ?? gauge ?? histogram).dataPoints,
              ]),
            ),
          ),
        ),
      ),
    texts: () =>
      receiver.received().map(({ path, headers, body }) => `${path} ${JSON.stringify(headers)} ${body}`),
  }
}

function seenSpan({ name, traceId, spanId, parentSpanId = '', links = [], attributes }: Json): SeenSpan {
  const facts = Object.fromEntries(
    attributes.map(({ key, value }: Json) => [key, String(value.stringValue ?? value.intValue)]),
  )
  return { name, traceId, spanId, parentSpanId, links, facts }
}
