// The sandbox's mobile wallet as a rail.
import { lisbonDayOf, startOfLisbonDay } from '../../src/kernel/lisbon.ts'
import { type Instant, instant } from '../../src/kernel/time.ts'
import type {
  MobileWallet,
  NotReceived,
  WalletFollowUp,
  WalletFollowUpAnswer,
  WalletMandateRequest,
  WalletPaymentAnswer,
  WalletPaymentRequest,
} from '../../src/rails/index.ts'
import type { Executor } from '../../src/storage/index.ts'
import { newReference, type PhoneContext } from './context.ts'
import {
  type FollowUpKind,
  type FollowUpRow,
  findFollowUp,
  leftToMove,
  recordCancelledFollowUp,
  recordFollowUp,
  recordReversal,
} from './follow-ups-store.ts'
import { pinTriesLeft } from './locks-store.ts'
import { findPhoneMandate, isUsable, listChanges, recordChange, recordMandate } from './mandates-store.ts'
import { isRegistered, type PhoneRequest } from './model.ts'
import {
  findRequest,
  findRequestOfMandate,
  recordExpiry,
  recordRequest,
  recordWithdrawal,
  recordWithdrawn,
} from './store.ts'

export function monthStart(now: Instant): Instant {
  return startOfLisbonDay(`${lisbonDayOf(now).slice(0, 7)}-01`)
}

export function createMobileWallet(context: PhoneContext): MobileWallet {
  const { database, clock } = context

  const move = (kind: FollowUpKind) => (followUp: WalletFollowUp, signal?: AbortSignal) =>
    moveMoney(context, kind, followUp, signal)

  return {
    findCustomer: async (phone) => ({ kind: isRegistered(phone) ? 'registered' : 'not_registered' }),
    requestPayment: (request, signal) => askForPayment(context, request, signal),
    inquirePayment: (key) => inquire(context, key),
    async withdrawPayment(key, signal) {
      await database.connected(async (db) => {
        signal?.throwIfAborted()
        await recordWithdrawn(db, key, clock.now())
      })
      await withdraw(context, key)
      return inquire(context, key)
    },
    async requestMandate(request, signal) {
      if (!isRegistered(request.phone)) return { kind: 'declined', decline: 'not_registered' }
      await database.transaction(async (tx) => {
        signal?.throwIfAborted()
        const now = clock.now()
        const asked = await unlessLocked(tx, requestOf(request, 'mandate', now))
        await recordWithMandate(tx, asked, now)
      })
      return { kind: 'waiting' }
    },
    async withdrawMandate(key, signal) {
      signal?.throwIfAborted()
      await withdraw(context, key)
      const request = await findRequest(database, key)
      if (request === undefined) return { kind: 'not_found' }
      return { kind: request.state === 'withdrawn' ? 'withdrawn' : 'over' }
    },
    async mandateHistory(key, afterVersion) {
      await expireMandate(context, key)
      const mandate = await findPhoneMandate(database, key, monthStart(clock.now()))
      if (mandate === undefined) return { kind: 'not_found' }
      return { kind: 'changes', changes: await listChanges(database, key, afterVersion) }
    },
    async cancelMandate(key) {
      const now = clock.now()
      const mandate = await findPhoneMandate(database, key, monthStart(now))
      if (mandate === undefined) return { kind: 'not_found' }
      // The customer has not answered the mandate yet, so its request is cancelled.
      if (mandate.state === 'requested') await withdraw(context, key)
      else await recordChange(database, key, 'cancelled', undefined, now)
      return { kind: 'cancelled' }
    },
    capture: move('capture'),
    release: move('release'),
    refund: move('refund'),
    async inquireFollowUp(key) {
      const row = await findFollowUp(database, key)
      return row === undefined ? { kind: 'not_found' } : followUpAnswer(row)
    },
    async cancelFollowUp(key, signal) {
      return database.connected(async (db) => {
        signal?.throwIfAborted()
        await recordCancelledFollowUp(db, key, clock.now())
        return presentFollowUp(db, key)
      })
    },
    async reverse({ key, original }, signal) {
      const reversed = await database.transaction(async (tx) => {
        signal?.throwIfAborted()
        return recordReversal(tx, key, original)
      })
      return reversed === undefined
        ? { kind: 'declined', decline: 'not_permitted' }
        : { kind: 'approved', reference: reversed.reference }
    },
  }
}

async function inquire(context: PhoneContext, key: string): Promise<WalletPaymentAnswer | NotReceived> {
  await expireRequest(context, key)
  const request = await findRequest(context.database, key)
  return request === undefined ? { kind: 'not_found' } : answerOf(request)
}

/** Ends an open request, and the mandate that it asks for. */
async function withdraw({ database, clock }: PhoneContext, key: string): Promise<void> {
  const now = clock.now()
  await database.transaction(async (tx) => {
    if (!(await recordWithdrawal(tx, key, now))) return
    const mandate = (await findRequest(tx, key))?.mandate
    if (mandate !== undefined) await recordChange(tx, mandate, 'expired', undefined, now)
  })
}

