// Where a merchant's callbacks go, set without the operator's command, so that tests can listen.
import { Type } from 'typebox'
import type { App } from '../src/http/index.ts'
import { type Result, refuse, unwrap } from '../src/kernel/result.ts'
import { sandboxJson } from './route-options.ts'

interface CallbackUrls {
  /** Null: there is none. */
  readonly callbackUrl: string | null
  readonly cardCallbackUrl: string | null
}

/** Changes what is named. Refusals: invalid_parameter naming the field, not_found. */
export type SetCallbackUrls = (
  walletId: bigint,
  changes: Partial<CallbackUrls>,
) => Promise<Result<{ readonly wallet: CallbackUrls }>>

const walletIdPattern = /^\d{1,18}$/

/** `POST /sandbox/api/merchants/<wallet_id>/callback-url` (CONTRACT section 15). An empty text takes the address away. */
export function merchantRoutes(setCallbackUrls: SetCallbackUrls): (app: App) => void {
  return (app) => {
    app.post(
      '/sandbox/api/merchants/:walletId/callback-url',
      { ...sandboxJson, schema: { hide: true, params: Type.Object({ walletId: Type.String() }) } },
      async (request) => {
        const { walletId } = request.params
        if (!walletIdPattern.test(walletId))
          unwrap(refuse('not_found', `there is no merchant with wallet ${walletId}`))
        const { wallet } = unwrap(await setCallbackUrls(BigInt(walletId), unwrap(readUrls(request.body))))
        return { callback_url: wallet.callbackUrl, card_callback_url: wallet.cardCallbackUrl }
      },
    )
  }
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
