// Cards at Stripe. The driver records the id of a PaymentIntent before it confirms it.
import type Stripe from 'stripe'
import type {
  AcquirerAnswer,
  CardAcquirer,
  CardAuthorization,
  CustomerAuthorization,
  CustomerNeeded,
  NotReceived,
} from '../../src/rails/index.ts'
import { type CallStripe, isDeclined, isRefused, isRepeated, unlessRefused } from './client.ts'
import { answerOfFollowUp, createFollowUps, isFollowUp } from './follow-ups.ts'
import {
  answerKept,
  answerOfIntent,
  cancelIntent,
  cancelled,
  createPayment,
  declineOf,
  holdAnswerOf,
  type IntentDeps,
  type IntentState,
  intentOf,
  isOpen,
  type KeptAnswer,
  keptOf,
  notFound,
  retrieveIntent,
  stateOfPayment,
  stateOfSetup,
  within,
} from './intents.ts'

export interface CardDeps extends IntentDeps {
  /** True if Stripe authenticates customers. If false, Stripe gets the proof of the gateway's 3-D Secure server. */
  readonly authenticates: boolean
}

type Asked = CardAuthorization | CustomerAuthorization
type Answer = AcquirerAnswer | CustomerNeeded

export function createCards(deps: CardDeps): CardAcquirer {
  const { requests } = deps
  const pages = {
    authorize: (asked: Asked, signal?: AbortSignal) => authorize(within(deps, signal), asked),
    inquire: (key: string, signal?: AbortSignal) => inquire(within(deps, signal), key),
  }
  const followUps = createFollowUps(deps)

  return {
    customers: { serves: () => deps.authenticates, ...pages },
    authorize: async (asked, signal) => withoutPage(await pages.authorize(asked, signal)),
    inquire: async (key, signal) => withoutPage(await pages.inquire(key, signal)),
    async inquireHold(key, signal) {
      const request = await requests.find(key)
      if (request?.providerId === undefined || keptOf(request).intent !== 'hold') return notFound
      return holdAnswerOf(await retrieveIntent(deps.call.within(signal), request.providerId))
    },
    ...followUps,
    async cancel(key, signal) {
      const own = within(deps, signal)
      const { call } = own
      const { request } = await requests.begin(key, 'cancel')
      if (isFollowUp(request)) {
        const answer = await answerOfFollowUp(own, request)
        return answer.kind === 'not_found' ? cancelled : answer
      }
      // Before a request that moves money was sent, the recorded answer decides.
      const kept = answerKept(request)
      if (kept !== undefined) return kept
      const intent = intentOf(request)
      const state = await retrieveIntent(call, intent)
      const answer = answerOfIntent(state)
      if (!isOpen(state) || answer.kind === 'declined') return withoutPage(decided(answer))
      await cancelIntent(call, intent, key)
      return withoutPage(decided(answerOfIntent(await retrieveIntent(call, intent))))
    },
  }
}

async function authorize({ call, requests }: CardDeps, asked: Asked): Promise<Answer> {
  const { key } = asked
  const created = await requests.begin(key, 'create')
  const before = answerKept(created.request)
  if (before !== undefined) return before
  const declined = async (decline: KeptAnswer['decline'], step: string): Promise<Answer> => {
    await requests.record(key, step, { status: 'declined', answer: { ...keptAbout(asked), decline } })
    return { kind: 'declined', decline } as Answer
  }
  const intent =
    created.request.providerId ?? (await unlessRefused(createPayment({ call, requests }, asked, 'card')))
  if (typeof intent === 'object') return declined(intent.refused, 'create')
  if (created.request.steps.confirm !== undefined) {
    const answer = answerOfIntent(await retrieveIntent(call, intent))
    if (answer.kind !== 'not_found') return answer
  }
  const method = await unlessRefused(presentCard(call, asked))
  if (typeof method === 'object')
    return declined('refused' in method ? method.refused : method.decline, 'card')
  const { before: started, request } = await requests.begin(key, 'confirm')
  if (request.steps.cancel !== undefined) {
    if (started === 'new') return declined('cancelled', 'confirm')
    return decided(answerOfIntent(await retrieveIntent(call, intent)))
  }
  const state = await confirm(call, asked, { intent, method })
  await requests.record(key, 'confirm', { status: state.status })
  return decided(answerOfIntent(state))
}

