// Cards on Easypay's page and MB WAY: payments that the customer decides.
import { decimalText } from '../../src/kernel/money.ts'
import { after, hour, type Instant } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'
import * as moves from './movements.ts'
import { ask, type Easypay, end, type Found, type MoveKind, notedOf, payment, unknown } from './payments.ts'
import { jsonOf, phoneOf, textOf } from './rules.ts'

/** `late`: Easypay does not confirm that the request has ended, so the gateway reverses a late approval. */
type Decided =
  | { readonly kind: 'approved'; readonly reference: string }
  | { readonly kind: 'open'; readonly url: string | undefined }
  | { readonly kind: 'refused' | 'failed' | 'ended' | 'expired'; readonly late?: boolean }
  | rails.UnknownAnswer
  | rails.NotReceived

async function decided(deps: Easypay, key: string, known: Found): Promise<Decided> {
  if (known.kind === 'none') return moves.notFound
  if (known.kind === 'declined') return { kind: known.decline === 'cancelled' ? 'ended' : 'refused' }
  if (known.kind === 'unknown') return known
  const { state, id, body, noted } = known
  const isEnded = (await deps.requests.find(key))?.steps.cancel !== undefined
  const now = deps.clock.now()
  const { until = now, intent } = noted
  const isSettled = now >= after(until, moves.settledAfterMs)
  if (state === 'paid' || (state === 'held' && intent === 'hold')) return { kind: 'approved', reference: id }
  const isOver = state === 'gone' || state === 'failed'
  if (isEnded && (isOver || state === 'open')) return { kind: 'ended', late: !isOver }
  if (isOver) return { kind: state === 'gone' || now >= until ? 'expired' : 'failed' }
  if (isSettled) return { kind: 'expired', late: true }
  if (state === 'open') return { kind: 'open', url: textOf(jsonOf(body.method)?.url ?? body.url) }
  return unknown('Easypay reports no clear status')
}

type AskedCustomer = Pick<rails.WalletPaymentRequest, 'key' | 'amount' | 'merchant' | 'intent'>

async function askCustomer(
  deps: Easypay,
  { key, amount, intent, merchant }: AskedCustomer,
  customer: { readonly method: 'cc' | 'mbw'; readonly customer: object },
  until: Instant,
  signal?: AbortSignal,
): Promise<Exclude<Decided, rails.NotReceived>> {
  const noted = { of: 'single', amount: String(amount), intent, askedAt: deps.clock.now(), until } as const
  const body = {
    ...{ key, ...customer, type: intent === 'hold' ? 'authorisation' : 'sale', currency: 'EUR' },
    value: Number(decimalText(amount)),
    ...(intent === 'sale' && { capture: { transaction_key: key, descriptive: merchant.name.slice(0, 60) } }),
  }
  const answer = await decided(deps, key, await ask(deps, { key, noted, body }, signal))
  return answer.kind === 'not_found' ? unknown('Easypay does not show the payment yet') : answer
}

async function inquire(deps: Easypay, key: string, signal?: AbortSignal): Promise<Decided> {
  return decided(deps, key, await payment(deps, key, signal))
}

const declined = <Decline extends string>(decline: Decline) => ({ kind: 'declined', decline }) as const

export function acquirerOf(deps: Easypay): rails.CardAcquirer {
  const follow = (of: MoveKind) => async (asked: rails.FollowUp | rails.Release, signal?: AbortSignal) => {
    const { merchant, currency, ...movement } = asked
    // No wallet has the number -1, so a follow-up in another currency finds no original and is declined.
    const walletId = currency === 'EUR' ? merchant.id : -1n
    return ofCardMove(of, await moves.move(deps, of, { ...movement, walletId }, signal))
  }
  async function moveKindOf(key: string): Promise<MoveKind | undefined> {
    const { of } = notedOf(await deps.requests.find(key)) ?? {}
    return of === 'single' || of === 'frequent' ? undefined : of
  }
  return {
    customers: {
      serves: () => true,
      hasCardForm: () => true,
      async authorize(asked, signal) {
        const { key, intent, card } = asked
        if (intent === 'verify' || card !== undefined) return declined('not_permitted')
        const until = after(deps.clock.now(), hour)
        const customer = { method: 'cc', customer: { key } } as const
        return ofCard(await askCustomer(deps, { ...asked, intent }, customer, until, signal))
      },
      inquire: async (key, signal) => ofCard(await inquire(deps, key, signal)),
    },
    // The API has no field for card numbers: the customer types them on Easypay's page.
    authorize: async () => declined('not_permitted'),
    ...{ capture: follow('capture'), release: follow('void'), refund: follow('refund') },
    async inquire(key, signal) {
      const of = await moveKindOf(key)
      if (of !== undefined) {
        const answer = await moves.inquireMove(deps, key, signal)
        return answer.kind === 'not_found' ? answer : ofCardMove(of, answer)
      }
      const answer = ofCard(await inquire(deps, key, signal))
      return answer.kind === 'customer' ? unknown('the customer is at the page') : answer
    },
    inquireHold: (key, signal) => moves.inquireHold(deps, key, signal),
    async cancel(key, signal) {
      const of = await moveKindOf(key)
      if (of !== undefined) return ofCardMove(of, await moves.cancelMove(deps, key, signal))
      const answer = ofCard(await decided(deps, key, await end(deps, key, signal)))
      // If the answer to the request was lost, no customer knows the address of the page.
      return answer.kind === 'not_found' || answer.kind === 'customer' ? declined('cancelled') : answer
    },
    reverse: async (reversal, signal) => ofCardMove('refund', await moves.reverse(deps, reversal, signal)),
  }
}

