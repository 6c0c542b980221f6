// The world of a spec test: a gateway process, merchants, a receiver, customers and a clock.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, inject } from 'vitest'
import type { CrashPoint } from '../src/kernel/crash-points.ts'
import { formTo, openPage, type Page, submit } from './browserless.ts'
import { runHere } from './command-here.ts'
import { copyPgliteTemplate, createPostgresDatabase, type DatabaseKind } from './database.ts'
import { freePort } from './free-port.ts'
import { type GatewayOptions, type GatewayProcess, startGatewayProcess } from './gateway-process.ts'
import { patienceSeconds } from './patience.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export interface DemoMerchant {
  readonly name: string
  readonly wallet_id: number
  readonly public_id: string
  readonly api_key: string
  readonly esb_token: string
  readonly callback_user: string
  readonly callback_secret: string
  readonly callback_signing_secret: string
  readonly stores: readonly number[]
  readonly roles: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a merchant's script reads them
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Json
}

export interface Merchant extends DemoMerchant {
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(path: string): Promise<Answer>
}

export interface TestCard {
  readonly number: string
  /** Default: a date in the far future. */
  readonly expiry?: string
  readonly otp?: string
}

/** Test cards of the sandbox issuer (CONTRACT section 8). */
export const cards = {
  frictionless: { number: '4176660000000027' },
  frictionlessMastercard: { number: '5299990270000368' },
  challenge: { number: '4176660000000092', otp: '0101' },
  challengeMastercard: { number: '5299910010000015', otp: '4445' },
  declined: { number: '4000000000000002' },
  insufficientFunds: { number: '4000000000009995' },
  rejected: { number: '4000000000003063' },
  silentThenApproved: { number: '4000000000000119' },
  silentThenDeclined: { number: '4000000000000259' },
} as const satisfies Record<string, TestCard>

export interface World {
  readonly baseUrl: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly shop: Merchant
  readonly receiver: Receiver
  merchant(name: string): Merchant
  request(path: string, init?: RequestInit): Promise<Answer>
  advance(duration: string): Promise<Record<string, number>>
  createCheckout(change?: Record<string, unknown>): Promise<Json>
  /** `fields`: more fields of the card's form. */
  payOnPage(
    checkout: { url_redirect: string },
    card: TestCard,
    fields?: Record<string, string>,
  ): Promise<Page>
  operation(id: string): Promise<Json>
  eventually<T>(look: () => Promise<T | undefined | false>, seconds?: number): Promise<T>
  cli(...args: string[]): Promise<{ code: number; json: Json; text: string }>
  pid(): number
  kill(): Promise<void>
  armCrash: GatewayProcess['armCrash']
  crashed: GatewayProcess['crashed']
  restart(): Promise<void>
  output(): string
  stop(): Promise<void>
}

/**
 * A gateway process on a new embedded database, or on the given kind or address. If a test needs no kills, use
 * `openWorld`, which runs in this process.
 */
