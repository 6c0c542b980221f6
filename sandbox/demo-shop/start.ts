// Server of the demo shop.
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createShop, type ShopOptions } from '../../examples/shop/server.ts'
import { boundedFetch } from '../../src/http/bounded-fetch.ts'
import { projectRoot } from '../../src/kernel/project-root.ts'
import { deny } from '../../src/kernel/result.ts'
import { toolPage } from '../pages/layout.ts'
import { shopPath } from './path.ts'

export interface DemoShopOptions {
  readonly baseUrl: string
  /** The file with the keys of the demo merchants. */
  readonly demoFile: string
  onError(error: unknown): void
}

export interface DemoShop {
  /** The local address at which the gateway's processes reach the shop. */
  readonly url: string
  close(): void
}

/** Starts one server for all processes, because the shop keeps its sessions in memory. */
export async function openDemoShop({ baseUrl, demoFile, onError }: DemoShopOptions): Promise<DemoShop> {
  const ask = async (path: string, init?: RequestInit) =>
    (await boundedFetch(`${baseUrl}/sandbox/api/${path}`, init)).json() as Promise<
      Record<string, string | null>
    >
  const callbackSetting = async () => `merchants/${(await readCredentials(demoFile)).wallet_id}/callback-url`
  const server = createShop({
    gatewayUrl: baseUrl,
    publicUrl: baseUrl + shopPath,
    publicFolder: join(projectRoot, 'examples', 'shop', 'public'),
    credentials: () => readCredentials(demoFile),
    now: async () => new Date((await ask('clock')).now ?? ''),
    callbackAddress: {
      read: async () => (await ask(await callbackSetting())).callback_url ?? null,
      async set(address) {
        await ask(await callbackSetting(), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ callback_url: address }),
        })
      },
    },
    layout: ({ language: lang, ...page }) => toolPage({ ...page, lang, path: shopPath, layout: 'broad' }),
    onError,
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Reads the keys for each request, because `comporta demo` may replace them. */
async function readCredentials(demoFile: string): ReturnType<ShopOptions['credentials']> {
  const text = await readFile(demoFile, 'utf8').catch(() => undefined)
  const demo = text === undefined ? undefined : (JSON.parse(text) as DemoFile)
  const [merchant, seller] = demo?.merchants ?? []
  if (demo === undefined || merchant === undefined)
    return deny('service_unavailable', 'there is no demo.json yet: npx comporta demo makes one')
  return { ...merchant, auth_scheme: demo.auth_scheme, seller_public_id: seller?.public_id }
}

interface DemoFile {
  readonly auth_scheme: string
  readonly merchants: readonly {
    readonly wallet_id: number
    readonly public_id: string
    readonly api_key: string
    readonly esb_token: string
    readonly callback_signing_secret: string
  }[]
}
