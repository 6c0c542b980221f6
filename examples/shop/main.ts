// Starts the shop by itself: with the keys of the sandbox beside it, or of any gateway by its environment (README.md).
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createShop, type ShopOptions } from './server.ts'

const required = ['GATEWAY_URL', 'API_KEY', 'ESB_TOKEN', 'SIGNING_SECRET', 'PUBLIC_ID', 'WALLET_ID'] as const
const { env } = process
const port = Number(env.PORT ?? 3100)
const publicUrl = (env.SHOP_URL ?? `http://localhost:${port}`).replace(/\/+$/, '')

type Setup = Pick<ShopOptions, 'gatewayUrl' | 'credentials' | 'callbackAddress'> & { close?(): Promise<void> }

/** Of the environment, where it names a gateway. */
function setupOfEnvironment(): Setup {
  const missing = required.filter((name) => !env[name])
  if (missing.length > 0) stop(`The shop needs ${missing.join(', ')}: see README.md`)
  const credentials = {
    walletId: env.WALLET_ID ?? '',
    publicId: env.PUBLIC_ID ?? '',
    authScheme: env.AUTH_SCHEME ?? 'Comporta',
    apiKey: env.API_KEY ?? '',
    esbToken: env.ESB_TOKEN ?? '',
    signingSecret: env.SIGNING_SECRET ?? '',
    sellerPublicId: env.SELLER_PUBLIC_ID,
  }
  return { gatewayUrl: (env.GATEWAY_URL ?? '').replace(/\/+$/, ''), credentials: async () => credentials }
}

/** Of the sandbox that was started in this project: its first merchant, whose callbacks are sent here. */
async function setupOfSandbox(): Promise<Setup> {
  const file = join(env.DATA_DIR ?? join(import.meta.dirname, '..', '..', 'data'), 'demo.json')
  if (!existsSync(file)) stop(`There is no gateway in sandbox mode yet (${file}): start it with npm start`)
  const { base_url: gatewayUrl, auth_scheme: authScheme, merchants } = JSON.parse(readFileSync(file, 'utf8'))
  const [{ wallet_id, public_id, api_key, esb_token, callback_signing_secret }, seller] = merchants
  const setting = `${gatewayUrl}/sandbox/api/merchants/${wallet_id}/callback-url`
  const set = async (address: string) => {
    const headers = { 'content-type': 'application/json' }
    await fetch(setting, { method: 'POST', headers, body: JSON.stringify({ callback_url: address }) })
  }
  const read = async () => {
    const { callback_url } = (await (await fetch(setting)).json()) as { callback_url: string | null }
    return callback_url
  }
  const before = await read().catch(() =>
    stop(`The gateway does not answer at ${gatewayUrl}: start it with npm start`),
  )
  await set(`${publicUrl}/callbacks`)
  const credentials = {
    walletId: String(wallet_id),
    publicId: public_id,
    authScheme,
    apiKey: api_key,
    esbToken: esb_token,
    signingSecret: callback_signing_secret,
    sellerPublicId: seller?.public_id,
  }
  const close = () => set(before ?? '')
  return { gatewayUrl, credentials: async () => credentials, callbackAddress: { read, set }, close }
}

function stop(reason: string): never {
  console.error(reason)
  process.exit(1)
}

const setup: Setup = required.some((name) => env[name]) ? setupOfEnvironment() : await setupOfSandbox()
const server = createShop({ ...setup, publicUrl, onError: (error) => console.error(error) })
server.listen(port, env.HOST ?? 'localhost', () => console.log(`The shop is open at ${publicUrl}`))
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, async () => {
    server.close()
    await setup.close?.()
  })
