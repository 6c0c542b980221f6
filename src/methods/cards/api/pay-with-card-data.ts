// Payment by card data: opened in one statement, then authenticated.

import { type Created, claimOf, createdWithClaim } from '../../../idempotency/index.ts'
import { randomId } from '../../../kernel/random.ts'
import { unwrap } from '../../../kernel/result.ts'
import type { OpenedRow } from '../../../operations/for-methods.ts'
import { insertOperations, pathOf } from '../../../operations/for-movements.ts'
import {
  type NewOperation,
  type Operation,
  openedOperation,
  operationOnWire,
  withinLimits,
} from '../../../operations/index.ts'
import { type CardUse, consume as consumeCardUse } from '../../../secure-fields/index.ts'
import type { Executor } from '../../../storage/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { NewAttempt } from '../attempts/start.ts'
import type { CardAttempt } from '../model.ts'
import {
  type CardApiContext,
  type CardPaymentRequest,
  cardFormOf,
  intentOf,
  newCardOperation,
  paymentForms,
  secureUrl,
} from './pay.ts'
import { presentedCard } from './presented-card.ts'

/**
 * Returns PENDING with the customer's redirect; undefined if the idempotency key was used before. Refusals:
 * those of body and card, limit_reached, access_denied for plain data without the right, rail_unavailable if
 * 3-D Secure does not answer.
 */
export async function payWithCardData(
  context: CardApiContext,
  request: CardPaymentRequest,
): Promise<Created | undefined> {
  const { core } = context
  const { wallet, key } = request
  const form = unwrap(cardFormOf(request.body, paymentForms))
  const asked = await newCardOperation(context, request)
  unwrap(await withinLimits(core, wallet, { amount: asked.amount, field: 'amount' }))
  const { card, use } = unwrap(await presentedCard(context, request, form))
  let answer = ''
  const opening = (attempt: CardAttempt): OpenedRow => {
    const operation = ofAttempt(asked, attempt)
    answer = answerOf(core.baseUrl, openedOperation(operation), wallet)
    return { operation, claim: claimOf(key, { resourceId: asked.id, href: pathOf(asked.id), body: answer }) }
  }
  const openAtOnce: NewAttempt['openAtOnce'] = (attempt, dueAt) =>
    context.openPayment({ ...opening(attempt), attempt, dueAt })
  const started = await context.attempts.start({
    owner: 'card_api',
    walletId: wallet.id,
    subjectId: asked.id,
    pageToken: randomId(core.random),
    amount: asked.amount,
    currency: asked.currency,
    merchantName: wallet.name,
    intent: intentOf[request.type],
    card,
    browser: { acceptHeader: '*/*', userAgent: '', javascript: false },
    ...(use === undefined ? { openAtOnce } : { open: (tx, attempt) => openOnce(tx, opening(attempt), use) }),
  })
  return createdWithClaim(started.ok, answer)
}

/** An encrypted card works once: the transaction that opens the payment uses it up. */
async function openOnce(tx: Executor, payment: OpenedRow, use: CardUse): Promise<boolean> {
  const [opened = false] = await insertOperations(tx, [payment])
  if (opened) unwrap(await consumeCardUse(tx, use))
  return opened
}

function ofAttempt(asked: NewOperation, attempt: CardAttempt): NewOperation {
  return { ...asked, attemptId: attempt.key, card: attempt.details.card }
}

function answerOf(baseUrl: string, operation: Operation, wallet: Wallet): string {
  const waits = operation.status === 'PENDING' && operation.attemptId !== operation.id
  return JSON.stringify({
    ...operationOnWire(operation, wallet),
    ...(waits ? { cardsecure_url_redirect: secureUrl(baseUrl, operation.id) } : {}),
  })
}
