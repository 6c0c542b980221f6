// The example shop as a separate program.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../free-port.ts'
import { cards, startWorld, type World } from '../world.ts'

const program = join(import.meta.dirname, '..', '..', 'examples', 'shop', 'main.ts')

let world: World
let shop: ChildProcess
let shopUrl: string

beforeAll(async () => {
  world = await startWorld()
  const port = await freePort()
  shopUrl = `http://127.0.0.1:${port}`
  const { wallet_id, public_id, api_key, esb_token, callback_signing_secret } = world.shop
  shop = start({
    COMPORTA_URL: world.baseUrl,
    COMPORTA_WALLET_ID: String(wallet_id),
    COMPORTA_PUBLIC_ID: public_id,
    COMPORTA_API_KEY: api_key,
    COMPORTA_ESB_TOKEN: esb_token,
    COMPORTA_SIGNING_SECRET: callback_signing_secret,
    HOST: '127.0.0.1',
    PORT: String(port),
    SHOP_URL: shopUrl,
  })
  if (shop.stdout !== null) await once(shop.stdout, 'data')
  const { wallet_id: id } = world.shop
  const set = await world.cli('merchant', 'set', String(id), '--callback-url', `${shopUrl}/callbacks`)
  expect(set.code).toBe(0)
})

afterAll(async () => {
  shop.kill('SIGTERM')
  await once(shop, 'exit')
  await world.stop()
})

function start(environment: Record<string, string>): ChildProcess {
  const env = { PATH: process.env.PATH ?? '', ...environment }
  return spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Sends a form of the shop. Returns the redirect. */
async function send(path: string, fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(fields)
  const { status, headers } = await fetch(shopUrl + path, { method: 'POST', body, redirect: 'manual' })
  expect(status).toBe(303)
  return headers.get('location') ?? ''
}

it('is paid on the hosted checkout, and believes what the gateway signed', async () => {
  const first = await fetch(shopUrl)
  const { searchParams } = new URL(first.url)
  const session = searchParams.get('session') ?? ''
  const page = await first.text()
  expect(page).toContain(`${world.baseUrl}/secure-fields/v1/secure-fields.js`)
  expect(page).toContain(`--callback-url</span> ${shopUrl}/callbacks`)
  expect(page).not.toContain(world.shop.api_key)

  const url_redirect = await send('/checkouts', { session, lang: 'en', tshirt: '2', mug: '0' })
  expect(url_redirect).toContain(`${world.baseUrl}/checkout/`)
  await world.payOnPage({ url_redirect }, cards.frictionless)
  const timeline = () => fetch(`${shopUrl}/?session=${session}&lang=en`).then((response) => response.text())
  await world.eventually(async () => /PAYMENT COMPLETED[\s\S]*genuine/.test(await timeline()))
  const { elements } = (await world.shop.get('/api/v2/operations')).body
  expect(elements).toMatchObject([{ status: 'COMPLETED', amount: 39.8 }])
  const order = elements[0].ext_invoiceid
  const back = await fetch(`${shopUrl}/return?session=${session}&lang=en&order=${order}`)
  expect(await back.text()).toContain('Paid, thank you')
})

it.each([
  ['has no signature', {}],
  ['has a wrong one', { 'webhook-id': 'a', 'webhook-timestamp': 'now', 'webhook-signature': 'v1,AAAA' }],
])('does not believe a callback that %s', async (_, proof) => {
  const { status } = await fetch(`${shopUrl}/callbacks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(proof as Record<string, string>) },
    body: JSON.stringify({ type: 'PAYMENT', event: 'COMPLETED', ext_invoiceid: 'SHOP-1' }),
  })
  expect(status).toBe(400)
})

it('acts on no operation but those of its visitor, and takes no body without end', async () => {
  const { id } = (await world.shop.get('/api/v2/operations')).body.elements[0]
  const session = crypto.randomUUID()
  for (const action of ['refund', 'capture', 'release'])
    for (const operation of ['', id, '../operations']) {
      const location = await send(`/selling/${action}`, {
        session,
        lang: 'en',
        operation,
        attempt: operation,
      })
      expect(await (await fetch(shopUrl + location)).text()).toContain('This sale is not yours.')
    }
  expect((await world.operation(id)).status).toBe('COMPLETED')
  const body = `operation=${'x'.repeat(200_000)}`
  expect((await fetch(`${shopUrl}/selling/refund`, { method: 'POST', body })).status).toBe(413)
})

it('continues after a request with an invalid address', async () => {
  // `fetch` would normalize the path.
  expect((await fetch(`${shopUrl}//`)).status).toBe(400)
  expect((await fetch(shopUrl)).status).toBe(200)
})

it('finds the keys of the sandbox, and restores the callback address when it stops', async () => {
  const setting = () =>
    world
      .request(`/sandbox/api/merchants/${world.shop.wallet_id}/callback-url`)
      .then(({ body }) => body.callback_url)
  const before = await setting()
  const port = String(await freePort())
  const url = `http://localhost:${port}`
  const alone = start({ DATA_DIR: world.dataDir, PORT: port })
  const [said] = alone.stdout === null ? [] : await once(alone.stdout, 'data')
  expect(String(said)).toContain(`The shop is open at ${url}`)
  expect(await setting()).toBe(`${url}/callbacks`)
  const page = await fetch(url)
  expect(await page.text()).toContain(`data-merchant="${world.shop.public_id}"`)
  alone.kill('SIGTERM')
  expect((await once(alone, 'close'))[0]).toBe(0)
  expect(await setting()).toBe(before)
})

it('says what to start where there is no gateway', async () => {
  const alone = start({ DATA_DIR: join(world.dataDir, 'nothing'), PORT: '0' })
  const [said] = alone.stderr === null ? [] : await once(alone.stderr, 'data')
  expect(String(said)).toContain('start it with npm start')
  expect((await once(alone, 'close'))[0]).toBe(1)
})

it('names the settings that it lacks', async () => {
  const alone = start({ COMPORTA_URL: world.baseUrl, COMPORTA_API_KEY: 'k' })
  const [said] = alone.stderr === null ? [] : await once(alone.stderr, 'data')
  expect(String(said)).toContain(
    'COMPORTA_ESB_TOKEN, COMPORTA_SIGNING_SECRET, COMPORTA_PUBLIC_ID, COMPORTA_WALLET_ID',
  )
  expect((await once(alone, 'close'))[0]).toBe(1)
})
