// Starts the shop by itself, against any gateway: what it needs to know comes from the environment (README.md).
import { createShop } from './server.ts'

const required = ['GATEWAY_URL', 'API_KEY', 'ESB_TOKEN', 'SIGNING_SECRET', 'PUBLIC_ID', 'WALLET_ID'] as const
const { env } = process

const missing = required.filter((name) => !env[name])
if (missing.length > 0) {
  console.error(`The shop needs ${missing.join(', ')}: see README.md`)
  process.exit(1)
}

const port = Number(env.PORT ?? 3000)
const publicUrl = (env.SHOP_URL ?? `http://localhost:${port}`).replace(/\/+$/, '')
const credentials = {
  walletId: env.WALLET_ID ?? '',
  publicId: env.PUBLIC_ID ?? '',
  authScheme: env.AUTH_SCHEME ?? 'Comporta',
  apiKey: env.API_KEY ?? '',
  esbToken: env.ESB_TOKEN ?? '',
  signingSecret: env.SIGNING_SECRET ?? '',
}
const server = createShop({
  gatewayUrl: (env.GATEWAY_URL ?? '').replace(/\/+$/, ''),
  publicUrl,
  credentials: async () => credentials,
  onError: (error) => console.error(error),
})
server.listen(port, env.HOST ?? 'localhost', () => console.log(`The shop is open at ${publicUrl}`))
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => server.close())
