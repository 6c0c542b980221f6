// The commands payments, checkout create and logs tail.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import { cards, type Json, type World } from '../world.ts'
import { startCommand } from './command.ts'
import { type HttpProxy, type Instead, startHttpProxy } from './http-proxy.ts'
import { type Ended, runHere } from './run-here.ts'

let world: World
let proxy: HttpProxy
const scratch = mkdtempSync(join(tmpdir(), 'comporta-commands-'))
beforeAll(async () => {
  world = await openWorld()
  proxy = await startHttpProxy(world.baseUrl)
})
afterAll(async () => {
  rmSync(scratch, { recursive: true })
  await proxy.close()
  await world.stop()
})

const comporta = (...args: string[]): Promise<Ended> => runHere(args, { DATA_DIR: world.dataDir })

async function paid(amount: string, change: Record<string, unknown> = {}): Promise<string> {
  const checkout = await world.createCheckout({ payment: { amount, currency: 'EUR', ...change } })
  await world.payOnPage(checkout, cards.frictionless)
  return checkout.payment.id
}

describe('comporta payments', () => {
  it('list shows a table, filtered, and as many pages as are asked for', async () => {
    await Promise.all(Array.from({ length: 32 }, () => world.createCheckout()))
    const id = await paid('12.10', { ext_invoiceid: 'T-42' })
    const { text } = await comporta('payments', 'list', '--invoice', 'T-42', '--text')
    expect(text).toMatch(/^DATE +ID +TYPE +METHOD +STATUS +AMOUNT +INVOICE\n/)
    expect(text).toMatch(new RegExp(`${id} +PAYMENT +CC +COMPLETED +12\\.10 +T-42\n$`))
    const { json } = await comporta('payments', 'list', '--limit', '33')
    expect(json.elements).toHaveLength(33)
    expect(new Set(json.elements.map(({ id }: Json) => id)).size).toBe(33)
    const { json: few } = await comporta(
      'payments',
      'list',
      '--limit',
      '2',
      '--type',
      'payment',
      '--method',
      'cc',
    )
    expect(few).toMatchObject({ total: 1, elements: [{ id }] })
  })

  it('get shows every fact, amounts with two decimals', async () => {
    const id = await paid('7.00')
    const { text } = await comporta('payments', 'get', id.toUpperCase(), '--text')
    expect(text).toMatch(new RegExp(`^id +${id}\n`))
    expect(text).toMatch(/\namount +7\.00\n/)
    expect((await comporta('payments', 'get', id)).json).toEqual(await world.operation(id))
  })

  it('shows controls and marks of direction that a customer typed, and sends none to the terminal', async () => {
    const invoice = 'a\u001b[31m\u0007\u009b\u202eb\nc'
    const id = await paid('3.00', { ext_invoiceid: invoice })
    const shown = 'a\\x1b[31m\\x07\\x9b\\u202eb\\x0ac'
    const raw = /[^\P{C}\n]/u
    for (const args of [['list'], ['get', id]]) {
      const { text } = await comporta('payments', ...args, '--text')
      expect(text).toContain(shown)
      expect(text).not.toMatch(raw)
      const asJson = await comporta('payments', ...args)
      expect(asJson.text).not.toMatch(raw)
      expect((asJson.json.elements?.[0] ?? asJson.json).ext_invoiceid).toBe(invoice)
    }
  })

  it.each([
    [{ COMPORTA_API_KEY: 'cmp_test_secret\nx' }, 'the API key contains an invalid character'],
    [{ COMPORTA_API_KEY: 'cmp_test_secret\u00e9' }, 'the API key contains an invalid character'],
    [
      { COMPORTA_API_KEY: 'k', COMPORTA_ESB_TOKEN: 'secret x' },
      'the ESB token contains an invalid character',
    ],
    [
      { COMPORTA_API_KEY: 'k', COMPORTA_URL: 'http://u:secret@127.0.0.1:2' },
      'must not contain a user or password',
    ],
    [{ COMPORTA_API_KEY: 'k', COMPORTA_URL: 'u:secret@pay.example' }, 'must not contain a user or password'],
  ])('%j is refused without quoting what is secret', async (there, words) => {
    const { code, said } = await runHere(['payments', 'list', '--text'], there as Record<string, string>)
    expect([code, said]).toEqual([2, expect.stringContaining(words)])
    expect(said).not.toContain('secret')
  })

  it('refund gives back the amount that was typed, once per request id, after a look', async () => {
    const id = await paid('10.00')
    const preview = await comporta('payments', 'refund', id, '--amount', '4.10', '--dry-run', '--text')
    expect(preview.text).toContain('Nothing was refunded. Preview:')
    const requestId = randomUUID()
    const once = [
      'payments',
      'refund',
      id,
      '--amount',
      '4.10',
      '--notes',
      'broken cup',
      '--request-id',
      requestId,
    ]
    const [first, again] = [await comporta(...once), await comporta(...once)]
    expect(first.json).toMatchObject({ type: 'REFUND', amount: -4.1, parent: id, notes: 'broken cup' })
    expect(again.json.id).toBe(first.json.id)
    expect((await comporta('payments', 'refund', id, '--text')).text).toMatch(
      /^5\.90 EUR refunded as [0-9a-f-]{36}\.\n$/,
    )
    const { code, said } = await comporta('payments', 'refund', id, '--text')
    expect([code, said]).toEqual([1, expect.stringContaining('40010')])
  })

  it('capture takes a part, then the rest', async () => {
    const made = await comporta('checkout', 'create', '--amount', '10', '--authorize')
    await world.payOnPage(made.json, cards.frictionless)
    const { id } = made.json.authorization
    const part = await comporta('payments', 'capture', id, '--amount', '3.33', '--text')
    expect(part.text).toMatch(/^3\.33 EUR captured as /)
    expect((await comporta('payments', 'capture', id)).json).toMatchObject({ type: 'CAPTURE', amount: 6.67 })
  })

  it('says under which id to ask again where no answer came', async () => {
    const key = ['--url', 'http://127.0.0.1:2', '--key', 'cmp_test_x']
    const { code, json } = await comporta('payments', 'refund', randomUUID(), ...key)
    expect(code).toBe(1)
    expect(json.error.request_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(json.error.reason).toContain(`Run it again with --request-id ${json.error.request_id}`)
  })

  const page = '<html>Bad Gateway</html>'
  it.each<[string, Instead]>([
    ['502 with a page', { status: 502, body: page }],
    ['404 with a page', { status: 404, body: page }],
    ['200 with a page', { status: 200, body: page }],
    ['200 with nothing', { status: 200, body: '' }],
    ['200 with null', { status: 200, body: 'null' }],
    ['200 with other JSON', { status: 200, body: '{"ok":true}' }],
    ['a redirect', { status: 302, body: '', headers: { location: '/' } }],
    ['the 408 of a proxy', { status: 408, body: page }],
    ['10014', { status: 409, body: '{"code":10014,"message":"m","reason":"r","tid":"t"}' }],
    ['20008', { status: 503, body: '{"code":20008,"message":"m","reason":"r","tid":"t"}' }],
  ])('says under which id to ask again where a proxy answers %s after it was booked', async (_, instead) => {
    const id = await paid('10.00')
    const there = { COMPORTA_URL: proxy.baseUrl, COMPORTA_API_KEY: world.shop.api_key }
    proxy.instead = (method) => (method === 'POST' ? instead : undefined)
    const { code, text } = await runHere(['payments', 'refund', id, '--amount', '4'], there)
    proxy.instead = () => undefined
    const { error } = JSON.parse(text)
    expect([code, error.reason]).toEqual([1, expect.stringContaining('The outcome is unknown')])
    const again = ['payments', 'refund', id, '--amount', '4', '--request-id', error.request_id]
    expect((await runHere(again, there)).json).toMatchObject({ type: 'REFUND', amount: -4 })
    expect((await comporta('payments', 'refund', id)).json).toMatchObject({ amount: -6 })
  })

  it('ended by Ctrl-C exits 130, and says under which id to ask again', async () => {
    const id = await paid('10.00')
    const there = { COMPORTA_URL: proxy.baseUrl, COMPORTA_API_KEY: world.shop.api_key }
    proxy.instead = (method) => (method === 'POST' ? 'hang' : undefined)
    proxy.passed.length = 0
    const command = startCommand(['payments', 'refund', id], there)
    await world.eventually(async () => proxy.passed.length > 0)
    expect(await command.stop()).toBe(130)
    proxy.instead = () => undefined
    expect(command.said()).toContain('The outcome is unknown')
    const [, requestId = ''] = /--request-id ([0-9a-f-]{36})/.exec(command.said()) ?? []
    const again = await comporta('payments', 'refund', id, '--request-id', requestId)
    expect(again.json).toMatchObject({ type: 'REFUND', amount: -10, parent: id })
  })

  it.each([
    [['payments', 'get', 'x'], '<id> is a UUID, not "x"'],
    [
      ['payments', 'refund', randomUUID(), '--amount', '1.500,00'],
      '--amount takes euros such as 12.50, with at most 2 decimals; not "1.500,00"',
    ],
    [['payments', 'refund', randomUUID(), '--amount', '1.505'], 'not "1.505"'],
    [['payments', 'list', '--limit', '301'], '--limit takes a number from 1 to 300'],
    [['payments', 'refnud'], 'did you mean payments refund?'],
    [['checkout', 'create'], 'checkout create needs --amount'],
    [['logs', 'tail', '--status', '9'], '--status takes 2xx, 3xx, 4xx or 5xx'],
    [['completion', 'csh'], 'completion takes one of bash, zsh, fish'],
  ])('%j is refused in words', async (args, words) => {
    const { code, said } = await comporta(...args, '--text')
    expect([code, said]).toEqual([2, expect.stringContaining(words)])
  })
})

describe('comporta checkout create', () => {
  it('prints the address, and opens it with the opener of the system', async () => {
    const opener = join(scratch, 'opener')
    writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > ${join(scratch, 'opened')}\n`)
    chmodSync(opener, 0o755)
    const { text } = await runHere(
      ['checkout', 'create', '--amount', '12.50', '--method', 'mbway', '--open', '--text'],
      {
        DATA_DIR: world.dataDir,
        BROWSER: opener,
      },
    )
    const [url = ''] = text.split('\n')
    expect(url).toContain(`${world.baseUrl}/checkout/`)
    await expect.poll(() => readFileSync(join(scratch, 'opened'), 'utf8')).toBe(url)
  })

  it('prints it too where no browser can be opened, and says so', async () => {
    const asked = ['checkout', 'create', '--amount', '12.50', '--open', '--text']
    const { code, text, said } = await runHere(asked, {
      DATA_DIR: world.dataDir,
      BROWSER: '/nowhere/browser',
    })
    expect([code, text]).toEqual([0, expect.stringContaining('/checkout/')])
    expect(said).toContain('open the address yourself')
  })
})

describe('comporta logs tail', () => {
  it('shows the past and follows, filtered, each request once and never its own', async () => {
    await world.shop.get('/api/v2/operations/x')
    const past = await world.eventually(async () => {
      const { text } = await comporta('logs', 'tail', '--once', '--status', '4xx')
      return text.includes('/api/v2/operations/x') && text
    })
    expect(JSON.parse(past.trim().split('\n').at(-1) ?? '')).toMatchObject({
      method: 'GET',
      status: 404,
      code: 10004,
    })
    const command = startCommand(['logs', 'tail', '--lines', '0', '--status', '4xx', '--json'], {
      DATA_DIR: world.dataDir,
    })
    const tids: string[] = []
    // The command follows new requests as soon as it prints one.
    await world.eventually(async () => {
      tids.push((await world.shop.get(`/api/v2/operations/${tids.length}`)).headers.get('x-request-id') ?? '')
      await world.shop.get('/api/v2/operations')
      return command.lines().length > 0
    })
    const last = (await world.shop.get('/api/v2/operations/last')).headers.get('x-request-id')
    await expect.poll(() => command.json().at(-1)?.tid).toBe(last)
    const shown = command.json()
    expect(new Set(shown.map(({ tid }) => tid)).size).toBe(shown.length)
    expect(shown.every(({ status }) => status === 404)).toBe(true)
    expect(shown.slice(0, -1).every(({ tid }) => tids.includes(tid))).toBe(true)
    expect(await command.stop()).toBe(0)
    expect((await comporta('logs', 'tail', '--once', '--lines', '100')).text).not.toContain('request_log')
  })

  it('of another merchant shows nothing of ours', async () => {
    expect((await comporta('logs', 'tail', '--once', '--merchant', 'Plain Shop', '--text')).text).toBe('')
  })
})

it('a live key goes by https or to this machine, and to no address that a file of the folder names', async () => {
  const folder = mkdtempSync(join(scratch, 'cloned-'))
  const demo = JSON.parse(readFileSync(join(world.dataDir, 'demo.json'), 'utf8'))
  const key = `cmp_live_AAAAAAAA_${'x'.repeat(38)}`
  const commands = [
    ['payments', 'list'],
    ['payments', 'get', randomUUID()],
    ['payments', 'refund', randomUUID()],
    ['payments', 'capture', randomUUID()],
    ['checkout', 'create', '--amount', '1.00', '--confirm-url', 'https://shop.example'],
    ['logs', 'tail'],
    ['listen', '--forward-to', '1'],
  ]
  const sent = () => proxy.passed.length
  const before = sent()
  for (const named of [proxy.baseUrl, 'https://pay.example.com']) {
    writeFileSync(join(folder, 'demo.json'), JSON.stringify({ ...demo, base_url: named }))
    for (const command of commands) {
      const byVariable = await runHere([...command, '--text'], { DATA_DIR: folder, COMPORTA_API_KEY: key })
      expect([command, byVariable.code, byVariable.said]).toEqual([
        ...[command, 1, expect.stringContaining('give the address by --url or COMPORTA_URL')],
      ])
    }
  }
  for (const url of ['http://pay.example.com', 'http://192.0.2.7:8080', 'http://localhost.example'])
    for (const command of commands) {
      const refused = await comporta(...command, '--url', url, '--key', key, '--text')
      expect([command, refused.code, refused.said]).toEqual([
        ...[command, 1, expect.stringContaining('needs https')],
      ])
    }
  expect(sent()).toBe(before)
  // To this machine it goes, and the sandbox does not know it.
  expect((await comporta('payments', 'list', '--url', proxy.baseUrl, '--key', key)).json.error).toMatchObject(
    {
      kind: 'refused',
    },
  )
  expect(sent()).toBe(before + 1)
})

it('a command whose reader leaves ends quietly', async () => {
  const line = `${process.execPath} bin/comporta.js payments list | true; exit \${PIPESTATUS[0]}`
  const pipe = spawn('bash', ['-c', line], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: world.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  pipe.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  expect(await new Promise((resolve) => pipe.once('close', resolve))).toBe(0)
  expect(said).toBe('')
})
