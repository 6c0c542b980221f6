// An online wallet in memory.
import type { OnlineWallet, WalletAnswer } from '../../../src/rails/index.ts'
import { memoryRefunds } from './refunds.ts'

export type Decision = 'agree' | 'agree without money' | 'agree, silently' | 'agree, reviewed' | 'cancel'

interface Order {
  readonly amount: bigint
  answer: WalletAnswer
  decision: Decision | undefined
}

export interface MemoryOnlineWallet {
  readonly wallet: OnlineWallet
  decide(key: string, decision: Decision): void
  endReview(key: string): void
}

export function memoryOnlineWallet(): MemoryOnlineWallet {
  const pagesUrl = 'https://wallet.example'
  const orders = new Map<string, Order>()

  function known(key: string): Order {
    const order = orders.get(key)
    if (order === undefined) throw new Error(`there is no order ${key}`)
    return order
  }

  const wallet: OnlineWallet = {
    pagesUrl,
    async open({ key, amount }) {
      const answer = { kind: 'open', approveUrl: `${pagesUrl}/${key}` } as const
      const order = orders.get(key) ?? { amount, answer, decision: undefined }
      orders.set(key, order)
      return order.answer
    },
    async capture(key) {
      const order = known(key)
      if (order.answer.kind === 'open') return { kind: 'declined', reason: 'not_agreed' }
      if (order.answer.kind === 'agreed') {
        order.answer =
          order.decision === 'agree without money'
            ? { kind: 'declined', reason: 'insufficient_funds' }
            : order.decision === 'agree, reviewed'
              ? { kind: 'waiting' }
              : { kind: 'paid', reference: `W-${key}` }
        if (order.decision === 'agree, silently') return new Promise(() => undefined)
      }
      return order.answer
    },
    inquire: async (key) => orders.get(key)?.answer ?? { kind: 'not_found' },
    ...memoryRefunds((key) => {
      const order = orders.get(key)
      return order?.answer.kind === 'paid' ? order.amount : undefined
    }),
  }

  return {
    wallet,
    endReview(key) {
      known(key).answer = { kind: 'paid', reference: `W-${key}` }
    },
    decide(key, decision) {
      const order = known(key)
      order.decision = decision
      order.answer = decision === 'cancel' ? { kind: 'declined', reason: 'cancelled' } : { kind: 'agreed' }
    },
  }
}