async function inquire(deps: CardDeps, key: string): Promise<Answer | NotReceived> {
  const request = await deps.requests.find(key)
  if (request === undefined) return notFound
  if (isFollowUp(request)) return answerOfFollowUp(deps, request)
  const kept = answerKept(request)
  if (kept !== undefined) return kept
  if (request.steps.confirm === undefined) return notFound
  return answerOfIntent(await retrieveIntent(deps.call, intentOf(request)))
}

const keptAbout = ({ intent, currency }: Asked): KeptAnswer => ({ intent, currency })

/** Gives the card to Stripe. This moves no money, but Stripe can refuse the card. */
async function presentCard(
  call: CallStripe,
  { card }: Asked,
): Promise<string | Extract<AcquirerAnswer, { kind: 'declined' }>> {
  if (card === undefined) throw new Error('Stripe needs a card, because it has no card form here')
  const { number, expiry, vcode, name } = card
  try {
    const { id } = await call((stripe) =>
      stripe.paymentMethods.create({
        type: 'card',
        card: { number, exp_month: expiry.month, exp_year: expiry.year, ...(vcode && { cvc: vcode }) },
        billing_details: { name },
      }),
    )
    return id
  } catch (error) {
    if (!isDeclined(error)) throw error
    return { kind: 'declined', decline: declineOf(error) }
  }
}

async function confirm(
  call: CallStripe,
  asked: Asked,
  { intent, method }: { readonly intent: string; readonly method: string },
): Promise<IntentState> {
  const options = { idempotencyKey: `${asked.key}:confirm` }
  const returnUrl = 'returnUrl' in asked ? { return_url: asked.returnUrl } : {}
  try {
    return await call(async (stripe) =>
      asked.intent === 'verify'
        ? stateOfSetup(
            await stripe.setupIntents.confirm(intent, { payment_method: method, ...returnUrl }, options),
          )
        : stateOfPayment(
            await stripe.paymentIntents.confirm(
              intent,
              { payment_method: method, ...confirmation(asked), ...returnUrl, expand: ['latest_charge'] },
              options,
            ),
          ),
    )
  } catch (error) {
    if (isDeclined(error) || isRefused(error) || isRepeated(error)) return retrieveIntent(call, intent)
    throw error
  }
}

function confirmation(asked: Asked): Stripe.PaymentIntentConfirmParams {
  const { credentialOnFile } = asked
  if (credentialOnFile === 'merchant_initiated') return { off_session: true }
  const proof = 'authentication' in asked ? asked.authentication : undefined
  return {
    ...(credentialOnFile === 'initial' && { setup_future_usage: 'off_session' }),
    ...(!('returnUrl' in asked) && { error_on_requires_action: true }),
    ...(proof !== undefined && {
      payment_method_options: {
        card: {
          three_d_secure: {
            version: proof.version as '2.2.0',
            electronic_commerce_indicator: proof.eci as '05',
            cryptogram: proof.value,
            transaction_id: proof.dsTransId,
          },
        },
      },
    }),
  }
}

function withoutPage<Other extends AcquirerAnswer | NotReceived>(
  answer: Other | CustomerNeeded,
): Other | AcquirerAnswer {
  return answer.kind === 'customer' ? { kind: 'unknown', why: 'the customer is at the page' } : answer
}

function decided<Other extends Answer>(answer: Other | NotReceived): Other | AcquirerAnswer {
  return answer.kind === 'not_found' ? { kind: 'unknown', why: 'Stripe does not report the result' } : answer
}