type CardAnswer = rails.AcquirerAnswer | rails.CustomerNeeded

function ofCard<Other extends Decided>(
  answer: Other,
): CardAnswer | (rails.NotReceived extends Other ? rails.NotReceived : never)
function ofCard(answer: Decided): CardAnswer | rails.NotReceived {
  if (answer.kind === 'approved' || answer.kind === 'unknown' || answer.kind === 'not_found') return answer
  if (answer.kind === 'refused') return declined('not_permitted')
  if (answer.kind !== 'open')
    return {
      ...declined(answer.kind === 'ended' ? 'cancelled' : 'do_not_honour'),
      mayArrive: answer.late === true,
    }
  const { url } = answer
  return url === undefined ? unknown('Easypay names no page') : { kind: 'customer', page: { url } }
}

function ofCardMove(of: MoveKind, answer: moves.MoveAnswer): rails.AcquirerAnswer {
  if (answer.kind === 'waiting') return unknown(`Easypay has not decided the ${of} yet`)
  if (answer.kind !== 'declined') return answer
  if (answer.decline !== 'exceeds')
    return declined(answer.decline === 'cancelled' ? 'cancelled' : 'not_permitted')
  return declined(of === 'refund' ? 'exceeds_payment' : 'exceeds_hold')
}

export function mobileWalletOf(deps: Easypay): rails.MobileWallet {
  const follow =
    (of: MoveKind) =>
    async ({ payment: original, ...asked }: rails.WalletFollowUp, signal?: AbortSignal) =>
      ofPhoneMove(await moves.move(deps, of, { ...asked, original }, signal))
  return {
    lacks: () => ['mandates', 'partial releases'],
    findCustomer: async () => ({ kind: 'unsupported' }),
    async requestPayment(asked, signal) {
      const { key, expires, phone, opens } = asked
      if (opens !== undefined) return declined('not_permitted')
      const isNew = (await deps.requests.find(key))?.steps.single === undefined
      if (isNew && deps.clock.now() >= expires) return declined('expired')
      const customer = { method: 'mbw', customer: { key, name: 'MB WAY', ...phoneOf(phone) } } as const
      return ofPhone(await askCustomer(deps, asked, customer, expires, signal))
    },
    async inquirePayment(key) {
      const answer = await inquire(deps, key)
      return answer.kind === 'not_found' ? answer : ofPhone(answer)
    },
    async withdrawPayment(key, signal) {
      const answer = await decided(deps, key, await end(deps, key, signal))
      // A lost request can still reach the phone, so a late approval is possible.
      return ofPhone(answer.kind === 'not_found' ? { kind: 'ended', late: true } : answer)
    },
    requestMandate: async () => declined('not_permitted'),
    withdrawMandate: async () => moves.notFound,
    mandateHistory: async () => moves.notFound,
    cancelMandate: async () => moves.notFound,
    ...{ capture: follow('capture'), release: follow('void'), refund: follow('refund') },
    async inquireFollowUp(key) {
      const answer = await moves.inquireMove(deps, key)
      return answer.kind === 'not_found' ? answer : ofPhoneMove(answer)
    },
    inquireHold: (key, signal) => moves.inquireHold(deps, key, signal),
    cancelFollowUp: async (key, signal) => ofPhoneMove(await moves.cancelMove(deps, key, signal)),
    reverse: async (reversal, signal) => ofPhoneMove(await moves.reverse(deps, reversal, signal)),
  }
}

const phoneDeclines = {
  ended: 'withdrawn',
  expired: 'expired',
  failed: 'refused',
  refused: 'refused',
} as const

function ofPhone(
  answer: Exclude<Decided, rails.NotReceived>,
): rails.WalletPaymentAnswer | rails.UnknownAnswer {
  if (answer.kind === 'open') return { kind: 'waiting' }
  if (answer.kind === 'approved') return { ...answer, byMandate: false }
  if (answer.kind === 'unknown') return answer
  return { ...declined(phoneDeclines[answer.kind]), ...(answer.late === true && { mayArrive: true }) }
}

function ofPhoneMove(answer: moves.MoveAnswer): rails.WalletFollowUpAnswer | rails.UnknownAnswer {
  if (answer.kind === 'waiting') return unknown('Easypay has not decided yet')
  if (answer.kind !== 'declined') return answer
  return declined(answer.decline === 'cancelled' ? 'withdrawn' : 'not_permitted')
}
