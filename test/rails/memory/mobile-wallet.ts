// A mobile wallet in memory.
import { addMonths, lisbonDayOf } from '../../../src/kernel/lisbon.ts'
import { type Cents, cents } from '../../../src/kernel/money.ts'
import type { Instant } from '../../../src/kernel/time.ts'
import type {
  MobileWallet,
  MobileWalletLack,
  MobileWalletNotice,
  WalletFollowUp,
  WalletFollowUpAnswer,
  WalletMandateChange,
  WalletMandateRequest,
  WalletPaymentAnswer,
  WalletPaymentRequest,
} from '../../../src/rails/index.ts'

export interface MandateTerms {
  readonly limit: Cents
  readonly expiryDate: string
}

export interface MemoryMobileWallet {
  readonly wallet: MobileWallet
  waiting(): string[]
  /** False if the app does not allow it. */
  approve(key: string, terms?: MandateTerms): Promise<boolean>
  refuse(key: string): Promise<boolean>
  change(
    key: string,
    kind: 'update' | 'suspend' | 'resume' | 'cancel',
    terms?: MandateTerms,
  ): Promise<boolean>
}

interface Question {
  readonly key: string
  readonly asked: WalletPaymentRequest | WalletMandateRequest
  readonly mandate: string | undefined
  state: 'waiting' | 'approved' | 'refused' | 'expired' | 'withdrawn'
  reference: string
  byMandate: boolean
}

interface Mandate {
  readonly merchantId: bigint
  readonly phone: string
  state: 'requested' | 'active' | 'suspended' | 'over'
  terms: MandateTerms
  readonly changes: WalletMandateChange[]
}

interface Booking {
  readonly kind: 'sale' | 'hold' | 'capture' | 'release' | 'refund'
  readonly original: string | undefined
  readonly amount: bigint
  isReversed: boolean
}

function isWaiting(question: Question | 'withdrawn' | undefined): question is Question {
  return typeof question === 'object' && question.state === 'waiting'
}

type Unnumbered<C> = C extends WalletMandateChange ? Omit<C, 'version'> : never

const year = 12
const none = cents(0)

