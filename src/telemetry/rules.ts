// What of OpenTelemetry's variables the gateway reads: whether telemetry is asked for, over which protocol, and how much.

/** How a signal is sent; undefined where it is not. */
export type OtlpProtocol = 'http/protobuf' | 'http/json'

export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export interface TelemetrySettings {
  readonly traces: OtlpProtocol | undefined
  readonly metrics: OtlpProtocol | undefined
  readonly serviceName: string
  /** Further facts about this process, such as `deployment.environment.name`. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: (typeof samplers)[number]
  /** Part of the traces that are kept by the samplers of a ratio, 0 to 1. */
  readonly sampledRatio: number
  /** Spans that wait to be sent. */
  readonly batch: {
    readonly scheduledDelayMillis: number
    readonly maxQueueSize: number
    readonly maxExportBatchSize: number
    readonly exportTimeoutMillis: number
  }
  readonly metricsEveryMs: number
  readonly metricsTimeoutMs: number
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The settings, or undefined where no endpoint is named or telemetry is switched off. What cannot be served is added to
 * `problems`, one line each.
 */
export function telemetryOf(environment: Environment, problems: string[]): TelemetrySettings | undefined {
  const read = (name: string) => {
    const value = environment[name]?.trim()
    return value === '' ? undefined : value
  }
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined
  const traces = protocolOf('TRACES', read, problems)
  const metrics = protocolOf('METRICS', read, problems)
  if (traces === undefined && metrics === undefined) return undefined
  const number = (name: string, standard: number, max = Number.MAX_SAFE_INTEGER) => {
    const text = read(name)
    const value = Number(text ?? standard)
    if (value >= 0 && value <= max) return value
    problems.push(`${name} must be a number from 0${max === 1 ? ' to 1' : ''}, not "${text}"`)
    return standard
  }
  const maxQueueSize = number('OTEL_BSP_MAX_QUEUE_SIZE', 2048)
  const metricsEveryMs = number('OTEL_METRIC_EXPORT_INTERVAL', 60_000)
  return {
    traces,
    metrics,
    resource: resourceOf(read('OTEL_RESOURCE_ATTRIBUTES'), problems),
    serviceName: read('OTEL_SERVICE_NAME') ?? 'comporta',
    sampler: samplerOf(read('OTEL_TRACES_SAMPLER'), problems),
    sampledRatio: number('OTEL_TRACES_SAMPLER_ARG', 1, 1),
    batch: {
      scheduledDelayMillis: number('OTEL_BSP_SCHEDULE_DELAY', 5000),
      maxQueueSize,
      maxExportBatchSize: Math.min(number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512), maxQueueSize),
      exportTimeoutMillis: number('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    },
    metricsEveryMs,
    metricsTimeoutMs: Math.min(number('OTEL_METRIC_EXPORT_TIMEOUT', 30_000), metricsEveryMs),
  }
}

type Read = (name: string) => string | undefined

/** Sent where an endpoint is named, for all signals or for this one. */
function protocolOf(signal: 'TRACES' | 'METRICS', read: Read, problems: string[]): OtlpProtocol | undefined {
  const endpointName = `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`
  const general = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const name = read(endpointName) === undefined ? general : endpointName
  const endpoint = read(name)
  const exporterName = `OTEL_${signal}_EXPORTER`
  const exporter = read(exporterName) ?? 'otlp'
  if (exporter !== 'otlp' && exporter !== 'none')
    problems.push(`${exporterName} must be otlp or none, not "${exporter}"`)
  if (endpoint === undefined || exporter !== 'otlp') return undefined
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    problems.push(`${name} must be an http or https address, such as http://localhost:4318`)
  const specific = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`
  const protocolName = read(specific) === undefined ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : specific
  const protocol = read(protocolName) ?? 'http/protobuf'
  if (protocol === 'http/protobuf' || protocol === 'http/json') return protocol
  problems.push(`${protocolName} must be http/protobuf or http/json, not "${protocol}"`)
  return undefined
}

function samplerOf(text: string | undefined, problems: string[]): TelemetrySettings['sampler'] {
  const standard = 'parentbased_always_on'
  const known = samplers.find((name) => name === (text ?? standard))
  if (known === undefined)
    problems.push(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}, not "${text}"`)
  return known ?? standard
}

/** `key=value,key=value`, percent-encoded as the standard has it. */
function resourceOf(text: string | undefined, problems: string[]): Record<string, string> {
  const resource: Record<string, string> = {}
  for (const pair of (text ?? '').split(',').filter((part) => part.trim() !== '')) {
    const [key = '', ...value] = pair.split('=')
    try {
      if (value.length === 0 || key.trim() === '') throw new URIError(pair)
      resource[decodeURIComponent(key.trim())] = decodeURIComponent(value.join('=').trim())
    } catch {
      problems.push(`OTEL_RESOURCE_ATTRIBUTES must be key=value pairs separated by commas, not "${pair}"`)
    }
  }
  return resource
}
