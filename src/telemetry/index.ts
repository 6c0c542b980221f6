// OpenTelemetry traces and metrics over OTLP, loaded only if configured.
import { setTimeout as pause } from 'node:timers/promises'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Registry } from 'prom-client'
import { minute, second } from '../kernel/time.ts'
import { startTracing } from '../kernel/tracing.ts'
import { prometheusMetrics } from './prometheus.ts'
import type { OtlpProtocol, TelemetrySettings } from './rules.ts'
import { createTracing } from './tracer.ts'

const scope = 'comporta'
const reportEveryMs = minute
const problemLengthMax = 300
/** The gateway does not stop later than this because of a silent collector. */
const lastSendMsMax = 2 * second

export interface Telemetry {
  sendMetrics(registry: Registry): void
  stopMetrics(): Promise<void>
  stop(): Promise<void>
}

/** Call it before the gateway is composed: earlier parts are not traced. At most one problem a minute. */
export async function startTelemetry(
  settings: TelemetrySettings,
  version: string,
  onProblem: (problem: string) => void,
): Promise<Telemetry> {
  reportProblems(onProblem)
  const resource = defaultResource().merge(
    resourceFromAttributes({
      'service.version': version,
      'service.instance.id': `${process.pid}@${process.env.HOSTNAME ?? 'localhost'}`,
      ...settings.resource,
      'service.name': settings.serviceName,
    }),
  )
  let traces: TracerProvider | undefined
  let metrics: MeterProvider | undefined
  if (settings.traces !== undefined) {
    const exporter = await traceExporter(settings.traces)
    const spanProcessors = [new BatchSpanProcessor({ exporter, ...settings.batch })]
    traces = new TracerProvider({ resource, spanProcessors, sampler: samplerOf(settings) })
    startTracing(createTracing(traces.getTracer(scope, version)))
  }
  const metricExporter = settings.metrics && (await exporterOfMetrics(settings.metrics))
  return {
    sendMetrics(registry) {
      if (metricExporter === undefined) return
      const reader = new PeriodicExportingMetricReader({
        exporter: metricExporter,
        exportIntervalMillis: settings.metricsEveryMs,
        exportTimeoutMillis: settings.metricsTimeoutMs,
        metricProducers: [prometheusMetrics(registry, scope, resource)],
      })
      metrics = new MeterProvider({ resource, readers: [reader] })
    },
    async stopMetrics() {
      await endSending(metrics)
    },
    async stop() {
      startTracing(undefined)
      await endSending(traces)
    },
  }
}

async function endSending(provider: { shutdown(): Promise<void> } | undefined): Promise<void> {
  if (provider === undefined) return
  const limit = new AbortController()
  const sent = provider.shutdown().finally(() => limit.abort())
  await Promise.race([Promise.allSettled([sent]), pause(lastSendMsMax, undefined, limit).catch(() => {})])
}

/** Reports problems, because the libraries alone would fail silently. */
function reportProblems(onProblem: (problem: string) => void): void {
  let saidAt = Number.NEGATIVE_INFINITY
  const nothing = () => {}
  const error = (message: string) => {
    if (performance.now() - saidAt < reportEveryMs) return
    saidAt = performance.now()
    onProblem(message.slice(0, problemLengthMax))
  }
  const logger = { error, warn: nothing, info: nothing, debug: nothing, verbose: nothing }
  diag.setLogger(logger, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true })
}

function samplerOf({ sampler, sampledRatio }: TelemetrySettings): Sampler {
  const ratio = new TraceIdRatioBasedSampler(sampledRatio)
  const samplers = {
    always_on: new AlwaysOnSampler(),
    always_off: new AlwaysOffSampler(),
    traceidratio: ratio,
    parentbased_always_on: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    parentbased_always_off: new ParentBasedSampler({ root: new AlwaysOffSampler() }),
    parentbased_traceidratio: new ParentBasedSampler({ root: ratio }),
  } satisfies Record<TelemetrySettings['sampler'], Sampler>
  return samplers[sampler]
}

/** Exporters read address, headers, time-out and certificates from the environment themselves. */
async function traceExporter(protocol: OtlpProtocol): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'))
  return new OTLPTraceExporter()
}

async function exporterOfMetrics(protocol: OtlpProtocol): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-metrics-otlp-http')
    : import('@opentelemetry/exporter-metrics-otlp-proto'))
  return new OTLPMetricExporter()
}
