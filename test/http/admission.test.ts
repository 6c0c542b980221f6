// Admission: concurrency, queue and early refusals.
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Gateway, keys, openGateway, refused, validBody } from './gateway.ts'

const waitMsMax = 2_000

let gateway: Gateway
beforeEach(async () => {
  gateway = await openGateway({}, { admission: { inProgressMax: 2, waitMsMax } })
})
afterEach(() => gateway.close())

const pay = (amount: number) =>
  gateway.ask('POST', '/api/v2/things', { body: { payment: { ...validBody.payment, amount } } })
const amounts = () => gateway.received.map((body) => (body as typeof validBody).payment.amount)

/** Holds `count` places. */
function holdPlaces(count: number): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  gateway.hold(promise)
  for (let place = 0; place < count; place++) void gateway.ask('GET', '/held', { key: null })
  return resolve
}

async function metric(name: string): Promise<number> {
  const { text } = await gateway.ask('GET', '/metrics', { key: null })
  const line = text.split('\n').find((candidate) => candidate.startsWith(`comporta_requests_${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

async function untilMetric(name: string, value: number): Promise<void> {
  await expect.poll(() => metric(name), { interval: 5 }).toBe(value)
}

function send(text: string): Socket {
  const socket = connect(gateway.port, '127.0.0.1', () => socket.write(text))
  socket.on('error', () => socket.destroy())
  return socket
}

/** A payment over a raw socket. */
function sendPayment(amount: number): Socket {
  const body = JSON.stringify({ payment: { amount, currency: 'EUR' } })
  return send(
    `POST /api/v2/things HTTP/1.1\r\nauthorization: Comporta ${keys.all}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  )
}

it('requests beyond the limit wait and run in order of arrival', async () => {
  const release = holdPlaces(2)
  await untilMetric('in_progress', 2)
  const answers = []
  for (const amount of [1, 2, 3]) {
    answers.push(pay(amount))
    await untilMetric('waiting', amount)
  }
  expect(amounts()).toEqual([])
  release()
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200)
  expect(amounts()).toEqual([1, 2, 3])
  await untilMetric('in_progress', 0)
})

it('nothing is done for a client that hung up while it waited', async () => {
  const release = holdPlaces(2)
  await untilMetric('in_progress', 2)
  const gone = sendPayment(1)
  await untilMetric('waiting', 1)
  const stays = pay(2)
  await untilMetric('waiting', 2)
  gone.destroy()
  await untilMetric('waiting', 1)
  await untilMetric('shed_total{reason="left"}', 1)
  release()
  expect((await stays).status).toBe(200)
  expect(amounts()).toEqual([2])
  await untilMetric('in_progress', 0)
})

it('requests that wait too long are refused, and later ones at once', async () => {
  const release = holdPlaces(2)
  await untilMetric('in_progress', 2)
  const started = performance.now()
  const overloaded = refused('service_unavailable', /^too many requests are waiting \(limit: 2 s\)/)
  const [late, alsoLate] = await Promise.all([pay(1), pay(2)])
  expect(late).toMatchObject(overloaded)
  expect(alsoLate).toMatchObject(overloaded)
  expect(performance.now() - started).toBeGreaterThanOrEqual(waitMsMax)
  // No request ended within the time limit, so the gateway does not even read the key and the body of the next one.
  const [, body] = (await gateway.say('POST /api/v2/things HTTP/1.1\r\ncontent-length: 99\r\n\r\n')).split(
    '\r\n\r\n',
  )
  expect(JSON.parse(body ?? '')).toMatchObject(overloaded.json)
  const refusal = await pay(3)
  expect(refusal).toMatchObject(overloaded)
  expect(Number(refusal.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect(amounts()).toEqual([])
  release()
  await untilMetric('in_progress', 0)
  expect((await pay(4)).status).toBe(200)
})

it('a quiet time before says nothing about how long one has to wait', async () => {
  const quietSince = performance.now()
  await pay(1)
  while (performance.now() - quietSince < waitMsMax + 100) await gateway.ask('GET', '/healthz', { key: null })
  const release = holdPlaces(2)
  await untilMetric('in_progress', 2)
  const waits = pay(2)
  await untilMetric('waiting', 1)
  release()
  expect((await waits).status).toBe(200)
})

it('any number of short waiting requests is answered as soon as a place is free', async () => {
  const patient = await openGateway({}, { admission: { inProgressMax: 1, waitMsMax: 60_000 } })
  const { promise, resolve } = Promise.withResolvers<void>()
  patient.hold(promise)
  const held = patient.ask('GET', '/held-page', { key: null })
  const inProgress = async () => (await patient.app.inject('/metrics')).body.includes('in_progress 1\n')
  await expect.poll(inProgress, { interval: 5 }).toBe(true)
  const answers = Array.from({ length: 3000 }, () => patient.app.inject('/openapi.json'))
  await expect.poll(async () => (await patient.app.inject('/metrics')).body).toContain('waiting 3000\n')
  resolve()
  for (const { statusCode } of await Promise.all(answers)) expect(statusCode).toBe(200)
  expect((await held).status).toBe(200)
  expect(await inProgress()).toBe(false)
  await patient.close()
})

it('those who watch the gateway never wait', async () => {
  const release = holdPlaces(2)
  await untilMetric('in_progress', 2)
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect((await gateway.ask('GET', path, { key: null })).status).toBe(200)
  release()
})

it('clients that send slowly, break off or are refused keep no place', async () => {
  const head = `POST /api/v2/things HTTP/1.1\r\nauthorization: Comporta ${keys.all}\r\ncontent-type: application/json\r\n`
  const slow = Array.from({ length: 5 }, () => send(`${head}content-length: 99\r\n\r\n{`))
  await expect
    .poll(() => new Promise((resolve) => gateway.app.server.getConnections((_, count) => resolve(count))))
    .toBeGreaterThanOrEqual(5)
  expect((await pay(1)).status).toBe(200)
  for (const socket of slow) socket.destroy()
  for (const key of [null, 'key-unknown']) await gateway.ask('GET', '/api/v2/things', { key })
  await gateway.ask('POST', '/api/v2/things', { body: '{' })
  await gateway.ask('GET', '/api/v2/faults/other', { key: null })
  await gateway.ask('GET', '/api/v2/faults/card_declined', { key: null })
  await untilMetric('in_progress', 0)
  expect((await pay(2)).status).toBe(200)
})

it('pages that are looked at take no place of a payment, however many wait', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  gateway.hold(promise)
  const pages = Array.from({ length: 5 }, () => gateway.ask('GET', '/held-page', { key: null }))
  await untilMetric('in_progress', 2)
  await untilMetric('waiting', 3)
  expect((await pay(1)).status).toBe(200)
  expect(await metric('waiting')).toBe(3)
  resolve()
  expect((await Promise.all(pages)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  await untilMetric('in_progress', 0)
})
