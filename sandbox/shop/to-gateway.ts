// What the demo shop does around sending a customer to the gateway: it sees to hearing callbacks, and notes the way.
import { newId } from '../../src/kernel/ids.ts'
import { randomBase62 } from '../../src/kernel/random.ts'
import { unwrap } from '../../src/kernel/result.ts'
import type { Visit } from './addresses.ts'
import type { ShopContext } from './context.ts'
import { readMerchantKeys } from './gateway-api.ts'
import { callbacksPath } from './model.ts'

const referenceLetters = 8

/** The shop's own name for something new, such as `SHOP-4fGh81Zq`. */
export function newReference({ random }: ShopContext, prefix: string): string {
  return `${prefix}-${randomBase62(random, referenceLetters)}`
}

/** Differs in each request, so that the gateway makes what is asked for once, however often it hears of it. */
export function requestId({ clock, random }: ShopContext): string {
  return newId(clock.now(), random)
}

/**
 * Has the callbacks of checkouts and stored cards sent here, where nobody else wanted them: their address is a
 * setting of the merchant, other than that of card payments, which name theirs in the call.
 */
export async function hearOfCheckouts(context: ShopContext): Promise<void> {
  const { walletId } = await readMerchantKeys(context.demoFile)
  const set = await context.callbackUrlOf(walletId)
  const own = context.baseUrl + callbacksPath
  // The gateway may have been started at another address since.
  const wasOurs = set === null || (set !== own && set.endsWith(callbacksPath))
  if (wasOurs) unwrap(await context.setCallbackUrl(walletId, { callbackUrl: own }))
}

/** Notes that the customer's browser goes to `url`, which it answers. */
export function leave(context: ShopContext, visit: Visit, url: string): string {
  noteBrowser(context, visit, 'out', new URL(url).pathname)
  return url
}

/** Notes in the visitor's timeline where their browser went. */
export function noteBrowser(
  { clock, random, memory }: ShopContext,
  { session }: Visit,
  direction: 'out' | 'back',
  path: string,
): void {
  const at = clock.now()
  memory.record({ session, entry: { kind: 'browser', id: newId(at, random), at, direction, path } })
}
