// Starts the shop with the keys of the sandbox, or with those in the environment.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createShop, type ShopOptions } from './server.ts'

const required = [
  'COMPORTA_URL',
  'COMPORTA_API_KEY',
  'COMPORTA_ESB_TOKEN',
  'COMPORTA_SIGNING_SECRET',
  'COMPORTA_PUBLIC_ID',
  'COMPORTA_WALLET_ID',
] as const
const { env } = process
const port = Number(env.PORT ?? 3100)
const publicUrl = (env.SHOP_URL ?? `http://localhost:${port}`).replace(/\/+$/, '')

type Setup = Pick<ShopOptions, 'gatewayUrl' | 'credentials' | 'callbackAddress'> & { close?(): Promise<void> }

function setupOfEnvironment(): Setup {
  const missing = required.filter((name) => !env[name])
  if (missing.length > 0) stop(`The shop needs ${missing.join(', ')}: see README.md`)
  const {
    COMPORTA_URL = '',
    COMPORTA_API_KEY: api_key = '',
    COMPORTA_ESB_TOKEN: esb_token = '',
    COMPORTA_WALLET_ID: wallet_id = '',
  } = env
  const { COMPORTA_PUBLIC_ID: public_id = '', COMPORTA_SIGNING_SECRET: callback_signing_secret = '' } = env
  const { AUTH_SCHEME: auth_scheme = 'Comporta', SELLER_PUBLIC_ID: seller_public_id } = env
  const merchant = { wallet_id, public_id, auth_scheme, seller_public_id }
  const credentials = { ...merchant, api_key, esb_token, callback_signing_secret }
  return { gatewayUrl: COMPORTA_URL.replace(/\/+$/, ''), credentials: async () => credentials }
}

/** Uses the first merchant of the sandbox, and sends its callbacks to this shop. */
async function setupOfSandbox(): Promise<Setup> {
  const file = join(env.DATA_DIR ?? join(import.meta.dirname, '..', '..', 'data'), 'demo.json')
  if (!existsSync(file)) stop(`There is no gateway in sandbox mode yet (${file}): start it with npm start`)
  const { base_url: gatewayUrl, auth_scheme, merchants } = JSON.parse(readFileSync(file, 'utf8'))
  const [merchant, seller] = merchants
  const setting = `${gatewayUrl}/sandbox/api/merchants/${merchant.wallet_id}/callback-url`
  const set = async (address: string) => {
    const headers = { 'content-type': 'application/json' }
    await fetch(setting, { method: 'POST', headers, body: JSON.stringify({ callback_url: address }) })
  }
  const read = async (): Promise<string | null> => Object(await (await fetch(setting)).json()).callback_url
  const before = await read().catch(() =>
    stop(`The gateway does not answer at ${gatewayUrl}: start it with npm start`),
  )
  await set(`${publicUrl}/callbacks`)
  return {
    ...{ gatewayUrl, callbackAddress: { read, set }, close: () => set(before ?? '') },
    credentials: async () => ({ ...merchant, auth_scheme, seller_public_id: seller?.public_id }),
  }
}

function stop(reason: string): never {
  console.error(reason)
  process.exit(1)
}

const setup: Setup = required.some((name) => env[name]) ? setupOfEnvironment() : await setupOfSandbox()
const server = createShop({ ...setup, publicUrl, onError: console.error })
server.listen(port, env.HOST ?? 'localhost', () => console.log(`The shop is open at ${publicUrl}`))
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, async () => {
    server.close().closeAllConnections()
    await setup.close?.()
  })
