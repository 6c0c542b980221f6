// A card acquirer in memory.
import { cents } from '../../../src/kernel/money.ts'
import type {
  AcquirerAnswer,
  CardAcquirer,
  CardAuthorization,
  DeclineReason,
  FollowUp,
  Release,
} from '../../../src/rails/index.ts'

interface Entry {
  readonly kind: 'sale' | 'hold' | 'capture' | 'release' | 'refund' | 'cancelled'
  readonly merchantId: bigint
  readonly currency: string
  readonly amount: bigint
  readonly original: string | undefined
  readonly answer: AcquirerAnswer
  isReversed: boolean
}

export interface AcquirerRecords {
  readonly entries: Map<string, Entry>
  readonly reversals: Map<string, AcquirerAnswer>
}

export const newRecords = (): AcquirerRecords => ({ entries: new Map(), reversals: new Map() })

export const declinedCards: Readonly<Record<string, DeclineReason>> = {
  '4000000000000002': 'do_not_honour',
  '4000000000009995': 'insufficient_funds',
}

/** The rest under the key of a hold, sale or capture. */
export function leftOf({ entries }: AcquirerRecords, key: string): bigint {
  const entry = entries.get(key)
  if (entry === undefined || entry.isReversed || entry.answer.kind !== 'approved') return 0n
  return followersOf(entries, key).reduce((left, { amount }) => left - amount, entry.amount)
}

function followersOf(entries: AcquirerRecords['entries'], key: string): Entry[] {
  return [...entries.values()].filter(
    ({ original, answer, isReversed }) => original === key && answer.kind === 'approved' && !isReversed,
  )
}

/** Several objects with the same `records` are one acquirer. */
export function memoryAcquirer(records = newRecords()): CardAcquirer {
  const { entries, reversals } = records
  const reference = () => `M${entries.size + reversals.size}`
  const approved = (): AcquirerAnswer => ({
    kind: 'approved',
    reference: reference(),
    approvalCode: 'A1B2C3',
  })
  const declined = (decline: Extract<AcquirerAnswer, { kind: 'declined' }>['decline']): AcquirerAnswer => ({
    kind: 'declined',
    decline,
    reference: reference(),
  })

  function keep(key: string, entry: Omit<Entry, 'isReversed'>): AcquirerAnswer {
    entries.set(key, { ...entry, isReversed: false })
    return entry.answer
  }

  function authorize({ key, merchant, currency, amount, intent: kind, card }: CardAuthorization) {
    const reason = declinedCards[card.number]
    const answer = reason === undefined ? approved() : declined(reason)
    return keep(key, { kind, merchantId: merchant.id, currency, amount, original: undefined, answer })
  }

  function follow(kind: 'capture' | 'release' | 'refund', asked: FollowUp | Release): AcquirerAnswer {
    const { key, original, merchant, currency } = asked
    const of = entries.get(original)
    const fits = kind === 'refund' ? ['sale', 'capture'] : ['hold']
    const isThere =
      of !== undefined &&
      fits.includes(of.kind) &&
      of.merchantId === merchant.id &&
      of.currency === currency &&
      of.answer.kind === 'approved' &&
      !of.isReversed
    const left = isThere ? leftOf(records, original) : 0n
    const amount = asked.amount === 'all' ? cents(left) : asked.amount
    const answer =
      isThere && amount <= left
        ? approved()
        : declined(kind === 'refund' ? 'exceeds_payment' : 'exceeds_hold')
    return keep(key, { kind, merchantId: merchant.id, currency, amount, original, answer })
  }

  /** A call needs time to arrive, and is not sent after an abort. */
  async function arrived<Asked extends { readonly key: string }>(
    asked: Asked,
    signal: AbortSignal | undefined,
    decide: (asked: Asked) => AcquirerAnswer,
  ): Promise<AcquirerAnswer> {
    await Promise.resolve()
    signal?.throwIfAborted()
    return entries.get(asked.key)?.answer ?? decide(asked)
  }

  return {
    authorize: (asked, signal) => arrived(asked, signal, authorize),
    capture: (asked, signal) => arrived(asked, signal, (one) => follow('capture', one)),
    release: (asked, signal) => arrived(asked, signal, (one) => follow('release', one)),
    refund: (asked, signal) => arrived(asked, signal, (one) => follow('refund', one)),
    inquire: async (key) => entries.get(key)?.answer ?? { kind: 'not_found' },
    async inquireHold(key) {
      if (entries.get(key)?.kind !== 'hold') return { kind: 'not_found' }
      return { kind: leftOf(records, key) > 0n ? 'held' : 'ended' }
    },
    cancel: (key, signal) =>
      arrived({ key }, signal, () =>
        keep(key, {
          ...{ kind: 'cancelled', merchantId: 0n, currency: '', amount: 0n, original: undefined },
          answer: declined('cancelled'),
        }),
      ),
    async reverse({ key, original }, signal) {
      await Promise.resolve()
      signal?.throwIfAborted()
      const before = reversals.get(key)
      if (before !== undefined) return before
      const entry = entries.get(original)
      const isFree =
        entry?.answer.kind === 'approved' && !entry.isReversed && followersOf(entries, original).length === 0
      if (entry !== undefined && isFree) entry.isReversed = true
      const answer = isFree ? approved() : declined('exceeds_payment')
      reversals.set(key, answer)
      return answer
    },
  }
}
