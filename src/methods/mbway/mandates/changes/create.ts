// Requests for mandates, sent to the customer's phone.
import {
  type Created,
  claimOf,
  createdWithClaim,
  type IdempotencyKey,
} from '../../../../idempotency/index.ts'
import type { Cents } from '../../../../kernel/money.ts'
import { newId } from '../../../../kernel/random.ts'
import { deny, ok, type Result, refuse, unwrap } from '../../../../kernel/result.ts'
import type { Instant } from '../../../../kernel/time.ts'
import { callRail, type MobileWallet, type WantedMandate } from '../../../../rails/index.ts'
import type { Executor } from '../../../../storage/index.ts'
import { unavailableReason } from '../../../../wallets/index.ts'
import type { MbwayDeps } from '../../deps.ts'
import { mbway } from '../../facts.ts'
import { openSubscription } from '../../subscriptions/follow-mandates.ts'
import type { Mandate, MandateType } from '../model.ts'
import { admitQuestion } from '../questions.ts'
import { answerUntil, nextInquiry } from '../rules.ts'
import { insertMandate } from '../store.ts'
import { askCustomer } from './follow.ts'

export interface MandateDraft {
  readonly type: MandateType
  readonly phone: string
  readonly clientName?: string | undefined
  readonly urlCallback?: string | undefined
}

export async function requestMandate(
  deps: MbwayDeps,
  walletId: bigint,
  draft: MandateDraft,
  key: IdempotencyKey | undefined,
): Promise<Created | undefined> {
  const wallet = await deps.wallets.get(walletId)
  if (wallet.unserved?.includes(mbway.code) === true)
    return deny('access_denied', unavailableReason(wallet, mbway.code))
  if (deps.mobileWallet.lacks?.(walletId).includes('mandates'))
    return deny(
      'access_denied',
      'the wallet’s provider of MBWAY has no mandates: the customer approves each payment on the phone',
    )
  if (draft.type === 'SUBSCRIPTION' && !wallet.subscriptionMethods.includes(mbway.code))
    return deny('access_denied', 'the wallet has no subscriptions by MBWAY: ask the operator of the gateway')
  unwrap(await registered(deps.mobileWallet, draft.phone, 'phone'))
  const subscriptionId = draft.type === 'SUBSCRIPTION' ? newId(deps.clock.now(), deps.random) : undefined
  const mandate = { ...newMandate(deps, walletId, draft, subscriptionId), requestId: key?.requestId }
  const body = requestedOnWire(mandate)
  const claim = claimOf(key, { resourceId: mandate.id, href: `/api/v2/mandate/mbway/${mandate.id}`, body })
  const written = await deps.database.transaction(async (tx) => {
    if (!(await insertMandate(tx, mandate, claim, firstLook(mandate)))) return false
    await admitQuestion(tx, mandate, mandate.createdAt)
    if (subscriptionId !== undefined) await openSubscription(tx, mandate)
    return true
  })
  if (written) await askCustomer(deps, mandate)
  return createdWithClaim(written, body)
}

export interface SubscriptionAsked {
  readonly walletId: bigint
  readonly subscriptionId: string
  readonly phone: string
  readonly wanted: WantedMandate
  readonly latest: Instant | undefined
  open(tx: Executor, mandate: Mandate): Promise<boolean>
}

/** Returns undefined if the subscription is not open any more. Throws the refusal too_many_requests. */
export async function askForSubscription(
  deps: MbwayDeps,
  { walletId, subscriptionId, phone, wanted, latest, open }: SubscriptionAsked,
): Promise<Mandate | undefined> {
  const draft = { type: 'SUBSCRIPTION', phone, wanted } as const
  const proposed = newMandate(deps, walletId, draft, subscriptionId)
  const mandate = { ...proposed, askedUntil: answerUntil(proposed.createdAt, latest) }
  const written = await deps.database.transaction(async (tx) => {
    if (!(await open(tx, mandate))) return false
    if (!(await insertMandate(tx, mandate, undefined, firstLook(mandate)))) return false
    await admitQuestion(tx, { walletId, phone, subjectId: subscriptionId }, mandate.createdAt)
    return true
  })
  if (!written) return undefined
  await askCustomer(deps, mandate)
  return mandate
}

export function newMandate(
  { clock, random }: MbwayDeps,
  walletId: bigint,
  draft: MandateDraft & Pick<Mandate, 'wanted'>,
  subscriptionId: string | undefined,
): Mandate {
  const now = clock.now()
  return {
    ...draft,
    id: newId(now, random),
    walletId,
    state: 'REQUESTED',
    subscriptionId,
    limit: 0n as Cents,
    used: 0n as Cents,
    version: 0,
    askedUntil: answerUntil(now, undefined),
    inquiries: 0,
    awaitsPayment: false,
    withdrawn: false,
    createdAt: now,
    modifiedAt: now,
  }
}

/** When to ask the network if no notice arrives. */
export function firstLook(mandate: Mandate): Instant {
  return nextInquiry(mandate, mandate.createdAt) ?? mandate.askedUntil
}

export async function registered(
  mobileWallet: MobileWallet,
  phone: string,
  field: string,
): Promise<Result<string>> {
  const { kind } = await callRail(() => mobileWallet.findCustomer(phone))
  if (kind === 'registered' || kind === 'unsupported') return ok(phone)
  return kind === 'unknown'
    ? refuse('rail_unavailable', 'the mobile wallet did not answer: send the request again in a moment')
    : refuse('invalid_parameter', `${field} ${phone} is not registered with the mobile wallet`)
}

function requestedOnWire({ id, subscriptionId }: Mandate): string {
  return JSON.stringify({
    state: 'REQUESTED',
    mandate_id: id,
    ...(subscriptionId === undefined ? {} : { subscription_id: subscriptionId }),
  })
}
