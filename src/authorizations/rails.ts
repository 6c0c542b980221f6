// Where an authorization is held: captures and releases go to the rail of its method.
import type { Cents } from '../kernel/money.ts'
import { type Method, type Operation, type RailAnswer, railAnswerOf } from '../operations/index.ts'
import { type CardAcquirer, callRail, type MayStart, type MobileWallet } from '../rails/index.ts'
import type { Wallet } from '../wallets/index.ts'

/** A rail that holds money; every call ends in time, and repeated under one key it moves nothing again. */
export interface HoldRail {
  capture(key: string, authorization: Operation, amount: Cents, mayStart: MayStart): Promise<RailAnswer>
  release(key: string, authorization: Operation, amount: Cents, mayStart: MayStart): Promise<RailAnswer>
  /** Gives back all that is still held; `remaining` is what that should be. Asked again where it is unclear. */
  releaseRest(key: string, authorization: Operation, remaining: Cents): Promise<RailAnswer>
}

/** The rails there are; what no rail holds was never accepted. */
export type HoldRails = Readonly<Partial<Record<Method, HoldRail>>>

const railTimeoutMs = 8000

/** The key under which the rail accepted the authorization. */
const originalOf = ({ attemptId, id }: Operation) => attemptId ?? id

export function cardHoldRail(
  acquirer: CardAcquirer,
  wallets: { get(walletId: bigint): Promise<Wallet> },
): HoldRail {
  async function followUpOf(key: string, authorization: Operation) {
    const { id, name } = await wallets.get(authorization.walletId)
    return {
      key,
      original: originalOf(authorization),
      merchant: { id, name },
      currency: authorization.currency,
    }
  }

  return {
    async capture(key, authorization, amount, mayStart) {
      const request = { ...(await followUpOf(key, authorization)), amount }
      const ask = (signal: AbortSignal) => acquirer.capture(request, signal)
      return railAnswerOf(await callRail(ask, railTimeoutMs, mayStart))
    },
    async release(key, authorization, amount, mayStart) {
      const request = { ...(await followUpOf(key, authorization)), amount }
      const ask = (signal: AbortSignal) => acquirer.release(request, signal)
      return railAnswerOf(await callRail(ask, railTimeoutMs, mayStart))
    },
    async releaseRest(key, authorization) {
      const request = { ...(await followUpOf(key, authorization)), amount: 'all' } as const
      const said = await callRail((signal) => acquirer.release(request, signal), railTimeoutMs)
      return railAnswerOf(
        said.kind === 'unclear' ? await callRail(() => acquirer.inquire(key), railTimeoutMs) : said,
      )
    },
  }
}

export function phoneHoldRail(wallet: MobileWallet): HoldRail {
  const movementOf = (key: string, authorization: Operation, amount: Cents) => ({
    key,
    payment: originalOf(authorization),
    amount,
  })
  return {
    async capture(key, authorization, amount, mayStart) {
      const movement = movementOf(key, authorization, amount)
      const ask = (signal: AbortSignal) => wallet.capture(movement, signal)
      return railAnswerOf(await callRail(ask, railTimeoutMs, mayStart))
    },
    async release(key, authorization, amount, mayStart) {
      const movement = movementOf(key, authorization, amount)
      const ask = (signal: AbortSignal) => wallet.release(movement, signal)
      return railAnswerOf(await callRail(ask, railTimeoutMs, mayStart))
    },
    async releaseRest(key, authorization, remaining) {
      const movement = movementOf(key, authorization, remaining)
      const said = await callRail((signal) => wallet.release(movement, signal), railTimeoutMs)
      return railAnswerOf(
        said.kind === 'unclear' ? await callRail(() => wallet.inquireMovement(key), railTimeoutMs) : said,
      )
    },
  }
}
