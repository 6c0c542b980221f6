// Traces and metrics of a collector, over processes, without secrets.
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWebhookCounter } from '../../src/connections/webhooks/receive.ts'
import { cardNeedle, found, needle } from '../needles.ts'
import { askedOnPhone } from '../phone.ts'
import { payByToken, storeCard } from '../stored-cards.ts'
import { cards, type Json, startWorld, type World } from '../world.ts'
import { type Collector, type SeenSpan, startCollector } from './collector.ts'
import { documentedMetrics } from './documented-metrics.ts'

let collector: Collector
let world: World
let token: string

beforeAll(async () => {
  collector = await startCollector()
  world = await startWorld('pglite', { ...collector.environment })
  token = await storeCard(world, cards.frictionless.number)
})
afterAll(async () => {
  await world.stop()
  await collector.receiver.close()
})

const spansOf = (traceId: string | undefined) => collector.spans().filter((span) => span.traceId === traceId)
const spanWhere = (name: string, fact: string, value: string) =>
  collector.spans().find((span) => span.name === name && span.facts[fact] === value)
const attempts = (traceId: string | undefined) => spansOf(traceId).filter(({ name }) => name === 'callback')

function above({ traceId, parentSpanId }: SeenSpan): string[] {
  const parent = spansOf(traceId).find(({ spanId }) => spanId === parentSpanId)
  return parent === undefined ? [] : [parent.name, ...above(parent)]
}

