// A reference network in memory.
import { after, type Instant, second } from '../../../src/kernel/time.ts'
import type {
  OwnReferences,
  PaymentAnswer,
  PaymentRefusal,
  PublishedReference,
  ReferenceName,
  ReferencePayee,
  ReferencePayment,
} from '../../../src/rails/index.ts'

interface Published extends PublishedReference {
  readonly closed?: 'duplicatepayment' | 'deleted'
}

export interface MemoryReferenceNetwork {
  readonly network: OwnReferences
  /** A repeated id is the same payment. */
  pay(
    payee: Pick<ReferencePayee, 'receive'>,
    payment: Omit<ReferencePayment, 'paidAt'>,
  ): Promise<PaymentAnswer | { readonly kind: 'in_doubt' }>
  repeatNotices(payee: Pick<ReferencePayee, 'receive'>): Promise<void>
}

const nameOf = ({ entity, ref }: ReferenceName) => `${entity} ${ref}`

export function memoryReferenceNetwork(now: () => Instant): MemoryReferenceNetwork {
  const published = new Map<string, Published>()
  const payments = new Map<string, ReferencePayment & { answer?: PaymentAnswer }>()

  function close(name: ReferenceName, closed: Published['closed']): void {
    const reference = published.get(nameOf(name))
    if (reference !== undefined && closed !== undefined) published.set(nameOf(name), { ...reference, closed })
  }

  function refusalOf(payment: ReferencePayment): PaymentRefusal | undefined {
    const reference = published.get(nameOf(payment))
    if (reference === undefined || payment.paidAt < reference.limitsFrom) return undefined
    if (reference.closed !== undefined) return reference.closed
    if (reference.expires !== undefined && payment.paidAt >= after(reference.expires, second))
      return 'expired'
    if (reference.starts !== undefined && payment.paidAt < reference.starts) return 'not_started'
    const { amountMin, amountMax } = reference
    return payment.amount < amountMin || payment.amount > amountMax ? 'badamount' : undefined
  }

  async function tell(payee: Pick<ReferencePayee, 'receive'>, payment: ReferencePayment) {
    const { id, entity, ref, amount, paidAt } = payment
    try {
      const answer = await payee.receive({ id, entity, ref, amount, paidAt })
      payments.set(id, { id, entity, ref, amount, paidAt, answer })
      const once = published.get(nameOf(payment))?.payableOnce === true
      if (answer.kind === 'accepted' && once) close(payment, 'duplicatepayment')
      return answer
    } catch {
      return { kind: 'in_doubt' } as const
    }
  }

  return {
    network: {
      numbering: 'ours',
      entity: '21312',
      async publish(references) {
        for (const reference of references) published.set(nameOf(reference), reference)
      },
      async withdraw(names) {
        for (const name of names) close(name, 'deleted')
      },
      async unanswered(names) {
        const wanted = new Set(names.map(nameOf))
        return [...payments.values()].filter(
          (payment) => wanted.has(nameOf(payment)) && payment.answer === undefined,
        )
      },
    },
    async pay(payee, asked) {
      const before = payments.get(asked.id)
      if (before !== undefined) return tell(payee, before)
      const payment = { ...asked, paidAt: now() }
      const reason = refusalOf(payment)
      if (reason !== undefined) return { kind: 'refused', reason }
      payments.set(payment.id, payment)
      return tell(payee, payment)
    },
    async repeatNotices(payee) {
      for (const payment of payments.values()) {
        if (payment.answer === undefined) await tell(payee, payment)
      }
    },
  }
}
