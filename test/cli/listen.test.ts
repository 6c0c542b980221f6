// The command listen, with failures of gateway, key and program.
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { judgesTimes, patienceSeconds } from '../patience.ts'
import { type ReceivedCallback, type Receiver, startReceiver } from '../receiver.ts'
import { type Json, startWorld, type World } from '../world.ts'
import { type RunningCommand, startCommand } from './command.ts'
import { type Instead, startHttpProxy } from './http-proxy.ts'

let world: World
let local: Receiver
const running: RunningCommand[] = []

beforeAll(async () => {
  ;[world, local] = await Promise.all([startWorld(), startReceiver()])
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((command) => command.stop()))
})
afterAll(async () => {
  await local.close()
  await world.stop()
})

/** Starts the command, and resolves when it is connected. */
async function listen(path: string, args: string[] = [], environment: Record<string, string> = {}) {
  const command = startCommand(['listen', '--forward-to', local.url(path), '--json', ...args], {
    DATA_DIR: world.dataDir,
    ...environment,
  })
  running.push(command)
  await expect.poll(() => command.said()).toContain('Ctrl-C ends')
  return command
}

/** Pays a reference, by default not the whole amount. The merchant gets one callback. */
async function callback(paid = 9): Promise<string> {
  const { body } = await world.shop.post('/api/v2/mb/pay', { amount: 10, currency: 'EUR' })
  await world.request('/sandbox/api/references/pay', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body.mb, amount: paid }),
  })
  return body.id
}

const operationsAt = (path: string) => local.received(path).map(({ body }) => JSON.parse(body).operation_id)
const headersOf = ({ headers }: ReceivedCallback) => {
  const { host, 'webhook-timestamp': time, 'webhook-signature': signature, ...same } = headers
  return same
}