export async function startWorld(
  kind: DatabaseKind | { readonly databaseUrl: string | undefined } = 'postgres',
  environment: Record<string, string> = {},
  nodeArguments?: readonly string[],
  start: (options: GatewayOptions) => Promise<GatewayProcess> = startGatewayProcess,
): Promise<World> {
  // Tests of full disks set TMPDIR, to put the data on another disk.
  const isFree = process.env.TMPDIR === undefined && typeof kind !== 'object'
  const dataDir = mkdtempSync(join(isFree ? inject('scratch') : tmpdir(), 'comporta-world-'))
  const databaseUrl = typeof kind === 'object' ? kind.databaseUrl : await databaseFor(kind, dataDir)
  const options = {
    dataDir,
    databaseUrl,
    environment: { RATE_LIMITS: 'off', CRASH_AT: 'parent', ...environment },
    port: await freePort(),
    nodeArguments,
  }
  const receiver = await startReceiver()
  let gateway = await start(options)
  let armed: CrashPoint | undefined
  const { baseUrl } = gateway
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as { merchants: DemoMerchant[] }

  async function request(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(path.startsWith('http') ? path : baseUrl + path, init)
    const text = await response.text()
    let body: Json
    try {
      body = JSON.parse(text)
    } catch {
      body = undefined
    }
    return { status: response.status, headers: response.headers, text, body }
  }

  function merchant(name: string): Merchant {
    const known = demo.merchants.find((candidate) => candidate.name === name)
    if (known === undefined) throw new Error(`there is no merchant ${name}`)
    const authorization = `Comporta ${known.api_key}`
    const json = { authorization, 'content-type': 'application/json' }
    return {
      ...known,
      get: (path, headers) => request(path, { headers: { authorization, ...headers } }),
      post: (path, body, headers) =>
        request(path, {
          method: 'POST',
          headers: { ...(body === undefined ? { authorization } : json), ...headers },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
      delete: (path) => request(path, { method: 'DELETE', headers: { authorization } }),
    }
  }

  const shop = merchant('Demo Shop')
  await request(`/sandbox/api/merchants/${shop.wallet_id}/callback-url`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ callback_url: receiver.url('/callbacks') }),
  })

  async function eventually<T>(
    look: () => Promise<T | undefined | false>,
    seconds = patienceSeconds,
  ): Promise<T> {
    const end = performance.now() + seconds * 1000
    for (;;) {
      const seen = await look()
      if (seen !== undefined && seen !== false) return seen
      if (performance.now() > end) throw new Error(`nothing came within ${seconds} s`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  return {
    baseUrl,
    dataDir,
    databaseUrl,
    shop,
    receiver,
    merchant,
    request,
    eventually,
    async advance(duration) {
      const { status, body, text } = await request('/sandbox/api/clock', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ advance: duration }),
      })
      if (status !== 200) throw new Error(text)
      return body.ran
    },
    async createCheckout(change = {}) {
      const { status, body, text } = await shop.post('/api/v2/checkout', {
        payment: { amount: 10, currency: 'EUR', ext_invoiceid: 'T-1' },
        url_confirm: 'https://shop.example/ok',
        url_cancel: 'https://shop.example/no',
        ...change,
      })
      if (status !== 200) throw new Error(text)
      return body
    },
    payOnPage: (checkout, card, fields) => payOnPage(checkout.url_redirect, card, {}, fields),
    async operation(id) {
      return (await shop.get(`/api/v2/operations/${id}`)).body
    },
    async cli(...words) {
      const args = [...words, '--json']
      const settings = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' }
      const ended = await (gateway.cli?.(args) ?? runHere(args, settings))
      return { ...ended, json: JSON.parse(ended.text) }
    },
    pid: () => gateway.pid,
    kill: () => gateway.kill(),
    async armCrash(point, count) {
      await gateway.armCrash(point, count)
      armed = point
    },
    async crashed() {
      await gateway.crashed()
      appendFileSync(deathsFile(), `${basename(expect.getState().testPath ?? '')}\t${armed}\n`)
    },
    async restart() {
      gateway = await start(options)
    },
    output: () => gateway.output(),
    async stop() {
      await gateway.stop()
      await receiver.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The file with the deaths of a run, one line each: test file and crash point. */
export function deathsFile(): string {
  return join(inject('scratch'), 'deaths')
}

async function databaseFor(kind: DatabaseKind, dataDir: string): Promise<string | undefined> {
  if (kind === 'postgres') return createPostgresDatabase()
  copyPgliteTemplate(join(dataDir, 'database'))
  return undefined
}

const typed = { name: 'Ana Silva', expiry: '12 / 30' }

export async function payOnPage(
  url: string,
  card: TestCard,
  visit: { language?: string } = {},
  fields: Record<string, string> = {},
): Promise<Page> {
  const vcode = card.number.startsWith('3') ? '1234' : '123'
  const first = await openPage(url, visit)
  const { number, expiry = typed.expiry } = card
  // Saved cards have a form of their own.
  const form = first.forms.find(({ fields: its }) => 'number' in its) ?? formTo(first, '/card')
  let page = await submit(first, form, { ...typed, number, expiry, vcode, ...fields }, visit)
  for (let step = 0; step < 6; step++) {
    const next = page.forms.find(({ action }) => /\/bank\b|\/challenge\b|\/3ds\/return\//.test(action))
    if (next === undefined) return page
    const asksForCode = 'otp' in next.fields
    page = await submit(page, next, asksForCode ? { otp: card.otp ?? '' } : {}, visit)
  }
  return page
}
