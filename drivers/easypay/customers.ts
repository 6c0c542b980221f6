// Cards on Easypay's page and MB WAY: payments that the customer decides.
import { decimalText } from '../../src/kernel/money.ts'
import { after, hour, type Instant } from '../../src/kernel/time.ts'
import type * as rails from '../../src/rails/index.ts'
import {
  cancelMove,
  inquireHold,
  inquireMove,
  type MoveAnswer,
  move,
  notFound,
  reverse,
  settledAfterMs,
} from './movements.ts'
import {
  ask,
  type Easypay,
  end,
  type Found,
  type MoveKind,
  notedOf,
  payment,
  type Shown,
  unknown,
} from './payments.ts'
import { jsonOf, phoneOf, textOf } from './rules.ts'

/** `late`: nobody confirms the end, so a late approval is reversed. */
type Decided =
  | { readonly kind: 'approved'; readonly reference: string }
  | { readonly kind: 'open'; readonly url: string | undefined }
  | { readonly kind: 'refused' | 'failed' | 'ended' | 'expired'; readonly late?: boolean }
  | rails.UnknownAnswer
  | rails.NotReceived

/** @param isEnded whether we tried to end it */
function decided(known: Found, isEnded: boolean, now: Instant): Decided {
  if (known.kind === 'none') return notFound
  if (known.kind === 'declined') return { kind: known.decline === 'cancelled' ? 'ended' : 'refused' }
  return known.kind === 'unknown' ? known : shownBy(known, isEnded, now)
}

function shownBy({ state, id, body, noted }: Shown, isEnded: boolean, now: Instant): Decided {
  const { until = now, intent } = noted
  const isSettled = now >= after(until, settledAfterMs)
  switch (state) {
    case 'paid':
    case 'held':
      if (state === 'held' && intent === 'sale') break
      return { kind: 'approved', reference: id }
    case 'failed':
      return { kind: isEnded ? 'ended' : now >= until ? 'expired' : 'failed' }
    case 'gone':
      return { kind: isEnded ? 'ended' : 'expired' }
    case 'open':
      if (isEnded) return { kind: 'ended', late: true }
      if (!isSettled) return { kind: 'open', url: textOf(jsonOf(body.method)?.url ?? body.url) }
  }
  return isSettled ? { kind: 'expired', late: true } : unknown('Easypay reports no clear status')
}

interface AskedCustomer extends Pick<rails.CustomerAuthorization, 'key' | 'amount' | 'merchant'> {
  readonly intent: 'sale' | 'hold'
}

/** Asks once, and answers the state. */
async function askCustomer(
  deps: Easypay,
  { key, amount, intent, merchant }: AskedCustomer,
  more: { readonly method: 'cc' | 'mbw'; readonly customer: object; readonly until: Instant },
  signal?: AbortSignal,
): Promise<Decided> {
  const { method, customer, until } = more
  const noted = { of: 'single', amount: String(amount), intent, askedAt: deps.clock.now(), until } as const
  const body = {
    ...{ key, method, type: intent === 'hold' ? 'authorisation' : 'sale', currency: 'EUR', customer },
    value: Number(decimalText(amount)),
    ...(intent === 'sale' && { capture: { transaction_key: key, descriptive: merchant.name.slice(0, 60) } }),
  }
  const known = await ask(deps, { key, noted, body }, signal)
  return decided(known, await isEnded(deps, key), deps.clock.now())
}

async function inquire(deps: Easypay, key: string, signal?: AbortSignal): Promise<Decided> {
  return decided(await payment(deps, key, signal), await isEnded(deps, key), deps.clock.now())
}

async function isEnded({ requests }: Easypay, key: string): Promise<boolean> {
  return (await requests.find(key))?.steps.cancel !== undefined
}

async function moveKindOf({ requests }: Easypay, key: string): Promise<MoveKind | undefined> {
  const { of } = notedOf(await requests.find(key)) ?? {}
  return of === 'single' || of === 'frequent' ? undefined : of
}

const declined = <Decline extends string>(decline: Decline) => ({ kind: 'declined', decline }) as const

export function acquirerOf(deps: Easypay): rails.CardAcquirer {
  const follow = (of: MoveKind) => async (asked: rails.FollowUp | rails.Release, signal?: AbortSignal) => {
    const { key, original, amount, merchant, currency } = asked
    // A follow-up in another currency finds no original.
    const walletId = currency === 'EUR' ? merchant.id : -1n
    return ofCardMove(of, await move(deps, of, { key, original, amount, walletId }, signal))
  }
  return {
    customers: {
      serves: () => true,
      hasCardForm: () => true,
      async authorize(asked, signal) {
        const { intent, card } = asked
        if (intent === 'verify' || card !== undefined) return declined('not_permitted')
        const more = {
          method: 'cc',
          customer: { key: asked.key },
          until: after(deps.clock.now(), hour),
        } as const
        const answer = ofCard(await askCustomer(deps, { ...asked, intent }, more, signal))
        return answer.kind === 'not_found' ? unknown('Easypay does not show the payment yet') : answer
      },
      inquire: async (key, signal) => ofCard(await inquire(deps, key, signal)),
    },
    // Card numbers never reach Easypay's API.
    authorize: async () => declined('not_permitted'),
    capture: follow('capture'),
    release: follow('void'),
    refund: follow('refund'),
    async inquire(key, signal) {
      const of = await moveKindOf(deps, key)
      if (of !== undefined) {
        const answer = await inquireMove(deps, key, signal)
        return answer.kind === 'not_found' ? answer : ofCardMove(of, answer)
      }
      const answer = ofCard(await inquire(deps, key, signal))
      return answer.kind === 'customer' ? unknown('the customer is at the page') : answer
    },
    inquireHold: (key, signal) => inquireHold(deps, key, signal),
    async cancel(key, signal) {
      const of = await moveKindOf(deps, key)
      if (of !== undefined) return ofCardMove(of, await cancelMove(deps, key, signal))
      const answer = ofCard(decided(await end(deps, key, signal), true, deps.clock.now()))
      // Nobody has the address of a page whose answer was lost.
      return answer.kind === 'not_found' || answer.kind === 'customer' ? declined('cancelled') : answer
    },
    reverse: async (reversal, signal) => ofCardMove('refund', await reverse(deps, reversal, signal)),
  }
}

