// A sandbox over HTTP, and a browser without scripts.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { fetch } from 'undici'
import { type MountedSandbox, openDemoShop, openSandbox, type Sandbox } from '../../sandbox/index.ts'
import { type App, createApp } from '../../src/http/index.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { ok, refuse } from '../../src/kernel/result.ts'
import { type Instant, systemClock } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'
import { freePort } from '../free-port.ts'
import { noGateway } from './no-gateway.ts'

export interface SandboxHost {
  readonly baseUrl: string
  readonly rails: Sandbox['rails']
  readonly time: MountedSandbox['clock']
  readonly logged: unknown[]
  readonly ranAt: Instant[]
  ranTogether(): number
  close(): Promise<void>
}

export const merchantId = 1001n

/** On a free port. `close` does not close the database. */
export async function startSandboxHost(database: Database): Promise<SandboxHost> {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const logged: unknown[] = []
  const ranAt: Instant[] = []
  let running = 0
  let ranTogether = 0
  const merchant = { callbackUrl: null as string | null, cardCallbackUrl: null as string | null }
  const logger = {
    error: (details: object, message: string) => logged.push({ details, message }),
    warn: (details: object, message: string) => logged.push({ ...details, message }),
    info: () => undefined,
  }
  const random = systemRandomness
  const sandbox = await openSandbox({
    database,
    clock: systemClock,
    baseUrl,
    random,
    keyring: { current: 1, keys: new Map([[1, new Uint8Array(32).fill(1)]]) },
    logger,
    onError: () => undefined,
  })
  const { clock, rails } = sandbox
  const administration = {
    ...noGateway.administration,
    runDue: async (now: Instant) => {
      running += 1
      ranTogether = Math.max(ranTogether, running)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running -= 1
      ranAt.push(now)
      return { references: 2 }
    },
    setCallbackUrls: async (walletId: bigint, changes: Partial<typeof merchant>) => {
      if (walletId !== merchantId) return refuse('not_found', `there is no merchant with wallet ${walletId}`)
      return ok({ wallet: Object.assign(merchant, changes) })
    },
    callbackUrlOf: async () => merchant.callbackUrl,
  }
  const { routes, clock: time } = sandbox.mount({ ...noGateway, administration }, { authScheme: 'Comporta' })
  const shop = await openDemoShop({ baseUrl, demoFile: demoFile(), onError: () => undefined })
  const app: App = createApp({
    config: { baseUrl, mode: 'sandbox', authSchemes: ['Comporta'], rateLimits: false },
    clock,
    random,
    authenticate: {
      byApiKey: () => refuse('invalid_api_key', 'no keys here'),
      isCurrent: () => true,
      esbTokenMatches: () => false,
    },
    ready: async () => undefined,
    metrics: new Registry(),
    logger,
  })
  routes(shop.url)(app)
  await app.listen({ port, host: '127.0.0.1' })
  return {
    baseUrl,
    rails,
    time,
    logged,
    ranAt,
    ranTogether: () => ranTogether,
    async close() {
      await app.close()
      shop.close()
    },
  }
}

function demoFile(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'comporta-sandbox-')), 'demo.json')
  const merchant = {
    wallet_id: Number(merchantId),
    public_id: 'Aa1',
    api_key: 'cmp_test_x_y',
    esb_token: 'z',
  }
  writeFileSync(path, JSON.stringify({ auth_scheme: 'Comporta', merchants: [merchant] }))
  return path
}

export interface Page {
  readonly status: number
  readonly url: string
  readonly html: string
  readonly headers: ReadonlyMap<string, string>
  readonly form: { readonly action: string; readonly fields: Readonly<Record<string, string>> } | undefined
}

/** Loads a page or posts a form, and follows redirects. */
export async function browse(
  url: string,
  post?: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Page> {
  const response = await fetch(url, {
    headers: { 'accept-language': 'en', ...headers },
    ...(post === undefined ? {} : { method: 'POST', body: new URLSearchParams(post) }),
  })
  const html = await response.text()
  return {
    status: response.status,
    url: response.url,
    html,
    headers: new Map(response.headers),
    form: formOf(html, response.url),
  }
}

function formOf(html: string, base: string): Page['form'] {
  const action = /<form[^>]*\saction="([^"]*)"/.exec(html)?.[1]
  if (action === undefined) return undefined
  const hidden = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  const fields = Object.fromEntries(Array.from(hidden, ([, name, value]) => [name, unescaped(value ?? '')]))
  return { action: new URL(unescaped(action), base).href, fields }
}

function unescaped(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}

export async function call(
  url: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await fetch(url, {
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
