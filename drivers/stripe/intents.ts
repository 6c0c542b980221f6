// PaymentIntents and SetupIntents at Stripe, and what the rows of their requests keep.
import type { RailRequest, RailRequests } from '../../src/connections/index.ts'
import { isUuid } from '../../src/kernel/random.ts'
import type { AcquirerAnswer, ReferenceName } from '../../src/rails/index.ts'
import { type CallStripe, isRefused, isRepeated } from './client.ts'
import { type IntentState, stateOfPayment, stateOfSetup } from './intent-rules.ts'

export interface IntentDeps {
  readonly call: CallStripe
  readonly requests: RailRequests
}

/** What a request's row keeps of it. */
export interface KeptAnswer {
  readonly intent?: 'sale' | 'hold' | 'verify' | 'capture' | undefined
  readonly currency?: string | undefined
  /** Declined before anything could move, in a word of the rail's. */
  readonly decline?: string | undefined
  /** What the customer types at an ATM. */
  readonly reference?: ReferenceName | undefined
}

/** Our key in what Stripe keeps of an object; undefined for objects of others, whose metadata may hold anything. */
export function keyIn(metadata: unknown): string | undefined {
  const key = (metadata as { readonly comporta_key?: unknown } | null | undefined)?.comporta_key
  return typeof key === 'string' && isUuid(key) ? key : undefined
}

export const keptOf = (request: RailRequest): KeptAnswer => (request.answer ?? {}) as KeptAnswer

/** Steps after which money may have moved, or be given back. */
const movingSteps = ['confirm', 'capture', 'release', 'refund', 'reverse']

/** Why a request comes to nothing, as far as that is known without asking Stripe; `cancelled` where we cancelled it. */
export function declineKept(request: RailRequest): string | undefined {
  const { decline } = keptOf(request)
  // Where another process went on meanwhile, what became of that counts.
  const isLast = request.steps.confirm === undefined || decline === 'cancelled'
  if (decline !== undefined && isLast) return decline
  const wasSent = movingSteps.some((step) => request.steps[step] !== undefined)
  return request.steps.cancel !== undefined && !wasSent ? 'cancelled' : undefined
}

type Declined = Extract<AcquirerAnswer, { kind: 'declined' }>

/** The same of a card's. */
export function answerKept(request: RailRequest): Declined | undefined {
  const decline = declineKept(request) as Declined['decline'] | undefined
  return decline && { kind: 'declined', decline }
}

export function intentOf({ providerId, key }: RailRequest): string {
  if (providerId === undefined) throw new Error(`request ${key} has no id at Stripe`)
  return providerId
}

/** With its latest charge. */
export async function retrieveIntent(
  call: CallStripe,
  intent: string,
  signal?: AbortSignal,
): Promise<IntentState> {
  return call(signal, async (stripe) =>
    intent.startsWith('seti_')
      ? stateOfSetup(await stripe.setupIntents.retrieve(intent))
      : stateOfPayment(await stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] })),
  )
}

/** Closes its page. Stripe refuses where it went on meanwhile: whoever calls this looks at what became of it. */
export async function cancelIntent(
  call: CallStripe,
  intent: string,
  key: string,
  signal?: AbortSignal,
): Promise<void> {
  const options = { idempotencyKey: `${key}:cancel` }
  try {
    await call(signal, async (stripe) => {
      if (intent.startsWith('seti_')) await stripe.setupIntents.cancel(intent, {}, options)
      else await stripe.paymentIntents.cancel(intent, {}, options)
    })
  } catch (error) {
    if (!isRefused(error) && !isRepeated(error)) throw error
  }
}
