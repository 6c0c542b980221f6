// OpenTelemetry's libraries: nothing of them is loaded unless an endpoint is named, and what they send by default is protobuf.
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { providerFetch } from '../../src/connections/tools/provider-fetch.ts'
import { tracing } from '../../src/kernel/observe/tracing.ts'
import { telemetryOf } from '../../src/telemetry/rules.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { startWorld } from '../world.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

it('a gateway without an endpoint loads none of them, and sends no traceparent', async () => {
  // Prints, at its end, what it has loaded.
  const probe = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) { if (url.includes('@opentelemetry')) console.log('LOADED ' + url); return next(url, context) } })
  `)}`
  const world = await startWorld('pglite', { OTEL_SERVICE_NAME: 'named', OTEL_SDK_DISABLED: 'false' }, [
    '--liftoff-only',
    '--import',
    probe,
    'bin/comporta.js',
    'serve',
  ])
  const checkout = await world.createCheckout()
  await world.payOnPage(checkout, { number: '4176660000000027' })
  const [callback] = await world.receiver.waitFor('/callbacks', 1)
  const loaded = world.output()
  await world.stop()
  expect(callback?.headers).not.toHaveProperty('traceparent')
  // The sign-in library loads the API alone, which does nothing by itself.
  expect(loaded.match(/LOADED \S+@opentelemetry\/(?!api\/|semantic-conventions\/)\S+/g)).toBeNull()
})

it('sends protobuf where nothing else was asked for, and names its span to providers', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', receiver.origin)
  const problems: string[] = []
  const settings = telemetryOf(process.env, problems)
  expect(problems).toEqual([])
  if (settings === undefined) throw new Error('telemetry was asked for')
  const { startTelemetry } = await import('../../src/telemetry/index.ts')
  const telemetry = await startTelemetry(settings, '1.2.3')
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
})