async function askForPayment(
  { database, clock, random }: PhoneContext,
  request: WalletPaymentRequest,
  signal?: AbortSignal,
): Promise<WalletPaymentAnswer> {
  if (!isRegistered(request.phone)) return { kind: 'declined', decline: 'not_registered' }
  const now = clock.now()
  const kind = request.intent === 'sale' ? 'payment' : 'authorization'
  const recorded = await database.transaction(async (tx) => {
    signal?.throwIfAborted()
    const asked = await unlessLocked(tx, requestOf(request, kind, now))
    const payment = { ...asked, amount: request.amount, currency: request.currency }
    const { mandate, opens } = request
    const covered =
      mandate !== undefined &&
      opens === undefined &&
      asked.state === 'pending' &&
      (await isUsable(tx, mandate, payment, lisbonDayOf(now)))
    const approval = { state: 'approved', byMandate: mandate, reference: newReference(random) } as const
    return recordWithMandate(tx, covered ? { ...payment, ...approval } : payment, now)
  })
  return answerOf(recorded)
}

/** A locked phone refuses a request at once. */
async function unlessLocked(tx: Executor, request: PhoneRequest): Promise<PhoneRequest> {
  const isLocked = request.state === 'pending' && (await pinTriesLeft(tx, request.phone)) === 0
  return isLocked ? { ...request, state: 'refused' } : request
}

async function recordWithMandate(tx: Executor, request: PhoneRequest, now: Instant): Promise<PhoneRequest> {
  const recorded = await recordRequest(tx, request)
  await recordMandate(tx, recorded)
  const { mandate, state } = recorded
  if (mandate !== undefined && state === 'refused') await recordChange(tx, mandate, state, undefined, now)
  return recorded
}

/** If a request arrives after its time, the phone does not show it. */
function requestOf(
  request: WalletPaymentRequest | WalletMandateRequest,
  kind: PhoneRequest['kind'],
  now: Instant,
): PhoneRequest {
  return {
    key: request.key.toLowerCase(),
    phone: request.phone,
    kind,
    merchantId: request.merchant.id,
    merchantName: request.merchant.name,
    ...mandateOf(request),
    state: now < request.expires ? 'pending' : 'expired',
    createdAt: now,
    expiresAt: instant(request.expires),
  }
}

function mandateOf(
  request: WalletPaymentRequest | WalletMandateRequest,
): Pick<PhoneRequest, 'mandate' | 'mandateType' | 'wanted'> {
  if ('kind' in request) {
    return { mandate: request.key.toLowerCase(), mandateType: request.kind, wanted: request.wanted }
  }
  const { opens } = request
  if (opens === undefined) return {}
  return { mandate: opens.key.toLowerCase(), mandateType: 'SUBSCRIPTION', wanted: opens.wanted }
}

function answerOf({ state, reference = '', byMandate }: PhoneRequest): WalletPaymentAnswer {
  if (state === 'pending') return { kind: 'waiting' }
  if (state === 'approved') return { kind: 'approved', reference, byMandate: byMandate !== undefined }
  return { kind: 'declined', decline: state }
}

/** Ends a request whose time is over, and the mandate that it asks for. */
export async function expireRequest(context: PhoneContext, key: string): Promise<void> {
  const { database, clock } = context
  await recordExpiry(database, key, clock.now())
  const mandate = (await findRequest(database, key))?.mandate
  if (mandate !== undefined) await expireMandate(context, mandate)
}

/** Ends a mandate after its last day, or if nobody answered its request in time. */
export async function expireMandate({ database, clock }: PhoneContext, key: string): Promise<void> {
  const now = clock.now()
  await database.transaction(async (tx) => {
    const mandate = await findPhoneMandate(tx, key, monthStart(now))
    if (mandate === undefined) return
    const { state, expiryDate } = mandate
    const pastLastDay = expiryDate !== undefined && expiryDate < lisbonDayOf(now)
    if (pastLastDay || (state === 'requested' && (await isUnanswered(tx, key, now))))
      await recordChange(tx, key, 'expired', undefined, now)
  })
}

async function isUnanswered(tx: Executor, mandate: string, now: Instant): Promise<boolean> {
  const request = await findRequestOfMandate(tx, mandate)
  if (request === undefined) return false
  return (await recordExpiry(tx, request.key, now)) || request.state === 'expired'
}

async function moveMoney(
  { database, clock, random }: PhoneContext,
  kind: FollowUpKind,
  { key, payment, amount }: WalletFollowUp,
  signal?: AbortSignal,
): Promise<WalletFollowUpAnswer> {
  return database.transaction(async (tx) => {
    signal?.throwIfAborted()
    // The lock comes first, so that a repeated key finds the result of the first call.
    const left = await leftToMove(tx, kind, payment)
    const known = await findFollowUp(tx, key)
    if (known !== undefined) return followUpAnswer(known)
    const allowed = amount > 0n && amount <= left
    const row = allowed
      ? { reference: newReference(random), decline: null }
      : { reference: null, decline: 'not_permitted' }
    const isNew = amount <= 0n || (await recordFollowUp(tx, { key, payment, kind, amount }, row, clock.now()))
    return isNew ? followUpAnswer(row) : presentFollowUp(tx, key)
  })
}

async function presentFollowUp(db: Executor, key: string): Promise<WalletFollowUpAnswer> {
  const row = await findFollowUp(db, key)
  if (row === undefined) throw new Error(`the request ${key} was not recorded`)
  return followUpAnswer(row)
}

function followUpAnswer({ reference, decline }: FollowUpRow): WalletFollowUpAnswer {
  if (reference !== null) return { kind: 'approved', reference }
  return { kind: 'declined', decline: decline === 'withdrawn' ? decline : 'not_permitted' }
}
