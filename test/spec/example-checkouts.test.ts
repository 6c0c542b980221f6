// The checkout examples in Node, PHP and Python.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { cards, startWorld, type World } from '../world.ts'

const examples = join(import.meta.dirname, '..', '..', 'examples')

const languages = [
  { name: 'node', command: process.execPath, args: () => ['checkout.mjs'] },
  { name: 'php', command: 'php', args: (port: number) => ['-S', `localhost:${port}`, 'checkout.php'] },
  { name: 'python', command: 'python3', args: () => ['checkout.py'] },
]

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    process.stderr.write(`\nSKIPPED, and so NOT SHOWN: the example that needs ${command}\n\n`)
    return false
  }
}

describe.each(languages)('in $name', ({ name, command, args }) => {
  const runs = isInstalled(command)
  const cwd = join(examples, `checkout-${name}`)
  let program: ChildProcess
  let url: string

  beforeAll(async () => {
    if (!runs) return
    const port = await freePort()
    url = `http://localhost:${port}`
    program = start(port)
    await world.eventually(() =>
      fetch(url)
        .then(({ ok }) => ok)
        .catch(() => false),
    )
    await world.cli('merchant', 'set', String(world.shop.wallet_id), '--callback-url', `${url}/callbacks`)
  })
  afterAll(async () => {
    if (!runs) return
    program.kill('SIGTERM')
    await once(program, 'exit')
    rmSync(join(cwd, 'data'), { recursive: true, force: true })
  })

  function start(port: number): ChildProcess {
    const { api_key: COMPORTA_API_KEY, callback_signing_secret: COMPORTA_SIGNING_SECRET } = world.shop
    const env = {
      PATH: process.env.PATH,
      PORT: String(port),
      COMPORTA_URL: world.baseUrl,
      COMPORTA_API_KEY,
      COMPORTA_SIGNING_SECRET,
    }
    return spawn(command, args(port), { cwd, env, stdio: 'ignore' })
  }

  const text = async (path: string) => (await fetch(url + path)).text()

  it.runIf(runs)('is paid, reported by a callback, and shown', async () => {
    expect(await text('/')).toContain('Pay 12.50 EUR')
    const sent = await fetch(`${url}/pay`, { method: 'POST', redirect: 'manual' })
    expect(sent.status).toBe(303)
    const url_redirect = sent.headers.get('location') ?? ''
    const id = url_redirect.split('/').at(-1)
    expect(await text(`/return?checkoutid=${id}`)).toContain('Not paid: NEW.')
    await world.payOnPage({ url_redirect }, cards.frictionless)
    await world.eventually(async () =>
      (await text(`/return?checkoutid=${id}`)).includes('Callback: COMPLETED'),
    )
    const { elements } = (await world.shop.get('/api/v2/operations?limit=1')).body
    expect(elements).toMatchObject([{ amount: 12.5, status: 'COMPLETED' }])
    const late = { operation_id: elements[0].id, operation_status: 'PENDING', type: 'PAYMENT', amount: 12.5 }
    expect(await receive(JSON.stringify(late))).toBe(200)
    expect(await text(`/return?checkoutid=${id}`)).toMatch(/Paid, thank you.*Callback: COMPLETED/)
  })

  it.runIf(runs)('shows a refusal of the gateway', async () => {
    expect((await fetch(`${url}/return?checkoutid=${randomUUID()}`)).status).toBe(500)
    expect((await fetch(`${url}/nothing`)).status).toBe(404)
  })

  it.runIf(runs)('believes a callback that is signed and new, and no other', async () => {
    const body = '{"checkout_id":"0198c2f4","operation_status":"FAIL","amount":1.5}'
    const now = Math.floor(Date.now() / 1000)
    const signed = (age: number) => signature(`event.${now - age}.${body}`)
    const statuses = [
      await receive(body),
      await receive(body, now, `v1,${Buffer.alloc(32).toString('base64')} ${signed(0)}`),
      await receive(body, now, `${signed(0)}x`),
      await receive(body.replace('1.5', '2.5'), now, signed(0)),
      await receive(body, now - 600, signed(600)),
      await receive(body, now, ''),
    ]
    expect(statuses).toEqual([200, 200, 400, 400, 400, 400])
  })

  it.runIf(runs)('takes a callback that is signed and says nothing of a checkout', async () => {
    for (const body of ['null', '{}', '{"checkout_id":"0198c2f4"}']) expect(await receive(body)).toBe(200)
  })

  it.runIf(runs).each(['//', '//['])('continues after a request for "%s"', async (path) => {
    expect(await answerTo(`GET ${path} HTTP/1.1\r\nHost: localhost`)).toMatch(/^(HTTP\S+ [24]\d\d|$)/)
    expect((await fetch(url)).status).toBe(200)
  })

  it.runIf(runs).each(['-1', 'abc'])('continues after a body of %s bytes', async (length) => {
    const head = `POST /callbacks HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}`
    // PHP's server closes the connection without an answer.
    expect(await answerTo(head)).toMatch(name === 'php' ? /^(HTTP\S+ 4\d\d|$)/ : /^HTTP\S+ 400 /)
    expect((await fetch(url)).status).toBe(200)
  })

  /** Received bytes until the program closes the connection. */
  async function answerTo(head: string): Promise<string> {
    const socket = connect(Number(new URL(url).port), 'localhost')
    socket.write(`${head}\r\nConnection: close\r\n\r\n`)
    return textOf(socket)
  }

  function signature(content: string): string {
    const key = Buffer.from(world.shop.callback_signing_secret.replace('whsec_', ''), 'base64')
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  }

  async function receive(
    body: string,
    timestamp = Math.floor(Date.now() / 1000),
    signatures = signature(`event.${timestamp}.${body}`),
  ): Promise<number> {
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'event',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures,
    }
    return (await fetch(`${url}/callbacks`, { method: 'POST', headers, body })).status
  }
})
