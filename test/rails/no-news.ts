// A gateway that hears nothing of the sandbox's bank and online wallet, for tests of everything else.
import { refuse } from '../../src/kernel/result.ts'
import type { GatewayNews } from '../../sandbox/index.ts'

export const noNews: GatewayNews = {
  walletOrderChanged: async () => undefined,
  bankEntryChanged: async () => undefined,
  transferArrived: async () => {
    throw new Error('nobody takes transfers here')
  },
  transfersTaken: async () => [],
  topUpTexts: async () => [],
  createConsumer: async () => refuse('invalid_parameter', 'there are no consumers here'),
  findConsumer: async () => undefined,
}