/** `notify` gets the network's notices. */
export function memoryMobileWallet(
  now: () => Instant,
  customers: ReadonlySet<string>,
  notify: (notice: MobileWalletNotice) => Promise<void> = async () => undefined,
  lacks: readonly MobileWalletLack[] = [],
): MemoryMobileWallet {
  const questions = new Map<string, Question | 'withdrawn'>()
  const mandates = new Map<string, Mandate>()
  const bookings = new Map<string, Booking>()
  const movements = new Map<string, WalletFollowUpAnswer>()
  const reversals = new Map<string, WalletFollowUpAnswer>()
  const used: { readonly mandate: string; readonly month: string; readonly amount: bigint }[] = []

  let references = 0
  const newReference = () => `P${++references}`
  const declined = (decline: 'not_permitted' | 'withdrawn' | 'not_registered') =>
    ({ kind: 'declined', decline }) as const
  const month = () => lisbonDayOf(now()).slice(0, 7)

  /** A call needs time to arrive, and is not sent after an abort. */
  async function arrival(signal: AbortSignal | undefined): Promise<void> {
    await Promise.resolve()
    signal?.throwIfAborted()
  }

  function record(key: string | undefined, change: Unnumbered<WalletMandateChange>): void {
    const mandate = mandates.get(key ?? '')
    mandate?.changes.push({ version: mandate.changes.length + 1, ...change } as WalletMandateChange)
  }

  function end(question: Question, state: 'expired' | 'withdrawn' | 'refused'): void {
    question.state = state
    const mandate = mandates.get(question.mandate ?? '')
    if (mandate === undefined) return
    mandate.state = 'over'
    record(question.mandate, { kind: state === 'refused' ? 'refused' : 'expired' })
  }

  function known(key: string): Question | 'withdrawn' | undefined {
    const question = questions.get(key)
    if (typeof question === 'object' && question.state === 'waiting' && now() >= question.asked.expires)
      end(question, 'expired')
    return question
  }

  function open(asked: Question['asked'], mandate: string | undefined): Question {
    const { key, merchant, phone } = asked
    const wanted = 'kind' in asked ? asked.wanted : asked.opens?.wanted
    const question: Question = { key, asked, mandate, state: 'waiting', reference: '', byMandate: false }
    questions.set(key, question)
    if (mandate !== undefined) {
      const terms = {
        limit: wanted?.limit ?? cents(250_00),
        expiryDate: addMonths(wanted?.from ?? lisbonDayOf(now()), year),
      }
      mandates.set(mandate, { merchantId: merchant.id, phone, state: 'requested', terms, changes: [] })
    }
    return question
  }

  function approve(question: Question, byMandate: boolean): void {
    question.state = 'approved'
    question.reference = newReference()
    question.byMandate = byMandate
    const { asked } = question
    if ('kind' in asked) return
    bookings.set(asked.key, {
      ...{ kind: asked.intent, original: undefined, amount: asked.amount, isReversed: false },
    })
  }

  function isCovered({ mandate: key, opens, amount, merchant, phone }: WalletPaymentRequest): boolean {
    const mandate = mandates.get(key ?? '')
    if (mandate === undefined || opens !== undefined || mandate.state !== 'active') return false
    const spent = used
      .filter((one) => one.mandate === key && one.month === month())
      .reduce((sum, one) => sum + one.amount, 0n)
    return (
      mandate.merchantId === merchant.id &&
      mandate.phone === phone &&
      mandate.terms.expiryDate >= lisbonDayOf(now()) &&
      spent + amount <= mandate.terms.limit
    )
  }

  function answerOf(question: Question | 'withdrawn'): WalletPaymentAnswer {
    if (question === 'withdrawn') return { kind: 'declined', decline: 'withdrawn' }
    const { state, reference, byMandate } = question
    if (state === 'waiting') return { kind: 'waiting' }
    return state === 'approved'
      ? { kind: 'approved', reference, byMandate }
      : { kind: 'declined', decline: state }
  }

  const followers = (key: string) =>
    [...bookings.values()].filter(({ original, isReversed }) => original === key && !isReversed)

  function leftFor(kind: 'capture' | 'release' | 'refund', of: string): bigint {
    const booking = bookings.get(of)
    const fits = kind === 'refund' ? ['sale', 'capture'] : ['hold']
    if (booking === undefined || booking.isReversed || !fits.includes(booking.kind)) return 0n
    return followers(of).reduce((left, { amount }) => left - amount, booking.amount)
  }

  const move =
    (kind: 'capture' | 'release' | 'refund') =>
    async ({ key, payment, amount }: WalletFollowUp, signal?: AbortSignal): Promise<WalletFollowUpAnswer> => {
      await arrival(signal)
      const before = movements.get(key)
      if (before !== undefined) return before
      const isAllowed = amount > 0n && amount <= leftFor(kind, payment)
      const answer = isAllowed
        ? ({ kind: 'approved', reference: newReference() } as const)
        : declined('not_permitted')
      movements.set(key, answer)
      if (isAllowed) bookings.set(key, { kind, original: payment, amount, isReversed: false })
      return answer
    }

  const wallet: MobileWallet = {
    findCustomer: async (phone) => ({ kind: customers.has(phone) ? 'registered' : 'not_registered' }),
    async requestPayment(asked, signal) {
      await arrival(signal)
      if (!customers.has(asked.phone)) return declined('not_registered')
      const before = known(asked.key)
      if (before !== undefined) return answerOf(before)
      const question = open(asked, asked.opens?.key)
      if (isCovered(asked)) {
        approve(question, true)
        used.push({ mandate: asked.mandate ?? '', month: month(), amount: asked.amount })
      }
      return answerOf(known(asked.key) ?? question)
    },
    async inquirePayment(key) {
      const question = known(key)
      return question === undefined ? { kind: 'not_found' } : answerOf(question)
    },
    async withdrawPayment(key, signal) {
      await arrival(signal)
      const question = known(key) ?? 'withdrawn'
      if (question === 'withdrawn') questions.set(key, question)
      else if (question.state === 'waiting') end(question, 'withdrawn')
      return answerOf(question)
    },
    async requestMandate(asked, signal) {
      await arrival(signal)
      if (!customers.has(asked.phone)) return declined('not_registered')
      if (known(asked.key) === undefined) open(asked, asked.key)
      return { kind: 'waiting' }
    },
    async withdrawMandate(key, signal) {
      await arrival(signal)
      const question = known(key)
      if (typeof question !== 'object') return { kind: 'not_found' }
      if (question.state === 'waiting') end(question, 'withdrawn')
      return { kind: question.state === 'withdrawn' ? 'withdrawn' : 'over' }
    },
    async mandateHistory(key, afterVersion) {
      for (const { key: asked, mandate } of asksFor(key)) if (mandate === key) known(asked)
      const changes = mandates.get(key)?.changes
      return changes === undefined
        ? { kind: 'not_found' }
        : { kind: 'changes', changes: changes.filter(({ version }) => version > afterVersion) }
    },
    async cancelMandate(key, signal) {
      await arrival(signal)
      const mandate = mandates.get(key)
      if (mandate === undefined) return { kind: 'not_found' }
      if (mandate.state === 'requested') for (const question of asksFor(key)) end(question, 'withdrawn')
      else if (mandate.state !== 'over') record(key, { kind: 'cancelled' })
      mandate.state = 'over'
      return { kind: 'cancelled' }
    },
    capture: move('capture'),
    async release(asked, signal) {
      const isPart = asked.amount !== leftFor('release', asked.payment)
      return move('release')(
        lacks.includes('partial releases') && isPart ? { ...asked, amount: none } : asked,
        signal,
      )
    },
    refund: move('refund'),
    inquireFollowUp: async (key) => movements.get(key) ?? { kind: 'not_found' },
    async cancelFollowUp(key, signal) {
      await arrival(signal)
      const answer = movements.get(key) ?? declined('withdrawn')
      movements.set(key, answer)
      return answer
    },
    async reverse({ key, original }, signal) {
      await arrival(signal)
      const before = reversals.get(key)
      if (before !== undefined) return before
      const booking = bookings.get(original)
      const isFree = booking !== undefined && !booking.isReversed && followers(original).length === 0
      if (isFree) booking.isReversed = true
      const answer = isFree
        ? ({ kind: 'approved', reference: newReference() } as const)
        : declined('not_permitted')
      reversals.set(key, answer)
      return answer
    },
  }

  function asksFor(mandate: string): Question[] {
    return [...questions.values()].filter(isWaiting).filter((one) => one.mandate === mandate)
  }

  async function answer(key: string, act: (question: Question) => void): Promise<boolean> {
    const question = known(key)
    if (!isWaiting(question)) return false
    act(question)
    await notify({ kind: 'kind' in question.asked ? 'mandate' : 'payment', key })
    return true
  }

  return {
    wallet: lacks.length === 0 ? wallet : withLacks(wallet, lacks),
    waiting: () => [...questions.keys()].filter((key) => isWaiting(known(key))),
    approve: (key, terms) =>
      answer(key, (question) => {
        approve(question, false)
        const mandate = mandates.get(question.mandate ?? '')
        if (mandate === undefined) return
        mandate.state = 'active'
        mandate.terms = terms ?? mandate.terms
        record(question.mandate, { kind: 'approved', ...mandate.terms })
      }),
    refuse: (key) => answer(key, (question) => end(question, 'refused')),
    async change(key, kind, terms) {
      const mandate = mandates.get(key)
      const isLive = mandate?.state === 'active' || mandate?.state === 'suspended'
      const isStateOf = { suspend: 'active', resume: 'suspended' } as const
      const isOther = (kind === 'suspend' || kind === 'resume') && mandate?.state !== isStateOf[kind]
      if (mandate === undefined || !isLive || isOther) return false
      if (kind === 'update') {
        mandate.terms = terms ?? mandate.terms
        record(key, { kind: 'updated', ...mandate.terms })
      } else {
        mandate.state = ({ suspend: 'suspended', resume: 'active', cancel: 'over' } as const)[kind]
        record(key, {
          kind: ({ suspend: 'suspended', resume: 'resumed', cancel: 'cancelled' } as const)[kind],
        })
      }
      await notify({ kind: 'mandate', key })
      return true
    },
  }
}

function withLacks(wallet: MobileWallet, lacks: readonly MobileWalletLack[]): MobileWallet {
  const declined = { kind: 'declined', decline: 'not_permitted' } as const
  const refused = new Set<string>()
  const notFound = { kind: 'not_found' } as const
  const withoutMandates: Partial<MobileWallet> = {
    requestMandate: async () => declined,
    withdrawMandate: async () => notFound,
    mandateHistory: async () => notFound,
    cancelMandate: async () => notFound,
  }
  return {
    ...wallet,
    ...(lacks.includes('mandates') && withoutMandates),
    lacks: () => lacks,
    async requestPayment(asked, signal) {
      const isImpossible =
        (lacks.includes('holds') && asked.intent === 'hold') ||
        (lacks.includes('mandates') && asked.opens !== undefined)
      if (!isImpossible) return wallet.requestPayment(asked, signal)
      refused.add(asked.key)
      return declined
    },
    inquirePayment: async (key) => (refused.has(key) ? declined : wallet.inquirePayment(key)),
    withdrawPayment: (key, signal) =>
      lacks.includes('withdrawal') ? wallet.inquirePayment(key) : wallet.withdrawPayment(key, signal),
  }
}
