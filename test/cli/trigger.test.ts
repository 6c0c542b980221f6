// comporta trigger plays each event that it lists, and the callback arrives. It needs only the URL of a sandbox.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld } from '../gateway-here.ts'
import type { World } from '../world.ts'
import { startCommand } from './command.ts'
import { startHttpProxy } from './http-proxy.ts'
import { runHere } from './run-here.ts'

let world: World
let environment: Record<string, string>

beforeAll(async () => {
  world = await openWorld()
  await world.cli('merchant', 'set', '1000', '--iban', 'PT50000201231234567890154', '--self-events', 'on')
  const { api_key, esb_token } = world.shop
  environment = {
    DATA_DIR: '/nowhere',
    COMPORTA_URL: world.baseUrl,
    COMPORTA_API_KEY: api_key,
    COMPORTA_ESB_TOKEN: esb_token,
  }
})
afterAll(async () => {
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const trigger = (...args: string[]) => runHere(['trigger', ...args], environment)

describe('comporta trigger', () => {
  it('has every listed event happen, with its callback delivered', async () => {
    const { json } = await trigger('--list')
    expect(json.events.length).toBeGreaterThan(25)
    const ended = []
    for (const { name, callback } of json.events) {
      const { json: answer } = await trigger(name)
      ended.push([name, answer.callback?.name ?? answer.error])
      expect(ended.at(-1)).toEqual([name, callback])
      const { id, body } = answer.callback
      const [received] = await world.eventually(async () => {
        const found = world.receiver
          .received('/callbacks')
          .filter(({ headers }) => headers['webhook-id'] === id)
        return found.length > 0 && found
      })
      expect(JSON.parse(received?.body ?? '')).toEqual(body)
    }
  })

  it('prints its steps, the ids, and the result of the callback', async () => {
    const { text } = await trigger('reference.paid', '--text')
    expect(text).toMatch(
      /- {2}the merchant made a reference {2}operation_id [0-9a-f-]{36} {2}entity 21312 {2}ref \d{9}/,
    )
    expect(text).toMatch(/Callback payment\.completed {2}[0-9a-f-]{36} {2}DELIVERED 200\n/)
  })

  it('waits for the first attempt, and prints its result or that there is no address', async () => {
    world.receiver.script('/callbacks', { status: 500, delayMs: 1000 }, {})
    const failed = await trigger('reference.paid', '--text')
    expect(failed.text).toMatch(/ {2}not delivered yet: 500, sent again at 2\d{3}-\S+\n/)
    const set = ['merchant', 'set', '1000', '--callback-url']
    await world.cli(...set, 'none')
    const { text } = await trigger('reference.paid', '--text')
    await world.cli(...set, world.receiver.url('/callbacks'))
    expect(text).toContain(
      'NO_ENDPOINT: no callback address is set. Only comporta listen shows this callback',
    )
  })

  it('prints its steps before an error', async () => {
    const proxy = await startHttpProxy(world.baseUrl)
    const instead = { status: 502, body: 'Bad Gateway' }
    proxy.instead = (_, path) => (path.endsWith('/references/pay') ? instead : undefined)
    const there = { ...environment, COMPORTA_URL: proxy.baseUrl }
    const ended = await runHere(['trigger', 'reference.paid', '--text'], there)
    expect(ended.said).toMatch(/^- {2}the merchant made a reference {2}operation_id [\s\S]+ answered 502, /)
    const { code, json } = await runHere(['trigger', 'reference.paid'], there)
    expect([code, json.error]).toMatchObject([
      1,
      { kind: 'not_a_gateway', steps: ['the merchant made a reference'], ids: { entity: '21312' } },
    ])
    expect(json.error.reason).not.toContain('the merchant made')
    await proxy.close()
  })

  it('is as the guide lists it, and knows the names of before', async () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/local-callbacks.md'), 'utf8')
    const rows = [...guide.matchAll(/^\| `([a-z_.]+)` +\| (.+?) +\| (?:`([a-z_.]+)`|the same) +\|$/gm)]
    const listed = rows.map(([, name = '', summary, callback = name]) => ({ name, summary, callback }))
    expect((await trigger('--list')).json.events).toEqual(listed)
    const { json } = await trigger('mandate.refused')
    expect(json).toMatchObject({ event: 'mandate.expired', callback: { name: 'mandate.expired' } })
  })

  it('finds the callback behind a hundred others, and says why it cannot look for it', async () => {
    const proxy = await startHttpProxy(world.baseUrl)
    const there = { ...environment, COMPORTA_URL: proxy.baseUrl }
    let isBusy = true
    proxy.before = async (path) => {
      if (!isBusy || !path.startsWith('/sandbox/api/references/pay')) return
      isBusy = false
      const { body } = await world.shop.post('/api/v2/mb/pay', { amount: 10, currency: 'EUR' })
      const tries = Array.from({ length: 110 }, () =>
        world.request('/sandbox/api/references/pay', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...body.mb, amount: 9 }),
        }),
      )
      await Promise.all(tries)
    }
    const { json } = await runHere(['trigger', 'reference.paid'], there)
    expect(json.callback).toMatchObject({ name: 'payment.completed' })
    const instead = { status: 502, body: 'Bad Gateway' }
    proxy.instead = (_, path) => (path.endsWith('/callback/listen') ? instead : undefined)
    const { text } = await runHere(['trigger', 'reference.paid', '--text'], there)
    expect(text).toContain('answered 502, not like a Comporta gateway')
    await proxy.close()
  })

  it('says why no callback was sent, where the merchant wants none for its own calls', async () => {
    await world.cli('merchant', 'set', '1000', '--self-events', 'off')
    const { code, text } = await trigger('refund.completed', '--text')
    await world.cli('merchant', 'set', '1000', '--self-events', 'on')
    expect([code, text]).toEqual([
      0,
      expect.stringContaining('use comporta merchant set <wallet> --self-events on'),
    ])
  })

  it.each([
    [['payment.complete'], 2, 'did you mean payment.completed? comporta trigger --list shows all events'],
    [['money'], 2, 'unknown event "money"; comporta trigger --list shows all events'],
    [[], 2, 'comporta trigger --list shows them'],
    [['mandate.approved', '--key', 'cmp_live_AAAAAAAA_x'], 1, 'trigger works in a sandbox only'],
    [['mandate.approved', '--url', 'http://127.0.0.1:2'], 1, 'does not answer: ECONNREFUSED'],
    [['mandate.approved', '--key', 'cmp_test_x'], 1, 'an API key looks like cmp_test_'],
  ])('%j is refused in words', async (args, exit, words) => {
    const { code, said } = await trigger(...args, '--text')
    expect([code, said]).toEqual([exit, expect.stringContaining(words)])
  })

  it('is a command like any other', async () => {
    const command = startCommand(['trigger', 'payment.failed', '--json'], { DATA_DIR: world.dataDir })
    expect(await command.ended).toBe(0)
    expect(JSON.parse(command.lines().join(''))).toMatchObject({
      event: 'payment.failed',
      callback: { name: 'payment.failed' },
    })
  })
})
