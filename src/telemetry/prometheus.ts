// Prometheus metrics as OpenTelemetry metrics.
import { type HrTime, ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'

type Family = MetricObjectWithValues<MetricValue<string>>

/** Reads `registry` for each export. The names stay the same. */
export function prometheusMetrics(registry: Registry, scope: string, resource: Resource): MetricProducer {
  const startTime = hrTime(performance.timeOrigin)
  return {
    async collect() {
      const families = (await registry.getMetricsAsJSON()) as unknown as Family[]
      const times = { startTime, endTime: hrTime(performance.timeOrigin + performance.now()) }
      const metrics = families.flatMap((family) => metricOf(family, times))
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: scope }, metrics }] },
        errors: [],
      }
    },
  }
}

interface Times {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000)
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)]
}

function metricOf(family: Family, times: Times): MetricData[] {
  const common = {
    descriptor: { name: family.name, description: family.help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const type = String(family.type)
  if (type === 'histogram')
    return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(family, times) }]
  const dataPoints = family.values.map(({ labels, value }) => ({
    ...times,
    attributes: { ...labels },
    value,
  }))
  if (type === 'counter')
    return [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }]
  return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints }]
}

interface Buckets {
  readonly attributes: Record<string, string | number>
  readonly upTo: [bound: number, count: number][]
  sum: number
  count: number
}

/** Prometheus adds earlier buckets to each bucket, OpenTelemetry does not. */
function histogramsOf(family: Family, times: Times) {
  const series = new Map<string, Buckets>()
  for (const { labels, value, metricName } of family.values as (MetricValue<string> & {
    metricName?: string
  })[]) {
    const { le, ...attributes } = labels as Record<string, string | number>
    const key = JSON.stringify(attributes)
    const buckets = series.get(key) ?? { attributes, upTo: [], sum: 0, count: 0 }
    series.set(key, buckets)
    if (metricName?.endsWith('_sum')) buckets.sum = value
    else if (metricName?.endsWith('_count')) buckets.count = value
    else if (le !== '+Inf') buckets.upTo.push([Number(le), value])
  }
  return [...series.values()].map(({ attributes, upTo, sum, count }) => {
    const ordered = upTo.toSorted(([one], [other]) => one - other)
    const cumulative = [...ordered.map(([, upToBound]) => upToBound), count]
    const counts = cumulative.map((upToBound, index) => upToBound - (cumulative[index - 1] ?? 0))
    return {
      ...times,
      attributes,
      value: { buckets: { boundaries: ordered.map(([bound]) => bound), counts }, sum, count },
    }
  })
}
