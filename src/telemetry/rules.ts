// OpenTelemetry's environment variables that the gateway supports.

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
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: (typeof samplers)[number]
  readonly sampledRatio: number
  readonly batch: {
    readonly scheduledDelayMillis: number
    readonly maxQueueSize: number
    readonly maxExportBatchSize: number
    readonly exportTimeoutMillis: number
  }
  readonly metricsEveryMs: number
  readonly metricsTimeoutMs: number
}

const wholeNumberMax = 2 ** 31 - 1

type Environment = Readonly<Record<string, string | undefined>>

/** Undefined without an endpoint, or if telemetry is off. Unsupported values add lines to `problems`. */
export function telemetryOf(environment: Environment, problems: string[]): TelemetrySettings | undefined {
  const read = (name: string) => {
    const value = environment[name]?.trim()
    return value === '' ? undefined : value
  }
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined
  const traces = protocolOf('TRACES', read, problems)
  const metrics = protocolOf('METRICS', read, problems)
  if (traces === undefined && metrics === undefined) return undefined
  const wholeNumber = (name: string, standard: number) => {
    const text = read(name)
    const value = Number(text ?? standard)
    if (Number.isInteger(value) && value >= 1 && value <= wholeNumberMax) return value
    problems.push(`${name} must be a whole number from 1 to ${wholeNumberMax}, not "${text}"`)
    return standard
  }
  const maxQueueSize = wholeNumber('OTEL_BSP_MAX_QUEUE_SIZE', 2048)
  const metricsEveryMs = wholeNumber('OTEL_METRIC_EXPORT_INTERVAL', 60_000)
  const resource = resourceOf(read('OTEL_RESOURCE_ATTRIBUTES'), problems)
  return {
    traces,
    metrics,
    resource,
    serviceName: read('OTEL_SERVICE_NAME') ?? (resource['service.name'] || 'comporta'),
    sampler: samplerOf(read('OTEL_TRACES_SAMPLER'), problems),
    sampledRatio: ratioOf(read('OTEL_TRACES_SAMPLER_ARG'), problems),
    batch: {
      scheduledDelayMillis: wholeNumber('OTEL_BSP_SCHEDULE_DELAY', 5000),
      maxQueueSize,
      maxExportBatchSize: Math.min(wholeNumber('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512), maxQueueSize),
      exportTimeoutMillis: wholeNumber('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
    },
    metricsEveryMs,
    metricsTimeoutMs: Math.min(wholeNumber('OTEL_METRIC_EXPORT_TIMEOUT', 30_000), metricsEveryMs),
  }
}

type Read = (name: string) => string | undefined

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
    note(problems, `${name} must be an http or https address, such as http://localhost:4318`)
  const specific = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`
  const protocolName = read(specific) === undefined ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : specific
  const protocol = read(protocolName) ?? 'http/protobuf'
  if (protocol === 'http/protobuf' || protocol === 'http/json') return protocol
  note(problems, `${protocolName} must be http/protobuf or http/json, not "${protocol}"`)
  return undefined
}

function note(problems: string[], problem: string): void {
  if (!problems.includes(problem)) problems.push(problem)
}

function ratioOf(text: string | undefined, problems: string[]): number {
  const ratio = Number(text ?? 1)
  if (ratio >= 0 && ratio <= 1) return ratio
  problems.push(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${text}"`)
  return 1
}

function samplerOf(text: string | undefined, problems: string[]): TelemetrySettings['sampler'] {
  const standard = 'parentbased_always_on'
  const known = samplers.find((name) => name === (text ?? standard))
  if (known === undefined)
    problems.push(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}, not "${text}"`)
  return known ?? standard
}

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
