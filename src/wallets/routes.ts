// What merchants ask about their own wallet.
import { type App, answers } from '../http/index.ts'
import { methodsDefault } from '../methods/list.ts'
import type { Wallet } from './model.ts'
import { methodsAnswer } from './schemas.ts'

/** The second path is the one without the version segment that SPEC.md shows in an example. */
const methodsPaths = ['/api/v2/wallets/methods', '/api/wallets/methods'] as const

/** `GET /api/v2/wallets/methods`: any key may ask. */
export function walletRoutes(get: (walletId: bigint) => Promise<Wallet>): (app: App) => void {
  return (app) => {
    for (const url of methodsPaths) {
      app.route({
        method: 'GET',
        url,
        config: { auth: {} },
        schema: {
          operationId: 'listPaymentMethods',
          summary: 'List the payment methods of the wallet',
          description: 'The codes by which methods are named everywhere. Any key of the wallet may ask.',
          tags: ['Checkout'],
          hide: url !== methodsPaths[0],
          response: answers(methodsAnswer, { methods: methodsDefault }),
        },
        handler: async ({ caller }) => {
          const wallet = await get(caller.walletId)
          return { methods: [...wallet.methods] }
        },
      })
    }
  }
}
