// Routes that set a merchant's callback addresses, for tests.
import { Type } from 'typebox'
import type { App } from '../src/http/index.ts'
import { deny, type Result, refuse, unwrap } from '../src/kernel/result.ts'
import { sandboxJson } from './route-options.ts'

interface CallbackUrls {
  readonly callbackUrl: string | null
  readonly cardCallbackUrl: string | null
}

/** Changes the named addresses. Refusals: invalid_parameter, not_found. */
export type SetCallbackUrls = (
  walletId: bigint,
  changes: Partial<CallbackUrls>,
) => Promise<Result<{ readonly wallet: CallbackUrls }>>

const walletIdPattern = /^\d{1,18}$/

export interface CallbackSettings {
  readonly setCallbackUrls: SetCallbackUrls
  callbackUrlOf(walletId: bigint): Promise<string | null>
}

const path = '/sandbox/api/merchants/:walletId/callback-url'

/** An empty text removes the address (CONTRACT section 15). */
export function merchantRoutes({ setCallbackUrls, callbackUrlOf }: CallbackSettings): (app: App) => void {
  const options = {
    ...sandboxJson,
    schema: { hide: true, params: Type.Object({ walletId: Type.String() }) },
  } as const
  return (app) => {
    app.get(path, options, async ({ params }) => ({
      callback_url: await callbackUrlOf(walletIdOf(params.walletId)),
    }))

    app.post(path, options, async ({ params, body }) => {
      const { wallet } = unwrap(await setCallbackUrls(walletIdOf(params.walletId), unwrap(readUrls(body))))
      return { callback_url: wallet.callbackUrl, card_callback_url: wallet.cardCallbackUrl }
    })
  }
}

function walletIdOf(text: string): bigint {
  if (!walletIdPattern.test(text)) deny('not_found', `there is no merchant with wallet ${text}`)
  return BigInt(text)
}

function readUrls(body: unknown): Result<Partial<CallbackUrls>> {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const urls: { callbackUrl?: string | null; cardCallbackUrl?: string | null } = {}
  for (const [field, name] of [
    ['callback_url', 'callbackUrl'],
    ['card_callback_url', 'cardCallbackUrl'],
  ] as const) {
    const value = fields[field]
    if (value === undefined) continue
    if (value !== null && typeof value !== 'string') {
      return refuse('invalid_parameter', `${field} must be an absolute http or https address, or null`)
    }
    urls[name] = value === '' ? null : value
  }
  return Object.keys(urls).length > 0
    ? { ok: true, value: urls }
    : refuse('missing_parameter', 'callback_url or card_callback_url is required')
}
