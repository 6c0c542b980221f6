// Cards on the form of the SIBS Payment Gateway (SPG), which also authenticates the customer.
import type { RailRequest } from '../../src/connections/index.ts'
import { after, hour } from '../../src/kernel/time.ts'
import type {
  AcquirerAnswer,
  CardAcquirer,
  CardFormPage,
  CustomerAuthorization,
  CustomerNeeded,
  FollowUp,
  NotReceived,
} from '../../src/rails/index.ts'
import {
  cancelUnanswered,
  checkoutsOf,
  type OpenedCheckout,
  openCheckout,
  wasCancelled,
} from './checkouts.ts'
import { centsOf } from './client.ts'
import { type MovementAnswer, type Movements, movementIn } from './movements.ts'
import {
  createOnce,
  declined,
  type MovementKind,
  type NotedCard,
  notedAs,
  notedOf,
  notFound,
  type Spg,
  within,
} from './requests.ts'
import { cardAnswer } from './rules.ts'
import type { SibsSettings } from './settings.ts'

/** SPG closes a form after ten minutes. An hour after it was opened, no payment can be under way. */
const formOverMs = hour

type Answer = AcquirerAnswer | CustomerNeeded | NotReceived

const atForm = { kind: 'unknown', why: 'the customer is at the form' } as const

interface Deps extends Spg {
  readonly movements: Movements
  readonly settings: SibsSettings
}

export function acquirerOf(spg: Spg, movements: Movements, settings: SibsSettings): CardAcquirer {
  const { requests } = spg
  const deps = { ...spg, movements, settings }
  const once = createOnce()

  const follow =
    (kind: MovementKind) =>
    async (asked: FollowUp, signal?: AbortSignal): Promise<AcquirerAnswer> => {
      const { key, original, amount, merchant, currency } = asked
      signal?.throwIfAborted()
      const isTheirs = (await requests.find(original))?.walletId === merchant.id && currency === 'EUR'
      return isTheirs
        ? ofMovement(kind, await movements.move(kind, { key, original, amount }, signal))
        : ofMovement(kind, declined('not_permitted'))
    }

  return {
    customers: {
      serves: () => true,
      hasCardForm: () => true,
      async authorize(asked, signal) {
        signal?.throwIfAborted()
        return once(asked.key, () => authorize(within(deps, signal), asked))
      },
      inquire: (key, signal) => inquire(within(deps, signal), key),
    },
    authorize: async () => declined('not_permitted'),
    capture: follow('capture'),
    refund: follow('refund'),
    async release({ amount, ...request }, signal) {
      if (amount !== 'all') return follow('cancellation')({ ...request, amount }, signal)
      const known = await movements.inquire(request.key, signal)
      if (known.kind !== 'not_found') return ofMovement('cancellation', known)
      const left = await movements.leftOf(request.original, signal)
      return typeof left === 'bigint' ? follow('cancellation')({ ...request, amount: left }, signal) : left
    },
    async inquire(key, signal) {
      const known = await requests.find(key)
      if (known !== undefined && isMovement(known)) {
        const answer = await movements.inquire(key, signal)
        return answer.kind === 'not_found' ? answer : ofMovement(movementIn(known) ?? 'refund', answer)
      }
      const answer = await inquire(within(deps, signal), key)
      return answer.kind === 'customer' ? atForm : answer
    },
    inquireHold: (key, signal) => movements.inquireHold(key, signal),
    async cancel(key, signal) {
      signal?.throwIfAborted()
      return cancel(within(deps, signal), key, signal)
    },
    reverse: async (reversal, signal) => ofMovement('refund', await movements.reverse(reversal, signal)),
  }
}

async function authorize(deps: Deps, asked: CustomerAuthorization): Promise<AcquirerAnswer | CustomerNeeded> {
  const { requests } = deps
  const { key, intent } = asked
  // SPG cannot verify a card without a payment, and accepts cards only on its form.
  if (intent === 'verify' || asked.card !== undefined) return declined('not_permitted')
  const known = await requests.find(key)
  const before = notedAs(known, 'card')
  if (before?.decline !== undefined) return declined(before.decline)
  if (known?.steps.form === undefined) {
    if (known?.steps.cancel !== undefined) return declined('cancelled')
    const refusal = await open(deps, asked)
    if (refusal !== undefined) return refusal
  }
  const answer = await inquire(deps, key)
  return answer.kind === 'not_found' ? { kind: 'unknown', why: 'SIBS does not show the form yet' } : answer
}