function ofCard(answer: Decided): rails.AcquirerAnswer | rails.CustomerNeeded | rails.NotReceived {
  switch (answer.kind) {
    case 'open':
      return answer.url === undefined
        ? unknown('Easypay names no page')
        : { kind: 'customer', page: { url: answer.url } }
    case 'ended':
      return { ...declined('cancelled'), mayArrive: answer.late === true }
    case 'failed':
    case 'expired':
      return { ...declined('do_not_honour'), mayArrive: answer.late === true }
    case 'refused':
      return declined('not_permitted')
    default:
      return answer
  }
}

function ofCardMove(of: MoveKind, answer: MoveAnswer): rails.AcquirerAnswer {
  if (answer.kind === 'waiting') return unknown(`Easypay has not decided the ${of} yet`)
  if (answer.kind !== 'declined') return answer
  if (answer.decline === 'cancelled') return declined('cancelled')
  if (answer.decline !== 'exceeds') return declined('not_permitted')
  return declined(of === 'refund' ? 'exceeds_payment' : 'exceeds_hold')
}

export function mobileWalletOf(deps: Easypay): rails.MobileWallet {
  const { clock, requests } = deps
  const follow = (of: MoveKind) => async (asked: rails.WalletFollowUp, signal?: AbortSignal) =>
    ofPhoneMove(await move(deps, of, { ...asked, original: asked.payment }, signal))
  return {
    lacks: () => ['mandates', 'partial releases'],
    findCustomer: async () => ({ kind: 'unsupported' }),
    async requestPayment(asked, signal) {
      const { key, expires: until, phone, opens } = asked
      if (opens !== undefined) return declined('not_permitted')
      if (clock.now() >= until && (await requests.find(key))?.steps.single === undefined)
        return declined('expired')
      const more = { method: 'mbw', customer: { key, name: 'MB WAY', ...phoneOf(phone) }, until } as const
      const answer = ofPhone(await askCustomer(deps, asked, more, signal))
      return answer.kind === 'not_found' ? unknown('Easypay does not show the request yet') : answer
    },
    inquirePayment: async (key) => ofPhone(await inquire(deps, key)),
    async withdrawPayment(key, signal) {
      const answer = ofPhone(decided(await end(deps, key, signal), true, clock.now()))
      // A lost request can still reach the phone.
      return answer.kind === 'not_found' ? { ...declined('withdrawn'), mayArrive: true } : answer
    },
    requestMandate: async () => declined('not_permitted'),
    withdrawMandate: async () => notFound,
    mandateHistory: async () => notFound,
    cancelMandate: async () => notFound,
    capture: follow('capture'),
    release: follow('void'),
    refund: follow('refund'),
    async inquireFollowUp(key) {
      const answer = await inquireMove(deps, key)
      return answer.kind === 'not_found' ? answer : ofPhoneMove(answer)
    },
    inquireHold: (key, signal) => inquireHold(deps, key, signal),
    cancelFollowUp: async (key, signal) => ofPhoneMove(await cancelMove(deps, key, signal)),
    reverse: async (reversal, signal) => ofPhoneMove(await reverse(deps, reversal, signal)),
  }
}

const phoneDeclines = {
  ended: 'withdrawn',
  expired: 'expired',
  failed: 'refused',
  refused: 'refused',
} as const

function ofPhone(answer: Decided): rails.WalletPaymentAnswer | rails.UnknownAnswer | rails.NotReceived {
  if (answer.kind === 'open') return { kind: 'waiting' }
  if (answer.kind === 'approved') return { ...answer, byMandate: false }
  if (answer.kind === 'unknown' || answer.kind === 'not_found') return answer
  return { ...declined(phoneDeclines[answer.kind]), ...(answer.late === true && { mayArrive: true }) }
}

function ofPhoneMove(answer: MoveAnswer): rails.WalletFollowUpAnswer | rails.UnknownAnswer {
  if (answer.kind === 'waiting') return unknown('Easypay has not decided yet')
  if (answer.kind !== 'declined') return answer
  return declined(answer.decline === 'cancelled' ? 'withdrawn' : 'not_permitted')
}
