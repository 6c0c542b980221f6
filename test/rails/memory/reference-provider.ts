// A provider of references in memory.
import { randomUUID } from 'node:crypto'
import type { Cents } from '../../../src/kernel/money.ts'
import { after, type Instant, second } from '../../../src/kernel/time.ts'
import type {
  ProviderReferences,
  ReferenceAnswer,
  ReferenceLimits,
  ReferenceName,
  ReferencePayment,
  ReferenceRequest,
  RefundAccount,
} from '../../../src/rails/index.ts'

export interface MemoryReferenceProvider {
  readonly network: ProviderReferences
  /** Every request that arrived, repeated ones too. */
  readonly requests: ReferenceRequest[]
  /** The reference made under a key, if there is one. */
  made(key: string): readonly ReferenceName[]
  /** Whether the reference can be paid right now. */
  isPayable(name: ReferenceName): boolean
  /** Undefined: the machine refuses. */
  pay(name: ReferenceName, amount: Cents): ReferencePayment | undefined
  /** A payment that the provider should have refused. */
  payAnyway(name: ReferenceName, amount: Cents): ReferencePayment
  /** In cents. */
  refunded(paymentId: string): bigint
  refundedTo(paymentId: string): readonly (RefundAccount | undefined)[]
  /** Handles the next `create`, but does not answer. */
  loseNextAnswer(): void
  /** Handles the next `create`, and answers in another way. */
  answerNext(answer: (named: ReferenceAnswer) => ReferenceAnswer | Promise<ReferenceAnswer>): void
  /** Keys that it was asked to withdraw. */
  readonly withdrawals: string[]
}

export interface MemoryHabits {
  /** The provider has no idempotency keys. If an answer is lost, a repeated request makes another reference. */
  readonly repeatsLost?: boolean
  /** Refunds to an account only. */
  readonly needsAccount?: boolean
}

interface Created {
  readonly request: ReferenceRequest
  readonly name: ReferenceName
  withdrawn: boolean
}

const entity = '10611'

export function memoryReferenceProvider(
  now: () => Instant,
  limits: ReferenceLimits,
  refundsPayments: () => boolean = () => true,
  habits: MemoryHabits = {},
): MemoryReferenceProvider {
  const made = new Map<string, Created>()
  /** Earlier references of a key, whose answers were lost. */
  const lost: Created[] = []
  const refused = new Set<string>()
  const payments: (ReferencePayment & { readonly key: string })[] = []
  const refunds = new Map<string, { paymentId: string; amount: Cents; to: RefundAccount | undefined }>()
  const requests: ReferenceRequest[] = []
  let last = 500_000_000
  let isNextLost = false
  let nextAnswer: Parameters<MemoryReferenceProvider['answerNext']>[0] | undefined
  const withdrawals: string[] = []

  const all = () => [...made.values(), ...lost]
  const find = (name: ReferenceName) => all().find((one) => one.name.ref === name.ref)

  function isPayable(name: ReferenceName): boolean {
    const one = find(name)
    if (one === undefined || one.withdrawn) return false
    const { key, expires, payableOnce } = one.request
    if (payableOnce && payments.some((payment) => payment.key === key && payment.ref === name.ref))
      return false
    return expires === undefined || now() < after(expires, second)
  }

  function payAnyway(name: ReferenceName, amount: Cents): ReferencePayment {
    const one = find(name)
    if (one === undefined) throw new Error(`there is no reference ${name.ref}`)
    const payment = { id: randomUUID(), key: one.request.key, ...one.name, amount, paidAt: now() }
    payments.push(payment)
    return payment
  }

  function create(request: ReferenceRequest): ReferenceAnswer {
    requests.push(request)
    if (refused.has(request.key)) return { kind: 'declined', reason: 'withdrawn' }
    const known = made.get(request.key)
    if (known !== undefined) return { kind: 'named', ...known.name, expires: known.request.expires }
    last += 1
    made.set(request.key, { request, name: { entity, ref: String(last) }, withdrawn: false })
    return { kind: 'named', entity, ref: String(last), expires: request.expires }
  }

  return {
    requests,
    refunded: (paymentId) =>
      [...refunds.values()].reduce((sum, one) => sum + (one.paymentId === paymentId ? one.amount : 0n), 0n),
    refundedTo: (paymentId) =>
      [...refunds.values()].filter((one) => one.paymentId === paymentId).map(({ to }) => to),
    made: (key) => all().flatMap((one) => (one.request.key === key ? [one.name] : [])),
    isPayable,
    payAnyway,
    pay(name, amount) {
      const { amountMin, amountMax } = find(name)?.request ?? {}
      if (!isPayable(name) || amountMin === undefined || amountMax === undefined) return undefined
      return amount < amountMin || amount > amountMax ? undefined : payAnyway(name, amount)
    },
    withdrawals,
    answerNext(answer) {
      nextAnswer = answer
    },
    loseNextAnswer() {
      isNextLost = true
    },
    network: {
      ...{ numbering: 'theirs', limits },
      async create(request) {
        const right = create(request)
        const change = nextAnswer
        nextAnswer = undefined
        const answer = (await change?.(right)) ?? right
        if (!isNextLost) return answer
        isNextLost = false
        const first = made.get(request.key)
        if (habits.repeatsLost && first !== undefined) {
          made.delete(request.key)
          lost.push(first)
        }
        throw new Error('the connection broke')
      },
      async withdraw(keys) {
        withdrawals.push(...keys)
        for (const key of keys) {
          const own = all().filter((one) => one.request.key === key)
          if (own.length === 0) refused.add(key)
          for (const one of own) one.withdrawn = true
        }
      },
      paymentsOf: async (keys) => payments.filter(({ key }) => keys.includes(key)),
      async refundPayment({ key, paymentId, amount, to }) {
        if (habits.needsAccount && to === undefined) return { kind: 'declined', reason: 'account_needed' }
        if (!refundsPayments()) return { kind: 'declined', reason: 'not_possible' }
        const payment = payments.find(({ id }) => id === paymentId)
        if (payment === undefined) return { kind: 'declined', reason: 'unknown_payment' }
        const known = refunds.get(key)
        if (known === undefined) {
          const before = [...refunds.values()].filter((refund) => refund.paymentId === paymentId)
          const refunded = before.reduce((sum, refund) => sum + refund.amount, 0n)
          if (refunded + amount > payment.amount)
            return { kind: 'declined', reason: 'amount_exceeds_remaining' }
          refunds.set(key, { paymentId, amount, to })
        }
        return { kind: 'approved', reference: `R-${key}` }
      },
    },
  }
}
