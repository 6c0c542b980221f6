// A bank in memory.
import type { CreditTransfer, DirectDebit } from '../../../src/rails/index.ts'
import { memoryRefunds } from './refunds.ts'

interface Order {
  readonly iban: string
  readonly amount: bigint
  answersAt: number
  /** An e-mailed mandate and the debtor's answer. */
  mandate?: 'sent' | 'accept' | 'refuse'
}

export const ibans = {
  paid: 'PT50000201231234567890154',
  returned: 'PT50000201230000000001087',
  silent: 'PT50000201230000000003027',
} as const

const creditor = { name: 'Pagamentos Exemplo', creditorId: 'PT31ZZZ654321' }

export interface MemoryBank {
  readonly directDebit: DirectDebit
  readonly creditTransfer: CreditTransfer
  passDay(): void
  answerMandate(key: string, answer: 'accept' | 'refuse'): Promise<void>
}

/** `by e-mail`: it makes the mandates, and waits for the debtors. */
export function memoryBank(mandates: 'ours' | 'by e-mail' = 'ours'): MemoryBank {
  let today = 0
  const debits = new Map<string, Order>()
  const transfers = new Map<string, Order>()

  function standingOf({ iban, answersAt, mandate }: Order) {
    if (mandate === 'sent') return { kind: 'waiting', mandate: { id: `M-${iban.slice(-4)}` } } as const
    if (mandate === 'refuse') return { kind: 'returned', reason: 'refused_by_debtor' } as const
    if (today < answersAt) return { kind: 'waiting' } as const
    return iban === ibans.returned
      ? ({ kind: 'returned', reason: 'insufficient_funds' } as const)
      : ({ kind: 'paid' } as const)
  }
  async function take(orders: Map<string, Order>, key: string, order: Omit<Order, 'answersAt'>) {
    const kept = orders.get(key) ?? { ...order, answersAt: today + 1 }
    orders.set(key, kept)
    return order.iban === ibans.silent ? new Promise<never>(() => undefined) : standingOf(kept)
  }
  async function inquire(orders: Map<string, Order>, key: string) {
    const order = orders.get(key)
    return order === undefined ? ({ kind: 'not_found' } as const) : standingOf(order)
  }

  return {
    directDebit: {
      creditorOf: () =>
        mandates === 'ours' ? creditor : { ...creditor, agent: 'Agente Exemplo', makesMandate: mandates },
      collect: ({ key, debtor: { iban }, amount }) =>
        take(debits, key, { iban, amount, ...(mandates === 'by e-mail' && { mandate: 'sent' }) }),
      inquire: (key) => inquire(debits, key),
      ...memoryRefunds((key) => {
        const debit = debits.get(key)
        return debit !== undefined && standingOf(debit).kind === 'paid' ? debit.amount : undefined
      }),
    },
    creditTransfer: {
      send: async ({ key, beneficiary: { iban }, amount }) => {
        const answer = await take(transfers, key, { iban, amount })
        return answer.kind === 'waiting' ? { kind: 'waiting' } : answer
      },
      inquire: (key) => inquire(transfers, key),
    },
    async answerMandate(key, answer) {
      const debit = debits.get(key)
      if (debit?.mandate !== 'sent') throw new Error(`the debtor of ${key} has no mandate to answer`)
      debit.mandate = answer
      debit.answersAt = today + 1
    },
    passDay() {
      today += 1
    },
  }
}