async function open(deps: Deps, asked: CustomerAuthorization): Promise<AcquirerAnswer | undefined> {
  const { requests, clock } = deps
  const { key, amount } = asked
  const intent = asked.intent === 'hold' ? 'hold' : 'sale'
  const noted: NotedCard = {
    ...{ kind: 'card', intent, amount: String(amount), until: after(clock.now(), formOverMs) },
  }
  const isOpen = await openCheckout(deps, {
    ...{ key, amount, noted, paymentMethod: ['CARD'] },
    paymentType: intent === 'hold' ? 'AUTH' : 'PURS',
    notedWith: (opened) => ({ ...noted, form: formOf(deps, opened, asked) }),
  })
  if (!isOpen) return declined('not_permitted')
  const { before, request } = await requests.begin(key, 'form')
  // Another process may have cancelled meanwhile: the second writer of the row sees the step of the first.
  const isCancelled = before === 'new' && request.steps.cancel !== undefined
  return isCancelled ? close(deps, request, 'cancelled') : undefined
}

function formOf(
  { settings }: Deps,
  { transactionId, signature, formContext }: OpenedCheckout,
  { amount, currency, returnUrl, browser }: CustomerAuthorization,
): CardFormPage['cardForm'] {
  return {
    script: `${settings.formUrl}/assets/js/widget.js?id=${encodeURIComponent(transactionId)}`,
    attributes: {
      class: 'paymentSPG',
      'spg-context': formContext ?? '',
      'spg-signature': signature,
      'spg-config': JSON.stringify({
        paymentMethodList: ['CARD'],
        amount: { value: Number(amount) / 100, currency },
        language: browser.language?.startsWith('pt') === true ? 'pt' : 'en',
        redirectUrl: returnUrl,
      }),
    },
  }
}

async function close(
  { requests }: Deps,
  known: RailRequest,
  decline: NonNullable<NotedCard['decline']>,
): Promise<AcquirerAnswer> {
  await requests.record(known.key, 'form', { answer: { ...notedOf(known), kind: 'card', decline } })
  return declined(decline)
}

async function inquire(deps: Deps, key: string): Promise<Answer> {
  const { requests } = deps
  const known = await requests.find(key)
  const noted = notedAs(known, 'card')
  if (noted?.decline !== undefined) return declined(noted.decline)
  if (known?.steps.form === undefined)
    return known?.steps.cancel === undefined ? notFound : declined('cancelled')
  if (noted?.form === undefined) throw new Error('the form was not recorded')
  for (const transactionId of new Set([known.providerId ?? '', ...checkoutsOf(known)])) {
    const answer = await statusOf(deps, transactionId, noted)
    if (answer === 'open') continue
    return known.steps.cancel === undefined ? answer : whileCancelled(deps, known, answer)
  }
  if (known.steps.cancel !== undefined) return declined('cancelled')
  return { kind: 'customer', page: { cardForm: noted.form } }
}

/**
 * If SPG approved a payment despite the cancellation, the driver reports the approval, so that the gateway reverses
 * it.
 */
async function whileCancelled(
  deps: Deps,
  known: RailRequest,
  answer: AcquirerAnswer,
): Promise<AcquirerAnswer> {
  if (answer.kind === 'declined') return declined('cancelled')
  if (answer.kind !== 'approved') return answer
  return (await wasCancelled(deps, known.key)) ? close(deps, known, 'cancelled') : answer
}

async function statusOf(
  deps: Deps,
  transactionId: string,
  { intent, amount, until }: NotedCard,
): Promise<AcquirerAnswer | 'open'> {
  const { clock } = deps
  const reply = await deps.client.get(`/payments/${transactionId}/status`)
  if (reply.kind !== 'taken') return { kind: 'unknown', why: 'SIBS does not know its own checkout' }
  const { paymentStatus: status, paymentType: type, amount: paid } = reply.body
  return cardAnswer(
    { intent, amount: BigInt(amount), isOver: clock.now() >= until },
    { status, type, amount: centsOf(paid), transactionId },
  )
}

async function cancel(deps: Deps, key: string, signal: AbortSignal | undefined): Promise<AcquirerAnswer> {
  const { movements, requests } = deps
  const { request: known } = await requests.begin(key, 'cancel')
  if (isMovement(known)) return ofMovement('refund', await movements.cancel(key, signal))
  if (known.steps.form === undefined) return declined('cancelled')
  const noted = notedAs(known, 'card')
  if (noted === undefined || known.providerId === undefined) throw new Error('the form was not recorded')
  const answer = await inquire(deps, key)
  if (answer.kind === 'approved') return answer
  const unanswered = { key, transactionId: known.providerId, amount: noted.amount }
  if (await cancelUnanswered(deps, unanswered)) return close(deps, known, 'cancelled')
  const last = await inquire(deps, key)
  return last.kind === 'customer' || last.kind === 'not_found' ? declined('cancelled') : last
}

function ofMovement(kind: MovementKind, answer: MovementAnswer | NotReceived): AcquirerAnswer {
  if (answer.kind === 'not_found')
    return { kind: 'unknown', why: 'the request was sent, but SIBS does not show it' }
  if (answer.kind !== 'declined') return answer
  if (answer.decline === 'withdrawn') return declined('cancelled')
  return declined(kind === 'refund' ? 'exceeds_payment' : 'exceeds_hold')
}

function isMovement(request: RailRequest): boolean {
  return movementIn(request) !== undefined
}
