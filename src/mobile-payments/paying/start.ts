// Starting a payment by phone: operation, attempt and allowance are written together; the network is asked next.
import { newId } from '../../kernel/ids.ts'
import { lisbonDayOf } from '../../kernel/lisbon.ts'
import { RefusalError } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import { admitQuestion, answerUntil, reserveAllowance, usableMandates } from '../../mandates/index.ts'
import type { WantedMandate } from '../../rails/index.ts'
import type { Executor } from '../../storage/index.ts'
import type { MobilePaymentsDeps } from '../deps.ts'
import type { MobilePayment, MobilePaymentOrder } from '../model.ts'
import { nextInquiry } from '../rules.ts'
import { insertMobilePayment } from '../store.ts'
import { askNetwork } from './conclude.ts'

/**
 * Which mandate may stand for the customer's PIN: any that covers the amount, none, or exactly the one named.
 * Where any will do and none covers it, the customer is asked. Or a mandate is opened: then they are asked for it
 * together with the payment.
 */
export type MandateChoice =
  | { readonly kind: 'any' }
  | { readonly kind: 'none' }
  | { readonly kind: 'named'; readonly mandateId: string }
  | {
      readonly kind: 'opened'
      readonly subscriptionId: string
      readonly wanted: WantedMandate
      /** The end of the subscription, after which accepting it would mean nothing. */
      readonly latest: Instant | undefined
    }

export interface StartMobilePayment extends MobilePaymentOrder {
  /** The attempt's id, where it is known before. */
  readonly id?: string | undefined
  readonly mandate: MandateChoice
  /** Hands the operation to this attempt; false where it is not to be had, and then nothing is written. */
  open(tx: Executor, payment: MobilePayment): Promise<boolean>
}

/**
 * Starts an attempt and asks the network. Undefined when it was not to be had: its form was posted before, or
 * something else decides about the operation.
 *
 * Refusals, thrown: period_total_reached where the mandate named does not allow the amount; too_many_requests where
 * the phone, or the checkout, has been asked as often as it may.
 */
export async function startMobilePayment(
  deps: MobilePaymentsDeps,
  { mandate, open, ...order }: StartMobilePayment,
): Promise<MobilePayment | undefined> {
  const { database, clock, random } = deps
  const now = clock.now()
  const asked: MobilePayment = {
    ...order,
    id: order.id ?? newId(now, random),
    state: 'ASKED',
    expiresAt: answerUntil(now, mandate.kind === 'opened' ? mandate.latest : undefined),
    inquiries: 0,
    createdAt: now,
  }
  const payment = await database
    .transaction(async (tx) => {
      if (!(await open(tx, asked))) return undefined
      const covered: MobilePayment =
        mandate.kind === 'opened'
          ? { ...asked, opensMandateId: await openMandate(deps, tx, asked, mandate) }
          : { ...asked, mandateId: await reserveFor(tx, asked, mandate) }
      if (!(await insertMobilePayment(tx, covered, nextInquiry(covered, now)))) throw new PostedBefore()
      if (covered.mandateId === undefined) await admitQuestion(tx, questionOf(covered), now)
      return covered
    })
    .catch((error: unknown) => {
      if (error instanceof PostedBefore) return undefined
      throw error
    })
  if (payment !== undefined) await askNetwork(deps, payment, now)
  return payment
}

/** A checkout may ask so often, whatever becomes of it; a merchant that asks directly has its own limits. */
function questionOf({ walletId, phone, owner, operationId }: MobilePayment) {
  return { walletId, phone, subjectId: owner === 'checkout' ? operationId : undefined }
}

/** Takes back what was opened for a form that had been posted before. */
class PostedBefore extends Error {}

async function openMandate(
  { mandates }: MobilePaymentsDeps,
  tx: Executor,
  { walletId, phone, expiresAt }: MobilePayment,
  { subscriptionId, wanted }: Extract<MandateChoice, { kind: 'opened' }>,
): Promise<string> {
  const asked = { walletId, subscriptionId, phone, wanted, askedUntil: expiresAt }
  return (await mandates.withPayments.open(tx, asked)).id
}

/** The mandate whose allowance was reserved, if one was. */
async function reserveFor(
  tx: Executor,
  { walletId, id, phone, amount, createdAt }: MobilePayment,
  choice: Exclude<MandateChoice, { kind: 'opened' }>,
): Promise<string | undefined> {
  if (choice.kind === 'none') return undefined
  const today = lisbonDayOf(createdAt)
  const candidates =
    choice.kind === 'named' ? [choice.mandateId] : await usableMandates(tx, walletId, phone, amount, today)
  for (const mandateId of candidates) {
    if (await reserveAllowance(tx, { walletId, mandateId, id, amount }, today, createdAt)) return mandateId
  }
  if (choice.kind === 'any') return undefined
  throw new RefusalError({
    kind: 'period_total_reached',
    reason:
      'mandate_id does not allow the amount this month, or has just been changed: read the mandate again',
  })
}
