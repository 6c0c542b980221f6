// A gateway without wallets, for tests of the sandbox alone.
import type { SandboxedGateway } from '../../sandbox/gateway.ts'
import { refuse } from '../../src/kernel/result.ts'

const nothing = async () => undefined
const absent = async (): Promise<never> => {
  throw new Error('no gateway is composed here')
}

export const noGateway: SandboxedGateway = {
  notices: {
    card: nothing,
    mobileWallet: nothing,
    onlineWallet: nothing,
    bankOrder: nothing,
    incomingTransfer: absent,
    refundFailed: nothing,
    dispute: nothing,
    references: { receive: absent, beneficiaryOf: absent },
  },
  administration: {
    runDue: async () => ({}),
    findReceipt: nothing,
    setCallbackUrls: async () => ({
      ok: true,
      value: { wallet: { callbackUrl: null, cardCallbackUrl: null } },
    }),
    hasMerchant: async () => false,
    callbackUrlOf: async () => null,
    transfersTaken: async () => [],
    topUpTexts: async () => [],
    createConsumer: async () => refuse('invalid_parameter', 'there are no consumers here'),
    findConsumer: nothing,
  },
}
