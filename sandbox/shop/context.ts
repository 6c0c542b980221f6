// What the demo shop works with.
import type { Randomness } from '../../src/kernel/random.ts'
import type { Result } from '../../src/kernel/result.ts'
import type { Clock } from '../../src/kernel/time.ts'
import type { Memory } from './memory.ts'

export interface ShopContext {
  /** Public address of the gateway, without a slash at its end. */
  readonly baseUrl: string
  readonly clock: Clock
  readonly random: Randomness
  readonly memory: Memory
  /** Where the demo world's keys are written down. */
  readonly demoFile: string
  readonly callbackUrlOf: CallbackUrlOf
  readonly setCallbackUrl: SetCallbackUrl
}

/** Where a merchant's callbacks go; null: nowhere. */
export type CallbackUrlOf = (walletId: bigint) => Promise<string | null>

/** What the merchant would do in the backoffice. */
export type SetCallbackUrl = (
  walletId: bigint,
  changes: { readonly callbackUrl: string },
) => Promise<Result<unknown>>
