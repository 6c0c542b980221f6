// A mobile wallet of a provider that offers only payments and refunds.
import type { DriverTools, RailRequest } from '../../src/connections/index.ts'
import { keyedMutex } from '../../src/kernel/concurrency.ts'
import { after, type Instant, minute } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'
import { decline, declined, declineIn, note } from './requests.ts'

type Deps = Pick<DriverTools, 'requests' | 'clock'>

export type PhoneAnswer = rails.WalletPaymentAnswer | rails.UnknownAnswer | rails.NotReceived

export interface PhoneCalls
  extends Pick<rails.MobileWallet, 'refund' | 'inquireFollowUp' | 'reverse' | 'cancelFollowUp'> {
  /** Records the request with the provider's name for it. */
  note?: typeof note
  /** Sends the request once, in the step `create0`. Answers whether the provider asked the customer. */
  send(asked: rails.WalletPaymentRequest, signal: AbortSignal | undefined): Promise<boolean>
  inquire(key: string): Promise<PhoneAnswer>
}

export function phoneWallet(
  deps: Deps,
  { send, inquire, note: noteAs = note, ...refunds }: PhoneCalls,
): rails.MobileWallet {
  const one = keyedMutex<rails.WalletPaymentAnswer | rails.UnknownAnswer>()
  const unsupported = async ({ key }: { readonly key: string }) => {
    await decline(deps, key, 'refund', 'not_permitted')
    return declined('not_permitted')
  }

  async function request(asked: rails.WalletPaymentRequest, signal: AbortSignal | undefined) {
    const { key, amount, expires } = asked
    const known = await noteAs(deps, key, { kind: 'payment', amount: String(amount), until: expires })
    const isNew = declineIn(known) === undefined && known.steps.create0 === undefined
    const why = isNew ? whyNot(deps, asked, known.steps) : undefined
    if (why !== undefined) await decline(deps, key, 'order', why)
    else if (isNew && (await send(asked, signal))) return { kind: 'waiting' } as const
    const answer = await inquire(key)
    return answer.kind === 'not_found'
      ? ({ kind: 'unknown', why: 'another process sends it' } as const)
      : answer
  }

  return {
    lacks: () => ['mandates', 'holds', 'partial releases', 'withdrawal'],
    findCustomer: async () => ({ kind: 'unsupported' }),
    async requestPayment(asked, signal) {
      signal?.throwIfAborted()
      return one(asked.key, () => request(asked, signal))
    },
    inquirePayment: inquire,
    async withdrawPayment(key) {
      const { request: known } = await deps.requests.begin(key, 'withdraw')
      return known.steps.create0 === undefined ? declined('withdrawn') : inquire(key)
    },
    requestMandate: async () => declined('not_permitted'),
    withdrawMandate: async () => ({ kind: 'not_found' }),
    mandateHistory: async () => ({ kind: 'not_found' }),
    cancelMandate: async () => ({ kind: 'not_found' }),
    capture: unsupported,
    release: unsupported,
    ...refunds,
  }
}

function whyNot(
  { clock }: Deps,
  { intent, opens, currency, expires }: rails.WalletPaymentRequest,
  { withdraw }: RailRequest['steps'],
): rails.WalletDecline | undefined {
  if (withdraw !== undefined) return 'withdrawn'
  if (intent === 'hold' || opens !== undefined || currency !== 'EUR') return 'not_permitted'
  return clock.now() >= expires ? 'expired' : undefined
}

/** The answer, if the driver's own records decide it. */
export function answerWithoutInquiry(known: RailRequest | undefined): PhoneAnswer | undefined {
  const kept = declineIn(known)
  if (kept !== undefined) return declined(kept as rails.WalletDecline)
  if (known?.steps.create0 !== undefined) return undefined
  return known?.steps.withdraw === undefined ? { kind: 'not_found' } : declined('withdrawn')
}

/** A request ends after at most five minutes at both providers, so after this time no answer can be on its way. */
const graceMs = 15 * minute

/** The answer about a request for which the provider shows no payment. */
export function unpaidAnswer(provider: string, now: Instant, until: Instant): PhoneAnswer {
  return now < after(until, graceMs)
    ? { kind: 'unknown', why: `${provider} has not decided, or the request was lost` }
    : { ...declined('expired'), mayArrive: true }
}
