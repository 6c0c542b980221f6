// Requests to the acquirer that are given up, found late, or reversed.
import { type RailHandler, railAnswerOf } from '../operations/index.ts'
import { type CardAcquirer, callRail, cancelAtAcquirer } from '../rails/index.ts'

const acquirerTimeoutMs = 8000

export function cardHandler(acquirer: CardAcquirer): RailHandler {
  return {
    async inquire({ key }) {
      return railAnswerOf(await callRail((signal) => acquirer.inquire(key, signal), acquirerTimeoutMs))
    },
    async cancel({ key }) {
      const ask = (signal: AbortSignal) => cancelAtAcquirer(acquirer, key, signal)
      return railAnswerOf(await callRail(ask, acquirerTimeoutMs))
    },
    async reverse(key, { key: original }) {
      const ask = (signal: AbortSignal) => acquirer.reverse({ key, original }, signal)
      return railAnswerOf(await callRail(ask, acquirerTimeoutMs))
    },
  }
}
