// One payment with its history and possible actions.
import { decideCapture, decideRelease } from '../../authorizations/index.ts'
import { eventsWithAttempts } from '../../callbacks/index.ts'
import { providerAnswers, providerReports } from '../../connections/index.ts'
import { amountOnWire } from '../../http/index.ts'
import { findRequestsFor } from '../../idempotency/index.ts'
import type { Cents } from '../../kernel/money.ts'
import { deny, type Result } from '../../kernel/result.ts'
import type { Instant } from '../../kernel/time.ts'
import { type BookedPosting, bookedPostings } from '../../ledger/index.ts'
import { accountRefundMethods } from '../../methods/list.ts'
import {
  attemptsFor,
  decideRefund,
  familyOf,
  type Operation,
  type ShownAttempt,
  splittable,
} from '../../operations/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { askersOf } from '../access/actions-store.ts'
import type { PaymentAnswer } from '../contract/payments.ts'
import type { BackofficeParts } from '../parts.ts'
import { listedPayment } from './listed.ts'
import { storyOf } from './story.ts'

type Deps = Pick<BackofficeParts, 'database' | 'gatewayClock' | 'operations'>

export async function onePayment(
  { database, gatewayClock, operations }: Deps,
  wallet: Wallet,
  id: string,
): Promise<PaymentAnswer> {
  const family = await familyOf(database, wallet.id, id)
  const operation = family.find((one) => one.id === id)
  if (operation === undefined) return deny('not_found', `there is no operation ${id}`)
  const ids = family.map((one) => one.id)
  const { checkoutId, subscriptionId, paymentLinkId, parentId } = operation
  const made = family.flatMap((one) => [
    one,
    ...(one.checkoutId === undefined ? [] : [{ id: one.checkoutId, createdAt: one.createdAt }]),
  ])
  const [attempts, requests, bookings, events, [payment]] = await Promise.all([
    attemptsFor(database, wallet.id, ids),
    findRequestsFor(database, wallet.id, made),
    bookedPostings(database, wallet.id, ids),
    eventsWithAttempts(database, wallet.id, ids),
    operations.show([operation], wallet),
  ])
  const askers = await askersOf(
    database,
    wallet.id,
    requests.map(({ requestId }) => requestId),
  )
  const { answers, reports } = await answersFor(database, wallet.id, family, attempts)
  const showPostings = (postings: readonly BookedPosting[]) => operations.showPostings(postings, wallet)
  return {
    payment: payment as PaymentAnswer['payment'],
    family: family.map(listedPayment),
    left: leftOf(operation, wallet, gatewayClock.now()),
    to_account: operation.method !== undefined && accountRefundMethods.includes(operation.method),
    belongs_to: {
      ...(checkoutId !== undefined && { checkout: checkoutId }),
      ...(subscriptionId !== undefined && { subscription: subscriptionId }),
      ...(paymentLinkId !== undefined && { payment_link: paymentLinkId }),
      ...(parentId !== undefined && { parent: parentId }),
    },
    timeline: await storyOf({
      ...{ family, attempts, requests, askers, bookings, answers, reports, events },
      showPostings,
    }),
  }
}

/** Answers and reports of providers. They know an operation by its id, or by the id of an attempt. */
async function answersFor(
  database: BackofficeParts['database'],
  walletId: bigint,
  family: readonly Operation[],
  attempts: readonly ShownAttempt[],
) {
  const operationOf = new Map(family.map(({ id }) => [id, id]))
  for (const { id, attemptId } of family) if (attemptId !== undefined) operationOf.set(attemptId, id)
  for (const { key, operationId } of attempts) operationOf.set(key, operationId)
  const keys = [...operationOf.keys()]
  const [answers, reports] = await Promise.all([
    providerAnswers(database, walletId, keys),
    providerReports(database, walletId, keys),
  ])
  const withOperation = <Said extends { readonly key: string }>(said: Said) => ({
    ...said,
    operation: operationOf.get(said.key) ?? '',
  })
  return { answers: answers.map(withOperation), reports: reports.map(withOperation) }
}

function leftOf(operation: Operation, wallet: Wallet, now: Instant): PaymentAnswer['left'] {
  const amountOf = (decided: Result<Cents>) => (decided.ok ? amountOnWire(decided.value) : undefined)
  const isAuthorization = operation.type === 'AUTH'
  const refund = amountOf(decideRefund(operation, undefined, wallet))
  const capture = isAuthorization ? amountOf(decideCapture(operation, undefined, now)) : undefined
  const release = isAuthorization ? amountOf(decideRelease(operation, undefined, now)) : undefined
  const divides = wallet.rights.includes('marketplace') && splittable(operation, operation.refunded > 0n).ok
  return {
    ...(refund !== undefined && { refund }),
    ...(capture !== undefined && { capture }),
    ...(release !== undefined && release > 0 && { release }),
    ...(divides && { split: amountOnWire(operation.amount) }),
  }
}
