// OpenTelemetry's environment variables.
import { expect, it } from 'vitest'
import { telemetryOf } from './rules.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }

function read(environment: Record<string, string>) {
  const problems: string[] = []
  return { settings: telemetryOf(environment, problems), problems }
}

it.each([
  ['no variable', {}],
  ['an empty one', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  ['all but an endpoint', { OTEL_SERVICE_NAME: 'shop', OTEL_TRACES_SAMPLER: 'always_on' }],
  ['the switch', { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }],
  ['no signal', { ...endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
])('is off with %s', (_, environment) => {
  expect(read(environment as Record<string, string>)).toEqual({ settings: undefined, problems: [] })
})

it('sends both by protobuf, with the standard’s defaults', () => {
  expect(read(endpoint)).toEqual({
    problems: [],
    settings: {
      traces: 'http/protobuf',
      metrics: 'http/protobuf',
      resource: {},
      serviceName: 'comporta',
      sampler: 'parentbased_always_on',
      sampledRatio: 1,
      batch: {
        scheduledDelayMillis: 5000,
        maxQueueSize: 2048,
        maxExportBatchSize: 512,
        exportTimeoutMillis: 30_000,
      },
      metricsEveryMs: 60_000,
      metricsTimeoutMs: 30_000,
    },
  })
})

it.each([
  ['the resource', { OTEL_RESOURCE_ATTRIBUTES: 'service.name=shop' }, 'shop'],
  [
    'its own variable first',
    { OTEL_RESOURCE_ATTRIBUTES: 'service.name=shop', OTEL_SERVICE_NAME: 'till' },
    'till',
  ],
])('takes the name of the service from %s', (_, environment, name) => {
  expect(read({ ...endpoint, ...(environment as Record<string, string>) }).settings?.serviceName).toBe(name)
})

it('reads each signal separately', () => {
  const { settings } = read({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/v1/traces',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=live, region=a%2Cb',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
  })
  expect(settings).toMatchObject({
    traces: 'http/json',
    metrics: undefined,
    resource: { 'deployment.environment.name': 'live', region: 'a,b' },
    metricsTimeoutMs: 1000,
  })
})

it.each<readonly [Record<string, string>, RegExp]>([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL must be .* "grpc"$/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http/],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /^OTEL_TRACES_EXPORTER must be otlp or none, not "zipkin"$/],
  [
    { OTEL_TRACES_SAMPLER: 'jaeger_remote' },
    /^OTEL_TRACES_SAMPLER must be one of always_on, .* "jaeger_remote"$/,
  ],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, /^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "2"$/],
  ...[
    'OTEL_BSP_SCHEDULE_DELAY',
    'OTEL_BSP_MAX_QUEUE_SIZE',
    'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
    'OTEL_BSP_EXPORT_TIMEOUT',
    'OTEL_METRIC_EXPORT_INTERVAL',
    'OTEL_METRIC_EXPORT_TIMEOUT',
  ].flatMap((name) =>
    ['0', '-1', '0.5', '2147483648', 'soon'].map(
      (value) =>
        [
          { [name]: value },
          new RegExp(`^${name} must be a whole number from 1 to 2147483647, not "${value}"$`),
        ] as const,
    ),
  ),
  [{ OTEL_RESOURCE_ATTRIBUTES: 'region' }, /^OTEL_RESOURCE_ATTRIBUTES must be key=value pairs .* "region"$/],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector' },
    /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be an http/,
  ],
])('refuses %j', (change, problem) => {
  const { problems } = read({ ...endpoint, ...(change as Record<string, string>) })
  expect(problems).toEqual([expect.stringMatching(problem)])
})