describe('comporta listen', () => {
  it('hands over the body and the headers of a real delivery, with a signature of now', async () => {
    const command = await listen('/same')
    const id = await callback()
    const [here] = await local.waitFor('/same', 1)
    const there = await world.eventually(async () =>
      world.receiver.received('/callbacks').find(({ body }) => body.includes(id)),
    )
    expect(here?.body).toBe(there.body)
    expect(headersOf(here as ReceivedCallback)).toEqual(headersOf(there))
    expect(here?.headers['webhook-signature']).toMatch(/^v1,/)
    expect((await world.shop.post('/api/v2/callback/verify', here?.body)).text).toBe('true')
    await expect
      .poll(() => command.json())
      .toMatchObject([{ event: 'reference.usererror', id: here?.headers['webhook-id'], status: 200 }])
    expect(await command.stop()).toBe(0)
  })

  it('says whose callbacks they are, also where the key of a demo merchant is set', async () => {
    const command = await listen('/named', [], { COMPORTA_API_KEY: world.shop.api_key })
    expect(command.said()).toContain(`Callbacks of Demo Shop (wallet 1000) at ${world.baseUrl} go to `)
    await command.stop()
  })

  it('changes neither the callbacks of the endpoint nor its deliveries', async () => {
    await listen('/beside')
    const id = await callback()
    await local.waitFor('/beside', 1)
    const event = await world.eventually(async () => {
      const { body } = await world.shop.get('/api/v2/events')
      return body.events.find(
        ({ body, delivery }: Json) => body.operation_id === id && delivery.state === 'DELIVERED',
      )
    })
    expect(event.delivery).toMatchObject({ attempts: 1, last_status: 200 })
    expect(world.receiver.received('/callbacks').filter(({ body }) => body.includes(id))).toHaveLength(1)
  })

  it('shows callbacks of the names that were asked for, and of no other merchant', async () => {
    await listen('/payments', ['--events', 'payment,mandate'])
    await listen('/plain', ['--merchant', 'plain shop'])
    const everything = await listen('/all')
    await callback()
    await local.waitFor('/all', 1)
    await callback()
    await local.waitFor('/all', 2)
    const paid = await callback(10)
    await expect.poll(() => everything.json()).toHaveLength(3)
    await local.waitFor('/payments', 1)
    expect([operationsAt('/payments'), operationsAt('/plain')]).toEqual([[paid], []])
  })

  it('shows a failed answer with the action to take, and continues with the next callback', async () => {
    local.script('/broken', { status: 500 }, { kind: 'cut' }, {})
    const command = await listen('/broken')
    const first = await callback()
    const next = [await callback(), await callback()]
    await local.waitFor('/broken', 3)
    await expect
      .poll(() => command.json())
      .toMatchObject([{ status: 500 }, { error: 'ECONNRESET' }, { status: 200 }])
    expect(operationsAt('/broken')).toEqual([first, ...next])
    expect(command.said()).toContain('It is not sent again here.')
    expect(command.said().match(/--after/g)).toHaveLength(1)
    const [failed, , last] = command.json()
    expect(last).not.toHaveProperty('after')
    const again = await listen('/again', ['--after', failed.after])
    await local.waitFor('/again', 3)
    expect(operationsAt('/again')).toEqual([first, ...next])
    await again.stop()
  })

  it('waits for a slow program, and loses no callback', async () => {
    local.script('/slow', { delayMs: 1500 }, {})
    await listen('/slow')
    const ids = [await callback(), await callback(), await callback()]
    await local.waitFor('/slow', 3)
    expect(operationsAt('/slow')).toEqual(ids)
    expect(local.openAtOnce('/slow')).toBe(1)
  })

  it('continues after the gateway was killed and restarted', async () => {
    const command = await listen('/cut')
    const before = await callback()
    await local.waitFor('/cut', 1)
    await world.kill()
    await expect.poll(() => command.said()).toContain('Waiting for the gateway')
    await world.restart()
    const after = [await callback(), await callback()]
    await local.waitFor('/cut', 3)
    expect(operationsAt('/cut')).toEqual([before, ...after])
    expect(command.said()).toContain('Connected again')
  })

  it('continues after answers of a proxy', async () => {
    const proxy = await startHttpProxy(world.baseUrl)
    const answers: Instead[] = [
      { status: 200, body: '<html>Please sign in</html>' },
      { status: 404, body: 'deploying' },
      { status: 408, body: '\u001b[31m' },
    ]
    proxy.instead = () => answers.shift()
    const command = await listen('/between', [], {
      DATA_DIR: '/nowhere',
      COMPORTA_URL: proxy.baseUrl,
      COMPORTA_API_KEY: world.shop.api_key,
    })
    const id = await callback()
    await local.waitFor('/between', 1)
    expect(operationsAt('/between')).toEqual([id])
    for (const status of [200, 404, 408])
      expect(command.said()).toContain(`answered ${status}, not like a Comporta gateway`)
    await command.stop()
    await proxy.close()
  })

  it.each(['99999999999', 'Fri, 01 Jan 2100 00:00:00 GMT', 'soon'])(
    'asks no more often for Retry-After: %s',
    async (value) => {
      const proxy = await startHttpProxy(world.baseUrl)
      proxy.instead = () => ({ status: 503, body: '', headers: { 'retry-after': value } })
      const command = startCommand(['listen', '--forward-to', '3000'], {
        COMPORTA_URL: proxy.baseUrl,
        COMPORTA_API_KEY: world.shop.api_key,
      })
      running.push(command)
      await expect.poll(() => command.said()).toContain('Waiting for the gateway')
      await callback()
      expect(proxy.passed.length).toBeLessThan(3)
      expect(await command.stop()).toBe(0)
      await proxy.close()
    },
  )

  it('shows the error of a local program without HTTP, and continues with the next callback', async () => {
    const answers = [
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'garbage\r\n\r\n',
      'HTTP/1.1 200 OK\r\ncontent-ty',
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
    ]
    const program = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => socket.end(answers.shift() ?? ''))
    })
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(program.address() as AddressInfo).port}/`
    const command = startCommand(['listen', '--forward-to', address, '--json'], { DATA_DIR: world.dataDir })
    running.push(command)
    await expect.poll(() => command.said()).toContain('Ctrl-C ends')
    for (let count = 0; count < 5; count++) await callback()
    await expect.poll(() => command.json()).toHaveLength(5)
    expect(command.json().map(({ status }) => status)).toEqual([101, undefined, undefined, undefined, 200])
    program.close()
  })

  it('ends with the reason when its key is revoked, and gets no later callback', async () => {
    const { json: key } = await world.cli('key', 'create', String(world.shop.wallet_id))
    const command = await listen('/revoked', [], {
      DATA_DIR: '/nowhere',
      COMPORTA_URL: world.baseUrl,
      COMPORTA_API_KEY: key.api_key,
    })
    await world.cli('key', 'revoke', key.id)
    await callback()
    expect(await command.ended).toBe(1)
    expect(command.lines().join('')).toContain('20005')
    expect(local.received('/revoked')).toEqual([])
  })

  it.each([
    [[], 2, '--forward-to takes the address of your program'],
    [['--forward-to', 'ftp://x'], 2, 'not "ftp://x"'],
    [['--forward-to', '3000', '--events', 'paymnet'], 2, 'did you mean payment?'],
    [
      ['--forward-to', '3000', '--events', 'mandate.cancelled'],
      2,
      'they are mandate.approved, mandate.updated,',
    ],
    [
      ['--forward-to', '3000', '--events', 'subscription.cancelled'],
      2,
      'did you mean subscription.canceled?',
    ],
    [['--forward-to', '3000', '--merchant', 'Nobody'], 2, '--merchant takes one of Demo Shop (1000)'],
    [
      ['--forward-to', '3000', '--url', 'https://pay.example.com'],
      1,
      'give its API key by --key or COMPORTA_API_KEY',
    ],
    [['--forward-to', '3000', '--key', 'cmp_test_x', '--merchant', 'Demo Shop'], 2, 'exclude each other'],
    [['--forward-to', '3000', '--after', 'x'], 2, '--after takes the id of an event'],
  ])('%j is refused in words', async (args, code, words) => {
    const command = startCommand(['listen', ...args], { DATA_DIR: world.dataDir })
    expect(await command.ended).toBe(code)
    expect(command.said()).toContain(words)
  })
})

describe('GET /api/v2/callback/listen', () => {
  it('waits for a turn of no other request, is not in the request log, and ends when the gateway stops', async () => {
    const { body: start } = await world.shop.get('/api/v2/callback/listen')
    expect(start).toEqual({ callbacks: [], next: expect.any(String), more: false })
    const waiting = world.shop.get(`/api/v2/callback/listen?after=${start.next}`)
    const id = await callback()
    const { body, headers } = await waiting
    expect(body.callbacks).toMatchObject([
      { kind: 'operation', event: 'USERERROR', body: expect.stringContaining(id) },
    ])
    expect(body).toMatchObject({ next: body.callbacks[0].id, more: false })
    expect(headers.get('cache-control')).toBe('no-store')
    const last = world.shop.get(`/api/v2/callback/listen?after=${body.next}`)
    const metrics = (await world.request('/metrics')).text
    expect(metrics).not.toContain('callback/listen')
    process.kill(world.pid(), 'SIGTERM')
    expect(await last).toMatchObject({ status: 200, body: { callbacks: [], next: body.next } })
    await world.restart()
  })

  it('lets eight of a wallet wait at once, and others say when to come again', async () => {
    const { body: start } = await world.shop.get('/api/v2/callback/listen')
    const path = `/api/v2/callback/listen?after=${start.next}`
    const waiting = Array.from({ length: 8 }, () => world.shop.get(path))
    const refused = await world.eventually(async () => {
      const { body: last } = await world.shop.get('/api/v2/callback/listen')
      const answer = await Promise.race([world.shop.get(path), waiting[0]])
      return last !== undefined && answer?.status === 429 && answer
    })
    expect(refused.body).toMatchObject({ code: 10029, reason: expect.stringContaining('at most 8 programs') })
    expect(refused.headers.get('retry-after')).toBe('10')
    await callback()
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
  })

  it('has room again as soon as those who waited have left', async () => {
    const { body: start } = await world.shop.get('/api/v2/callback/listen')
    const url = `${world.baseUrl}/api/v2/callback/listen?after=${start.next}`
    const ask = (signal: AbortSignal) =>
      fetch(url, { signal, headers: { authorization: `Comporta ${world.shop.api_key}` } }).then(
        ({ status }) => status,
        () => 'waited',
      )
    const leaving = new AbortController()
    const waiting = Array.from({ length: 8 }, () => ask(leaving.signal))
    await world.eventually(async () => (await ask(AbortSignal.timeout(1000))) === 429)
    leaving.abort()
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'waited'))
    // After 25 s the gateway would have answered in any case.
    const seconds = judgesTimes ? 10 : patienceSeconds
    await world.eventually(async () => (await ask(AbortSignal.timeout(1000))) === 'waited', seconds)
  })

  it('knows no event of another wallet, and needs the permission callbacks', async () => {
    const { body: mine } = await world.shop.get('/api/v2/events?limit=1')
    const foreign = await world.merchant('Plain Shop').get(`/api/v2/callback/listen?after=${mine.next}`)
    expect(foreign.body).toMatchObject({ code: 10002 })
    const { json: key } = await world.cli('key', 'create', '1000', '--permissions', 'checkout')
    const { body } = await world.request('/api/v2/callback/listen', {
      headers: { authorization: `Comporta ${key.api_key}` },
    })
    expect(body).toMatchObject({ code: 20002 })
  })
})

it('gets what another process of the same PostgreSQL wrote', async () => {
  const one = await startWorld('postgres')
  const environment = { MASTER_KEY_FILE: `${one.dataDir}/master.key` }
  const other = await startWorld({ databaseUrl: one.databaseUrl }, environment)
  try {
    const { body: start } = await other.shop.get('/api/v2/callback/listen')
    const waiting = other.shop.get(`/api/v2/callback/listen?after=${start.next}`)
    const { body: made } = await one.shop.post('/api/v2/mb/pay', { amount: 10, currency: 'EUR' })
    await one.request('/sandbox/api/references/pay', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...made.mb, amount: 10 }),
    })
    const { body } = await waiting
    expect(body.callbacks).toMatchObject([{ event: 'COMPLETED', body: expect.stringContaining(made.id) }])
  } finally {
    await other.stop()
    await one.stop()
  }
})
