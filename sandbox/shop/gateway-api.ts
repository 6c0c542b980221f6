// How the demo shop's server calls the gateway: over its public HTTP API, as every merchant does, noting each call.
import { readFile } from 'node:fs/promises'
import { fetch } from 'undici'
import { newId } from '../../src/kernel/ids.ts'
import { refuse, unwrap } from '../../src/kernel/result.ts'
import type { ShopContext } from './context.ts'
import { cut, shownBody, shownHeaders } from './shown.ts'

const callTimeoutMs = 15_000

/** What a merchant's server is configured with; it never leaves the server. */
export interface MerchantKeys {
  readonly walletId: bigint
  readonly publicId: string
  readonly authScheme: string
  readonly apiKey: string
  readonly esbToken: string
}

/** The Demo Shop's keys out of demo.json, read anew each time: `comporta demo` may replace them. */
export async function readMerchantKeys(demoFile: string): Promise<MerchantKeys> {
  const text = await readFile(demoFile, 'utf8').catch(() => undefined)
  const demo = text === undefined ? undefined : (JSON.parse(text) as DemoFile)
  const shop = demo?.merchants[0]
  if (demo === undefined || shop === undefined) {
    return unwrap(refuse('service_unavailable', 'there is no demo.json yet: npx comporta demo makes one'))
  }
  return {
    walletId: BigInt(shop.wallet_id),
    publicId: shop.public_id,
    authScheme: demo.auth_scheme,
    apiKey: shop.api_key,
    esbToken: shop.esb_token,
  }
}

interface DemoFile {
  readonly auth_scheme: string
  readonly merchants: readonly {
    readonly wallet_id: number
    readonly public_id: string
    readonly api_key: string
    readonly esb_token: string
  }[]
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: a merchant reads what it needs from the answer
type Json = any

export interface Answer {
  /** 0 when none came. */
  readonly status: number
  /** Undefined when it was no JSON. */
  readonly body: Json
}

/** Calls the API for the visitor of `session`, in whose timeline it appears. */
export async function callGateway(context: ShopContext, session: string, call: Call): Promise<Answer> {
  const { clock, random, memory } = context
  const keys = await readMerchantKeys(context.demoFile)
  const esb = call.path.startsWith('/prows/')
  const at = clock.now()
  const started = performance.now()
  const { status, text } = await exchange(context.baseUrl, keys, call, esb)
  memory.record({
    session,
    entry: {
      kind: 'request',
      id: newId(at, random),
      at,
      method: call.method,
      path: call.path,
      headers: shownHeaders({ ...keys, esb }),
      body: call.body === undefined ? undefined : shownBody(call.body),
      status: status === 0 ? undefined : status,
      answer: cut(text),
      durationMs: Math.round(performance.now() - started),
    },
  })
  return { status, body: readAnswer(text) }
}

async function exchange(
  baseUrl: string,
  keys: MerchantKeys,
  { method, path, body }: Call,
  esb: boolean,
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `${keys.authScheme} ${keys.apiKey}`,
        ...(esb ? { 'proxy-authorization': `ESBToken=${keys.esbToken}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(callTimeoutMs),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    return { status: 0, text: error instanceof Error ? error.message : String(error) }
  }
}

/** Whether a callback is the gateway's, by posting it back exactly as it came (SPEC.md Callback verification). */
export async function verifyCallback(context: ShopContext, body: Buffer): Promise<boolean> {
  const { authScheme, apiKey } = await readMerchantKeys(context.demoFile)
  const response = await fetch(`${context.baseUrl}/api/v2/callback/verify`, {
    method: 'POST',
    headers: { authorization: `${authScheme} ${apiKey}`, 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(callTimeoutMs),
  })
  return response.status === 200 && (await response.text()) === 'true'
}

function readAnswer(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
