// Gateway with secure form fields only, on a stopped clock.
import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { createApp, serveAssets } from '../../src/http/index.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { type Result, refuse } from '../../src/kernel/result.ts'
import type { Keyring } from '../../src/kernel/sealing.ts'
import { after, type Clock, instant } from '../../src/kernel/time.ts'
import {
  createSecureFields,
  type DecryptedCard,
  type FieldsMerchant,
  type NewCardSecure,
  type SecureFields,
} from '../../src/secure-fields/index.ts'
import type { Database } from '../../src/storage/index.ts'
import { encryptCard, type Ticket } from '../../web/secure-fields/frame/encrypt-card.ts'
import type { CardValues, EncryptedCard } from '../../web/secure-fields/messages.ts'
import { freePort } from '../free-port.ts'

const manifestPath = new URL('../../dist/web/manifest.json', import.meta.url).pathname
const keyring: Keyring = { current: 1, keys: new Map([[1, new Uint8Array(32).fill(7)]]) }

export const shop = { id: 1n, publicId: 'ShopAAAAAAAAAAAA', name: 'Livraria do Cais' }
export const otherShop = { id: 2n, publicId: 'ShopBBBBBBBBBBBB', name: 'Padaria do Largo' }
export const card: CardValues = {
  number: '4176660000000027',
  valdate: '12/2030',
  vcode: '987',
  name: 'Ana Silva Pestana',
}

export interface FieldsGateway {
  readonly baseUrl: string
  readonly fields: SecureFields
  readonly database: Database
  register(...origins: string[]): void
  now: Clock['now']
  advance(milliseconds: number): void
  decrypt(newCardSecure: NewCardSecure, publicId?: string): Promise<Result<DecryptedCard>>
  get(path: string): Promise<Response>
  ticket(publicId?: string): Promise<Ticket>
  encrypt(change?: Partial<Ticket> & { merchant?: string; origin?: string }): Promise<EncryptedCard>
  close(): Promise<void>
}

export const shopOrigin = 'https://shop.example'

export async function startFieldsGateway(
  database: Database,
  { sandbox = true } = {},
): Promise<FieldsGateway> {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  let moment = instant(Date.UTC(2026, 2, 1, 12))
  let origins: readonly string[] = [shopOrigin]
  const clock: Clock = { now: () => moment }
  const fields = createSecureFields({
    database,
    clock,
    random: systemRandomness,
    keyring,
    baseUrl,
    manifestPath,
    sandbox,
    walletOf: async (publicId): Promise<FieldsMerchant | undefined> => {
      const merchant = [shop, otherShop].find((one) => one.publicId === publicId)
      return merchant && { ...merchant, secureFieldOrigins: origins }
    },
    onError: (error) => {
      throw error
    },
  })
  const app = createApp({
    config: { baseUrl, mode: 'sandbox', authSchemes: ['Comporta'], rateLimits: false },
    clock,
    random: systemRandomness,
    authenticate: {
      byApiKey: () => refuse('invalid_api_key', 'there are no keys here'),
      isCurrent: () => true,
      esbTokenMatches: () => false,
    },
    ready: async () => undefined,
    metrics: new Registry(),
  })
  fields.routes(app)
  serveAssets(app, { root: new URL('../../dist/web', import.meta.url).pathname, prefix: '/assets' })
  await app.listen({ port, host: '127.0.0.1' })

  const get = (path: string) => fetch(baseUrl + path)
  async function ticket(publicId = shop.publicId): Promise<Ticket> {
    const { keys } = (await (await get('/.well-known/secure-fields/jwks.json')).json()) as {
      keys: Ticket['key'][]
    }
    const session = await (await get(`/secure-fields/v1/session?merchant=${publicId}`)).json()
    const { session: token, now } = session as { session: string; now: number }
    return { key: keys[0] as Ticket['key'], session: token, iat: now }
  }

  return {
    baseUrl,
    fields,
    database,
    register(...registered) {
      origins = registered
    },
    now: clock.now,
    advance(milliseconds) {
      moment = after(moment, milliseconds)
    },
    decrypt: (newCardSecure, publicId = shop.publicId) => fields.decryptCard(publicId, newCardSecure, moment),
    get,
    ticket,
    async encrypt({ merchant = shop.publicId, origin = shopOrigin, ...change } = {}) {
      return encryptCard(card, { ...(await ticket(merchant)), ...change }, { merchant, origin })
    },
    close: () => app.close(),
  }
}

export const unknownSession = () => Buffer.from(randomUUID().repeat(3)).toString('base64url')
