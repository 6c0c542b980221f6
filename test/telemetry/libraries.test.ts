// OpenTelemetry's libraries: loaded only with an endpoint; protobuf by default.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { providerFetch } from '../../src/connections/tools/provider-fetch.ts'
import { tracing } from '../../src/kernel/tracing.ts'
import { telemetryOf } from '../../src/telemetry/rules.ts'
import { freePort } from '../free-port.ts'
import { startGatewayProcess } from '../gateway-process.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { cards, startWorld, type World } from '../world.ts'

/** Prints the loaded packages of OpenTelemetry, and one that is always loaded. */
const probe = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({ load(url, context, next) { if (/@opentelemetry|\\/pino\\//.test(url)) console.log('LOADED ' + url); return next(url, context) } })
`)}`

let receiver: Receiver
let world: World
beforeAll(async () => {
  receiver = await startReceiver()
  const nodeArguments = ['--liftoff-only', '--import', probe, 'bin/comporta.js', 'serve']
  world = await startWorld(
    'pglite',
    { OTEL_SERVICE_NAME: 'named', OTEL_SDK_DISABLED: 'false' },
    nodeArguments,
  )
})
afterAll(async () => {
  await world.stop()
  await receiver.close()
})

it('a gateway without an endpoint loads none of them, and sends no traceparent', async () => {
  await world.payOnPage(await world.createCheckout(), cards.frictionless)
  const [callback] = await world.receiver.waitFor('/callbacks', 1)
  expect(callback?.headers).not.toHaveProperty('traceparent')
  const loaded = [...world.output().matchAll(/LOADED \S+\/node_modules\/(@[^/]+\/[^/]+|[^/]+)/g)].map(
    ([, name]) => name,
  )
  expect(loaded).toContain('pino')
  // The sign-in library loads these two, which do nothing without an endpoint.
  const idle = ['@opentelemetry/api', '@opentelemetry/semantic-conventions', 'pino']
  expect(loaded.filter((name) => !idle.includes(name ?? ''))).toEqual([])
})

it('sends protobuf by default, and its span to providers', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.origin)
  const problems: string[] = []
  const settings = telemetryOf(process.env, problems)
  expect(problems).toEqual([])
  if (settings === undefined) throw new Error('telemetry was asked for')
  const { startTelemetry } = await import('../../src/telemetry/index.ts')
  const said: string[] = []
  const telemetry = await startTelemetry(settings, '1.2.3', (problem) => said.push(problem))
  const names = { kind: 'client', parent: null } as const
  const traceparent = await tracing?.span('asked for by a test', names, async () => {
    await providerFetch(receiver.url('/provider?secret=1'), { method: 'POST', headers: { accept: 'a/b' } })
    return tracing?.traceparent()
  })
  await telemetry.stop()
  const [asked] = receiver.received('/provider?secret=1')
  expect(asked?.headers).toMatchObject({
    accept: 'a/b',
    traceparent: expect.stringMatching(/^00-.{32}-.{16}-01$/),
  })
  expect(asked?.headers.traceparent?.slice(0, 35)).toBe(traceparent?.slice(0, 35))
  const [sent] = receiver.received('/v1/traces')
  expect(sent?.headers['content-type']).toBe('application/x-protobuf')
  expect(sent?.body).toContain('asked for by a test')
  expect(sent?.body).toContain('POST 127.0.0.1')
  expect(sent?.body).not.toContain('secret')
  expect(said).toEqual([])
})

it('logs once a minute that it cannot export', async () => {
  receiver.script('/v1/traces', { status: 400 })
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.origin)
  const settings = telemetryOf({ ...process.env, OTEL_BSP_SCHEDULE_DELAY: '20' }, [])
  if (settings === undefined) throw new Error('telemetry was asked for')
  const { startTelemetry } = await import('../../src/telemetry/index.ts')
  const said: string[] = []
  const telemetry = await startTelemetry(settings, '1.2.3', (problem) => said.push(problem))
  const before = receiver.received('/v1/traces').length
  for (const count of [1, 2]) {
    tracing?.begin('refused by the collector').end()
    await expect.poll(() => receiver.received('/v1/traces').length).toBe(before + count)
  }
  await telemetry.stop()
  expect(said).toHaveLength(1)
})

it('lets a gateway end while its collector does not answer', async () => {
  for (const path of ['/v1/traces', '/v1/metrics']) receiver.script(path, { kind: 'hang' })
  const before = receiver.received('/v1/metrics').length
  const dataDir = mkdtempSync(join(tmpdir(), 'comporta-collector-'))
  const tenMinutes = '600000'
  const gateway = await startGatewayProcess({
    dataDir,
    port: await freePort(),
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin,
      OTEL_METRIC_EXPORT_INTERVAL: '100',
      OTEL_EXPORTER_OTLP_TIMEOUT: tenMinutes,
      OTEL_BSP_EXPORT_TIMEOUT: tenMinutes,
    },
  })
  await expect.poll(() => receiver.received('/v1/metrics').length).toBeGreaterThan(before)
  expect(await gateway.stop()).toBe(0)
  rmSync(dataDir, { recursive: true })
})
