// Start of a payment by phone: written with its allowance, then sent.

import { lisbonDayOf } from '../../../kernel/lisbon.ts'
import { newId } from '../../../kernel/random.ts'
import { RefusalError } from '../../../kernel/result.ts'
import type { Instant } from '../../../kernel/time.ts'
import { type CustomerEngine, firstInquiry } from '../../../operations/for-methods.ts'
import type { WantedMandate } from '../../../rails/index.ts'
import type { Executor } from '../../../storage/index.ts'
import type { MbwayDeps } from '../deps.ts'
import { mbway } from '../facts.ts'
import { reserveAllowance, usableMandates } from '../mandates/allowances-store.ts'
import { openMandateWithPayment } from '../mandates/changes/with-payments.ts'
import { admitQuestion } from '../mandates/questions.ts'
import { answerUntil } from '../mandates/rules.ts'
import type { MobilePayment, PhoneDetails } from './attempts.ts'

/**
 * `any`: uses a mandate that covers the amount, otherwise the customer is asked. `opened`: the customer
 * approves a new mandate with the payment.
 */
export type MandateChoice =
  | { readonly kind: 'any' }
  | { readonly kind: 'none' }
  | { readonly kind: 'named'; readonly mandateId: string }
  | {
      readonly kind: 'opened'
      readonly subscriptionId: string
      readonly wanted: WantedMandate
      readonly latest: Instant | undefined
    }

export interface StartMobilePayment
  extends Pick<
    MobilePayment,
    'walletId' | 'operationId' | 'type' | 'owner' | 'pageToken' | 'merchantName' | 'amount' | 'currency'
  > {
  readonly phone: string
  readonly key?: string | undefined
  readonly mandate: MandateChoice
  readonly open?: ((tx: Executor) => Promise<boolean>) | undefined
}

/**
 * Returns undefined if the form was posted before, or a rail is deciding. Throws period_total_reached for the
 * named mandate, and too_many_requests for the phone or the checkout.
 */
export async function startMobilePayment(
  deps: MbwayDeps,
  engine: CustomerEngine<PhoneDetails>,
  { mandate, open, phone, key, ...order }: StartMobilePayment,
): Promise<MobilePayment | undefined> {
  const { clock, random } = deps
  const now = clock.now()
  const asked: MobilePayment = {
    ...order,
    key: key ?? newId(now, random),
    method: mbway.code,
    state: 'ASKED',
    tries: 0,
    details: { phone },
    expiresAt: answerUntil(now, mandate.kind === 'opened' ? mandate.latest : undefined),
    createdAt: now,
    modifiedAt: now,
  }
  const payment = await engine.begin(asked, {
    dueAt: firstInquiry(now),
    insertTarget: open,
    prepare: async (tx) => ({
      ...asked,
      details: { phone, ...(await mandatesOf(deps, tx, asked, mandate)) },
    }),
    async afterInsert(tx, written) {
      if (written.details.mandateId === undefined) await admitQuestion(tx, questionOf(written), now)
    },
  })
  if (payment !== undefined) await engine.send(payment, now)
  return payment
}

function questionOf({ walletId, details: { phone }, owner, operationId }: MobilePayment) {
  return { walletId, phone, subjectId: owner === 'checkout' ? operationId : undefined }
}

async function mandatesOf(
  deps: MbwayDeps,
  tx: Executor,
  payment: MobilePayment,
  choice: MandateChoice,
): Promise<Omit<PhoneDetails, 'phone'>> {
  return choice.kind === 'opened'
    ? { opensMandateId: await openMandate(deps, tx, payment, choice) }
    : { mandateId: await reserveFor(tx, payment, choice) }
}

async function openMandate(
  deps: MbwayDeps,
  tx: Executor,
  { walletId, details: { phone }, expiresAt, createdAt }: MobilePayment,
  { subscriptionId, wanted }: Extract<MandateChoice, { kind: 'opened' }>,
): Promise<string> {
  const asked = { walletId, subscriptionId, phone, wanted, askedUntil: expiresAt ?? createdAt }
  return (await openMandateWithPayment(deps, tx, asked)).id
}

async function reserveFor(
  tx: Executor,
  { walletId, key: id, details: { phone }, amount, createdAt }: MobilePayment,
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
    reason: 'mandate_id does not allow this amount this month: read the mandate again',
  })
}
