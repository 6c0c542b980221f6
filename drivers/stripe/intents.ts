// PaymentIntents and SetupIntents, and the records of their requests.
import type { RailRequest, RailRequests } from '../../src/connections/index.ts'
import { isUuid } from '../../src/kernel/random.ts'
import type { AcquirerAnswer, ReferenceName } from '../../src/rails/index.ts'
import { type CallStripe, isRefused, isRepeated } from './client.ts'
import { type IntentState, stateOfPayment, stateOfSetup } from './intent-rules.ts'

export interface IntentDeps {
  readonly call: CallStripe
  readonly requests: RailRequests
}

export interface KeptAnswer {
  readonly intent?: 'sale' | 'hold' | 'verify' | 'capture' | undefined
  readonly currency?: string | undefined
  /** The rail's reason, from before any money could move. */
  readonly decline?: string | undefined
  readonly reference?: ReferenceName | undefined
}

/** Our key, if the object is ours; foreign metadata can contain anything. */
export function keyIn(metadata: unknown): string | undefined {
  const key = (metadata as { readonly comporta_key?: unknown } | null | undefined)?.comporta_key
  return typeof key === 'string' && isUuid(key) ? key : undefined
}

export const keptOf = (request: RailRequest): KeptAnswer => (request.answer ?? {}) as KeptAnswer

const movingSteps = ['confirm', 'capture', 'release', 'refund', 'reverse']

/** The recorded reason; `cancelled` if we cancelled it before it was sent. */
export function declineKept(request: RailRequest): string | undefined {
  const { decline } = keptOf(request)
  // If another process confirmed it, that result counts.
  const isLast = request.steps.confirm === undefined || decline === 'cancelled'
  if (decline !== undefined && isLast) return decline
  const wasSent = movingSteps.some((step) => request.steps[step] !== undefined)
  return request.steps.cancel !== undefined && !wasSent ? 'cancelled' : undefined
}

type Declined = Extract<AcquirerAnswer, { kind: 'declined' }>

export function answerKept(request: RailRequest): Declined | undefined {
  const decline = declineKept(request) as Declined['decline'] | undefined
  return decline && { kind: 'declined', decline }
}

export function intentOf({ providerId, key }: RailRequest): string {
  if (providerId === undefined) throw new Error(`request ${key} has no id at Stripe`)
  return providerId
}

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

/** Stripe refuses if it was completed meanwhile, so read the intent afterwards. */
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
