// Actions of a customer on the phone. Each is stored before the gateway gets a notice.
import { isUuid } from '../../src/kernel/random.ts'
import { ok, type Result, refuse } from '../../src/kernel/result.ts'
import type { Instant } from '../../src/kernel/time.ts'
import { newReference, type PhoneContext, type SendNotice } from './context.ts'
import { countWrongPin, forgetWrongPins, pinTriesLeft } from './locks-store.ts'
import { findPhoneMandate, listPhoneMandates, recordChange } from './mandates-store.ts'
import {
  type ChangeKind,
  type MandateTerms,
  type PhoneMandate,
  type PhoneRequest,
  sandboxPin,
  wrongPinsMax,
} from './model.ts'
import { findRequest, listOverdue, listRequests, recordAnswer } from './store.ts'
import { suggestedTerms, type TermsChange, termsOf } from './terms.ts'
import { expireMandate, expireRequest, monthStart } from './wallet.ts'

const shownMax = 50

export interface Customer {
  look(phone: string): Promise<{ requests: PhoneRequest[]; mandates: PhoneMandate[]; pinTriesLeft: number }>
  /**
   * The third wrong PIN locks the phone and refuses the request. Refusals: invalid_parameter; pin_retries_exhausted
   * if the phone is locked.
   */
  enterPin(phone: string, key: string, pin: string): Promise<Result<void>>
  unlock(phone: string): Promise<void>
  /**
   * Approves or refuses a request. Refusals: not_found, illegal_state if it was answered or has expired,
   * invalid_parameter for the terms, pin_retries_exhausted for an approval on a locked phone.
   */
  answer(
    phone: string,
    key: string,
    answer: { readonly kind: 'approve'; readonly terms: TermsChange } | { readonly kind: 'refuse' },
  ): Promise<Result<PhoneRequest>>
  /** Changes a mandate. Refusals: not_found, illegal_state, or invalid_parameter for the terms. */
  change(
    phone: string,
    key: string,
    change: 'update' | 'suspend' | 'resume' | 'cancel',
    terms: TermsChange,
  ): Promise<Result<PhoneMandate>>
}

const changeKinds = {
  update: 'updated',
  suspend: 'suspended',
  resume: 'resumed',
  cancel: 'cancelled',
} as const satisfies Record<string, ChangeKind>

export function createCustomer(context: PhoneContext, notify: SendNotice): Customer {
  const { database, clock, random } = context

  async function answer(
    ...[phone, key, given]: Parameters<Customer['answer']>
  ): Promise<Result<PhoneRequest>> {
    const request = isUuid(key) ? await findRequest(database, key.toLowerCase()) : undefined
    if (request?.phone !== phone) return refuse('not_found', `${phone} has no request ${key}`)
    const now = clock.now()
    const { mandate, wanted } = request
    const terms =
      mandate !== undefined && given.kind === 'approve'
        ? termsOf(given.terms, suggestedTerms(wanted, now), now, wanted?.from)
        : ok(undefined)
    if (!terms.ok) return terms
    const state = given.kind === 'approve' ? 'approved' : 'refused'
    const reference = state === 'approved' ? newReference(random) : undefined
    const answered = await database.transaction(async (tx) => {
      const decided = await recordAnswer(tx, request, state, reference, now)
      if (decided !== undefined && mandate !== undefined)
        await recordChange(tx, mandate, state, terms.value, now)
      return decided
    })
    await notify({ kind: request.kind === 'mandate' ? 'mandate' : 'payment', key: request.key })
    if (answered !== undefined) return ok(answered)
    const late = request.state === 'pending' ? 'its time is over' : `it is over: ${request.state}`
    return refuse('illegal_state', `the request cannot be answered any more: ${late}`)
  }

  async function enterPin(phone: string, key: string, pin: string): Promise<Result<void>> {
    if (pin === sandboxPin) {
      await forgetWrongPins(database, phone, false)
      return ok(undefined)
    }
    const left = await countWrongPin(database, phone)
    if (left > 0)
      return refuse(
        'invalid_parameter',
        `pin is not right: ${left} more can be typed before the phone is locked`,
      )
    await answer(phone, key, { kind: 'refuse' })
    return lockedRefusal(phone)
  }

  async function change(
    ...[phone, key, kind, asked]: Parameters<Customer['change']>
  ): Promise<Result<PhoneMandate>> {
    const now = clock.now()
    const find = () => findPhoneMandate(database, key.toLowerCase(), monthStart(now))
    const mandate = isUuid(key) ? await find() : undefined
    if (mandate?.phone !== phone) return refuse('not_found', `${phone} has no mandate ${key}`)
    await expireMandate(context, mandate.key)
    const terms = kind === 'update' ? termsOf(asked, presentTerms(mandate, now), now) : ok(undefined)
    if (!terms.ok) return terms
    // A requested mandate is not changed: the customer answers its request.
    const changed =
      mandate.state !== 'requested' &&
      (await recordChange(database, mandate.key, changeKinds[kind], terms.value, now))
    await notify({ kind: 'mandate', key: mandate.key })
    const fresh = (await find()) ?? mandate
    return changed ? ok(fresh) : refuse('illegal_state', `a mandate that is ${fresh.state} has no ${kind}`)
  }

  return {
    async look(phone) {
      const now = clock.now()
      for (const key of await listOverdue(database, phone, now)) {
        await expireRequest(context, key)
      }
      return {
        requests: await listRequests(database, phone, shownMax),
        mandates: await listPhoneMandates(database, phone, monthStart(now), shownMax),
        pinTriesLeft: await pinTriesLeft(database, phone),
      }
    },
    enterPin,
    unlock: (phone) => forgetWrongPins(database, phone, true),
    async answer(phone, key, given) {
      const isLocked = given.kind === 'approve' && (await pinTriesLeft(database, phone)) === 0
      return isLocked ? lockedRefusal(phone) : answer(phone, key, given)
    },
    change,
  }
}

function lockedRefusal(phone: string) {
  return refuse(
    'pin_retries_exhausted',
    `${phone} is locked after ${wrongPinsMax} wrong PINs: unlock it first`,
  )
}

/** The terms of the mandate. Before its approval these are the terms that the app suggests. */
function presentTerms({ limit, expiryDate }: PhoneMandate, now: Instant): MandateTerms {
  const suggested = suggestedTerms(undefined, now)
  return { limit: limit ?? suggested.limit, expiryDate: expiryDate ?? suggested.expiryDate }
}
