// Counts and durations of requests per route, for Prometheus.
import { collectDefaultMetrics, type Registry } from 'prom-client'

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const boundsMs = bounds.map((bound) => bound * 1000)
const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx']
const metricName = 'http_request_duration_seconds'

type Counts = Float64Array

export interface RouteMetrics {
  observe(status: number, milliseconds: number): void
}

export interface RequestMetrics {
  /** Counts by the route's pattern, so that unknown paths add no series. */
  route(method: string, pattern: string): RouteMetrics
}

interface Sample {
  readonly metricName: string
  readonly labels: Record<string, string | number>
  readonly value: number
}

/** OpenTelemetry's exporter has no process metrics, and an observation takes 650 ns instead of 5. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const routes = new Map<string, { method: string; pattern: string; classes: (Counts | undefined)[] }>()
  collectDefaultMetrics({ register: registry })

  function samples(): Sample[] {
    return [...routes.values()].flatMap(({ method, pattern, classes }) =>
      classes.flatMap((counts, index) =>
        counts === undefined
          ? []
          : samplesOf(counts, { method, route: pattern, status: statusClasses[index - 1] ?? 'other' }),
      ),
    )
  }

  // prom-client's histogram joins labels for each observation, which takes 1 µs.
  const metric = {
    name: metricName,
    help: 'Time from the arrival of a request to its answer in seconds, by route and status class.',
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ ...metric, values: samples() }),
    reset: () => routes.clear(),
  }
  registry.registerMetric(metric as unknown as Parameters<Registry['registerMetric']>[0])

  return {
    route(method, pattern) {
      const key = `${method} ${pattern}`
      const route = routes.get(key) ?? {
        method,
        pattern,
        classes: new Array(statusClasses.length + 1).fill(undefined),
      }
      routes.set(key, route)
      const { classes } = route
      return {
        observe(status, milliseconds) {
          const index = (status / 100) | 0
          const counts = classes[index] ?? new Float64Array(bounds.length + 2)
          classes[index] = counts
          let slot = 0
          while (slot < boundsMs.length && milliseconds > (boundsMs[slot] as number)) slot++
          counts[slot] = (counts[slot] as number) + 1
          counts[bounds.length + 1] = (counts[bounds.length + 1] as number) + milliseconds / 1000
        },
      }
    },
  }
}

function samplesOf(counts: Counts, labels: Record<string, string>): Sample[] {
  let total = 0
  const buckets = [...bounds, '+Inf'].map((bound, index) => {
    total += counts[index] as number
    return { metricName: `${metricName}_bucket`, labels: { ...labels, le: bound }, value: total }
  })
  return [
    ...buckets,
    { metricName: `${metricName}_sum`, labels, value: counts[bounds.length + 1] as number },
    { metricName: `${metricName}_count`, labels, value: total },
  ]
}
