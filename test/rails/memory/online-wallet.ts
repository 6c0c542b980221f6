// An online wallet in memory.
import type {
  OnlineWallet,
  WalletAnswer,
  WalletFollowUp,
  WalletFollowUpAnswer,
} from '../../../src/rails/index.ts'
import { memoryRefunds } from './refunds.ts'

export type Decision = 'agree' | 'agree without money' | 'agree, silently' | 'agree, reviewed' | 'cancel'

interface Order {
  readonly amount: bigint
  readonly isHold: boolean
  readonly saves: boolean
  isEnded?: boolean
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

  const captures = new Map<string, bigint>()
  const followUps = new Map<
    string,
    { readonly hold: string; readonly amount: bigint; readonly answer: WalletFollowUpAnswer }
  >()

  function leftOf(key: string): bigint {
    const order = orders.get(key)
    if (order === undefined || !order.isHold || order.answer.kind !== 'paid') return 0n
    return [...followUps.values()]
      .filter(({ hold, answer }) => hold === key && answer.kind === 'approved')
      .reduce((left, { amount }) => left - amount, order.amount)
  }

  async function follow(
    verb: 'capture' | 'release',
    { key, payment: hold, amount }: WalletFollowUp,
  ): Promise<WalletFollowUpAnswer> {
    const known = followUps.get(key)
    if (known !== undefined) return known.answer
    const isAllowed = amount > 0n && amount <= leftOf(hold)
    const answer: WalletFollowUpAnswer = isAllowed
      ? { kind: 'approved', reference: `W-${key}` }
      : { kind: 'declined', decline: 'not_permitted' }
    followUps.set(key, { hold, amount, answer })
    if (isAllowed && verb === 'capture') captures.set(key, amount)
    return answer
  }

  const wallet: OnlineWallet = {
    pagesUrl,
    async open({ key, amount, intent, saves = false }) {
      const answer = { kind: 'open', approveUrl: `${pagesUrl}/${key}` } as const
      const order = orders.get(key) ?? {
        amount,
        answer,
        decision: undefined,
        isHold: intent === 'hold',
        saves,
      }
      orders.set(key, order)
      return order.answer
    },
    async capture(key) {
      const order = known(key)
      if (order.answer.kind === 'open') return { kind: 'declined', reason: 'not_agreed' }
      if (order.answer.kind === 'agreed') {
        order.answer =
          order.decision === 'agree without money' && order.amount > 0n
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
      const isPaid = order?.answer.kind === 'paid' && !order.isHold
      return isPaid ? order.amount : captures.get(key)
    }),
    holds: {
      capture: (asked) => follow('capture', asked),
      release: (asked) => follow('release', asked),
      inquireFollowUp: async (key) => followUps.get(key)?.answer ?? { kind: 'not_found' },
      async inquireHold(key) {
        return { kind: leftOf(key) > 0n ? 'held' : 'ended' }
      },
    },
  }

  const accountOf = (key: string) => {
    const order = orders.get(key)
    return order?.saves === true && order.answer.kind === 'paid' ? order : undefined
  }
  const withAccounts: OnlineWallet = {
    ...wallet,
    saved: {
      async charge({ key, account, amount }) {
        const before = orders.get(key)
        if (before !== undefined) return before.answer
        const saved = accountOf(account)
        const reason = saved !== undefined && saved.isEnded !== true ? 'insufficient_funds' : 'account_ended'
        const isPaid = reason === 'insufficient_funds' && saved?.decision !== 'agree without money'
        const answer: WalletAnswer = isPaid
          ? { kind: 'paid', reference: `W-${key}` }
          : { kind: 'declined', reason }
        if (saved !== undefined)
          orders.set(key, { amount, answer, decision: undefined, isHold: false, saves: false })
        return answer
      },
      async inquireAccount(account) {
        const saved = accountOf(account)
        if (saved === undefined) return { kind: 'not_found' }
        return { kind: saved.isEnded === true ? 'ended' : 'saved' }
      },
      async forget(account) {
        const saved = accountOf(account)
        if (saved === undefined) return { kind: 'not_found' }
        saved.isEnded = true
        return { kind: 'ended' }
      },
    },
  }

  return {
    wallet: withAccounts,
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