describe('a payment by token', () => {
  it('is one trace: request, rail, settlement and each delivery, also by another process', async () => {
    const path = `/callbacks-of-${randomUUID()}`
    world.receiver.script(path, { status: 500 }, { status: 200 })
    const { id } = await payByToken(world, token, { callback: world.receiver.url(path) })
    const settled = await world.eventually(async () => spanWhere('settle', 'comporta.operation.id', id))
    await world.eventually(async () => attempts(settled.traceId).length === 1)
    // If the process dies between the end of the span and the write of the result, the attempt is repeated.
    await world.eventually(async () =>
      (await world.cli('callbacks', 'list')).json.callbacks.some((callback: Json) => callback.attempts === 1),
    )
    await world.kill()
    await world.restart()
    await world.advance('PT10S')
    const [first, second] = await world.receiver.waitFor(path, 2)
    await world.eventually(async () => attempts(settled.traceId).length === 2)

    expect(settled.facts).toMatchObject({
      'comporta.operation.status': 'COMPLETED',
      'comporta.operation.type': 'PAYMENT',
      'comporta.method': 'CC',
    })
    const names = spansOf(settled.traceId).map(({ name }) => name)
    expect(names.toSorted()).toEqual([
      'POST /prows/v2/payment',
      'acquirer.authorize',
      'callback',
      'callback',
      'settle',
    ])
    const [asked] = spansOf(settled.traceId).filter(({ name }) => name === 'acquirer.authorize')
    expect(asked?.facts).toMatchObject({ 'comporta.rail.key': id, 'comporta.rail.answer': 'approved' })
    expect(above(asked as SeenSpan)).toEqual(['POST /prows/v2/payment'])
    const sent = attempts(settled.traceId)
    for (const attempt of sent) expect(above(attempt)).toEqual(['settle', 'POST /prows/v2/payment'])
    expect(sent.map(({ facts }) => facts['comporta.callback.attempt']).toSorted()).toEqual(['1', '2'])
    expect([first, second].map((callback) => callback?.headers.traceparent).toSorted()).toEqual(
      sent.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`).toSorted(),
    )
  })

  it('starts a new trace, linked to the caller’s', async () => {
    const theirs = randomUUID().replaceAll('-', '')
    const { headers } = await world.shop.get('/api/v2/operations', {
      traceparent: `00-${theirs}-00f067aa0ba902b7-00`,
    })
    const id = headers.get('x-request-id') ?? ''
    const span = await world.eventually(async () =>
      spanWhere('GET /api/v2/operations', 'comporta.request.id', id),
    )
    expect(span.traceId).not.toBe(theirs)
    expect(span.links.map(({ traceId }) => traceId)).toEqual([theirs])
    expect(span.facts['comporta.wallet.id']).toBe(String(world.shop.wallet_id))
  })
})

it('a payment that a phone approves later is linked to the trace of its request', async () => {
  const checkout = await world.createCheckout()
  const { phone, request } = await askedOnPhone(world, checkout)
  await phone.approve(request.id)
  const id = checkout.payment.id
  const settled = await world.eventually(async () => spanWhere('settle', 'comporta.operation.id', id))
  const opened = collector.spans().find(({ traceId }) => traceId === settled.links[0]?.traceId)
  expect(opened?.name).toBe('POST /api/v2/checkout')
  await world.eventually(async () => attempts(settled.traceId).length > 0)
})

it('a worker’s finding belongs to the trace of the operation', async () => {
  const silent = await storeCard(world, cards.silentThenApproved.number)
  const { id } = await payByToken(world, silent)
  const asked = await world.eventually(async () => spanWhere('acquirer.authorize', 'comporta.rail.key', id))
  await world.advance('PT30S')
  const settled = await world.eventually(async () => spanWhere('settle', 'comporta.operation.id', id))
  expect(settled.traceId).toBe(asked.traceId)
  expect(spansOf(asked.traceId).map(({ name }) => name)).toContain('acquirer.inquire')
})

it('metrics are those of /metrics', async () => {
  const sent = await world.eventually(async () => {
    const metrics = collector.metrics()
    return metrics.has('comporta_callbacks_due') && metrics
  })
  const text = (await world.request('/metrics')).text
  const named = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
  expect([...sent.keys()].toSorted()).toEqual(named.toSorted())
  const [requests] = sent.get('http_request_duration_seconds') ?? []
  const { count, bucketCounts, explicitBounds } = requests
  expect(bucketCounts.map(Number).reduce((sum: number, one: number) => sum + one, 0)).toBe(Number(count))
  expect(explicitBounds).toHaveLength(bucketCounts.length - 1)
})

it('docs/observability.md lists every metric with its type, and no other', async () => {
  const { text } = await world.request('/metrics')
  // Counted only if providers are connected.
  const production = new Registry()
  createWebhookCounter(production)
  const all = text + (await production.metrics())
  const families = [...all.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name = '', type = '']) => ({
    name,
    type,
  }))
  const ours = families.filter(({ name }) => !/^(process|nodejs)_/.test(name))
  const documented = documentedMetrics().filter(({ name }) => !/^(process|nodejs)_\*/.test(name))
  const row = ({ name, type }: { name: string; type: string }) => `${name} ${type}`
  expect(documented.map(row).toSorted()).toEqual(ours.map(row).toSorted())
})

it('no trace contains card data, a token, a key, a secret, or a person’s input', async () => {
  const paid = await world.createCheckout({ required_fields: { email: true, phone: true } })
  await world.payOnPage(paid, cards.challenge)
  await world.request('/api/v2/operations?email=ana@example.com', {
    headers: { authorization: `Comporta ${world.shop.api_key}` },
  })
  const { text } = await world.shop.get(`/prows/v2/creditcard/${token}?key=${world.shop.api_key}`)
  expect(text).not.toBe('')
  await world.eventually(async () =>
    collector.spans().some(({ name }) => name === 'threeDSecure.authenticate'),
  )
  const needles = [
    ...Object.values(cards).map(({ number }) => cardNeedle(number)),
    needle('token', token, [token.toLowerCase()]),
    needle('API key', world.shop.api_key),
    needle('ESB token', world.shop.esb_token),
    needle('callback secret', world.shop.callback_secret),
    needle('signing secret', world.shop.callback_signing_secret),
    needle('name', 'Ana Silva'),
    needle('e-mail', 'ana@example.com'),
  ]
  const texts = collector.texts()
  expect(texts.flatMap((text) => found(needles, 'telemetry', text))).toEqual([])
  // This shows that the search finds anything at all.
  expect(found([needle('marker', 'comporta-under-test')], 'telemetry', texts.join()).length).toBe(1)
})
