// A bank in memory.
import type { CreditTransfer, DirectDebit } from '../../../src/rails/index.ts'
import { memoryRefunds } from './refunds.ts'

interface Order {
  readonly iban: string
  readonly amount: bigint
  readonly answersAt: number
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
}

export function memoryBank(): MemoryBank {
  let today = 0
  const debits = new Map<string, Order>()
  const transfers = new Map<string, Order>()

  function standingOf({ iban, answersAt }: Order) {
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
      creditorOf: () => creditor,
      collect: ({ key, debtor: { iban }, amount }) => take(debits, key, { iban, amount }),
      inquire: (key) => inquire(debits, key),
      ...memoryRefunds((key) => {
        const debit = debits.get(key)
        return debit !== undefined && standingOf(debit).kind === 'paid' ? debit.amount : undefined
      }),
    },
    creditTransfer: {
      send: ({ key, beneficiary: { iban }, amount }) => take(transfers, key, { iban, amount }),
      inquire: (key) => inquire(transfers, key),
    },
    passDay() {
      today += 1
    },
  }
}
