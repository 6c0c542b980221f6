// A customer's attempt to pay from an online wallet (PAYPAL).

import { newId } from '../../kernel/random.ts'
import {
  type AttemptAnswer,
  addDetails,
  type CustomerEngine,
  type CustomerHandler,
  findAttemptByPageToken,
  firstLook,
  type NextStep,
  openOperation,
} from '../../operations/for-methods.ts'
import type { Operation } from '../../operations/index.ts'
import {
  callRail,
  type MayStart,
  railTimeoutMs,
  type UnknownAnswer,
  type WalletAnswer,
  type WalletOrder,
} from '../../rails/index.ts'
import { acceptancePurpose } from '../../subscriptions/index.ts'
import { keepAccountOf, savingPurpose } from './accounts.ts'
import { paypal } from './facts.ts'
import type { PaypalDeps, WalletAttempt, WalletDetails } from './model.ts'

/** The customer agrees while the attempt is OPEN. Only the request after that moves money. */
export function walletAttemptHandler(deps: PaypalDeps): CustomerHandler<WalletDetails> {
  const { rail } = deps
  const inquire = (key: string) => callRail(() => rail.inquire(key))
  return {
    method: paypal.code,
    purposes: {
      checkout: savingPurpose(deps, openOperation(deps, { beforeSettling: keepAccountOf(deps) })),
      subscription: savingPurpose(deps, acceptancePurpose(deps)),
    },
    whenNotReceived: 'send again',
    notReceived: 'wallet_unavailable',
    look: async ({ key }) => nextStep(await inquire(key)),
    ask: async ({ key }, beforeSend: MayStart) =>
      answerOf(await callRail((signal) => rail.capture(key, signal), railTimeoutMs, beforeSend)),
    inquire: async ({ key }) => answerOf(await inquire(key)),
  }
}

type Answer = WalletAnswer | UnknownAnswer | { readonly kind: 'not_found' }

function nextStep(answer: Answer): NextStep {
  switch (answer.kind) {
    case 'agreed':
    case 'paid':
    case 'waiting':
      return { kind: 'ask' }
    case 'declined':
      return answer
    case 'not_found':
      return { kind: 'declined', reason: 'wallet_unavailable' }
    case 'open':
    case 'unknown':
      return { kind: 'wait' }
  }
}

function answerOf(answer: Answer): AttemptAnswer {
  switch (answer.kind) {
    case 'paid':
      return { kind: 'approved', reference: answer.reference, heldUntil: answer.heldUntil }
    case 'declined':
    case 'waiting':
      return answer
    case 'agreed':
      return { kind: 'not_found' }
    case 'open':
    case 'not_found':
    case 'unknown':
      return { kind: 'unknown' }
  }
}

export interface NewWalletAttempt {
  readonly owner: 'checkout' | 'subscription'
  /** The operation to pay. For a subscription that begins without a payment, its amount is 0. */
  readonly subject: Pick<Operation, 'id' | 'walletId' | 'type' | 'amount' | 'currency'>
  readonly saves: boolean
  readonly merchantName: string
  readonly pageToken: string
  readonly returnUrl: string
  readonly language: 'pt' | 'en'
}

export type WalletStarted =
  | { readonly kind: 'redirect'; readonly url: string }
  /** The rail did not answer, or refused the order. No money moved, because only a capture moves money. */
  | { readonly kind: 'unavailable' }
  /** The operation is final, a rail is deciding, or the page was used before. */
  | { readonly kind: 'too_late' }

export async function startAttempt(
  deps: PaypalDeps,
  engine: CustomerEngine<WalletDetails>,
  asked: NewWalletAttempt,
): Promise<WalletStarted> {
  const { database, clock } = deps
  const { subject, pageToken } = asked
  const { walletId, id } = subject
  const known = await findAttemptByPageToken<WalletDetails>(database, paypal.code, walletId, id, pageToken)
  if (known !== undefined) return againOf(known)
  const attempt = attemptOf(deps, asked)
  const begun = await engine.begin(attempt, { dueAt: firstLook(clock.now()) })
  return begun !== undefined ? placeOrder(deps, engine, asked, attempt) : { kind: 'too_late' }
}

function againOf({ state, details: { approveUrl } }: WalletAttempt): WalletStarted {
  return state === 'OPEN' && approveUrl !== undefined
    ? { kind: 'redirect', url: approveUrl }
    : { kind: 'too_late' }
}

async function placeOrder(
  { database, rail }: PaypalDeps,
  engine: CustomerEngine<WalletDetails>,
  { subject, returnUrl, language, saves }: NewWalletAttempt,
  attempt: WalletAttempt,
): Promise<WalletStarted> {
  const { key, amount, currency, merchantName: name } = attempt
  const merchant = { id: subject.walletId, name }
  const intent: WalletOrder['intent'] = attempt.type === 'AUTH' ? 'hold' : 'sale'
  const page = { returnUrl, language, intent, saves }
  const order = { key, reference: subject.id, merchant, amount, currency, ...page }
  const answer = await callRail((signal) => rail.open(order, signal))
  if (answer.kind === 'open') {
    const { approveUrl } = answer
    await addDetails(database, attempt, { approveUrl })
    return { kind: 'redirect', url: approveUrl }
  }
  await engine.fail(attempt, answer.kind === 'declined' ? answer.reason : 'wallet_unavailable')
  return { kind: 'unavailable' }
}

function attemptOf({ clock, random }: PaypalDeps, asked: NewWalletAttempt): WalletAttempt {
  const { subject, owner, saves, merchantName, pageToken } = asked
  const { walletId, id: operationId, type, amount, currency } = subject
  const now = clock.now()
  return {
    ...{ walletId, operationId, type, amount, currency, merchantName, pageToken },
    key: newId(now, random),
    method: paypal.code,
    state: 'OPEN',
    tries: 0,
    owner,
    details: saves ? { saves } : {},
    createdAt: now,
    modifiedAt: now,
  }
}
