// The API of a merchant's own wallet.
import { Type } from 'typebox'
import { type App, answers } from '../http/index.ts'
import { type Method, methods, methodsDefault } from '../methods/list.ts'
import type { Wallet } from './model.ts'

const methodsAnswer = Type.Object(
  {
    methods: Type.Array(Type.Unsafe<Method>({ type: 'string', enum: methods }), {
      description: 'Active methods, in the order in which pages offer them.',
    }),
  },
  { title: 'Methods', description: 'The payment methods of the wallet.' },
)

/** SPEC.md has the second path, without the version, in an example. */
const methodsPaths = ['/api/v2/wallets/methods', '/api/wallets/methods'] as const

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
          description:
            'Codes of the payment methods, as used in requests and answers. Any key of the wallet may ask.',
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
