// Start of a payment from an online wallet.
import { newId } from '../../kernel/random.ts'
import {
  addDetails,
  type CustomerEngine,
  findAttemptByPageToken,
  firstLook,
} from '../../operations/for-methods.ts'
import type { Operation } from '../../operations/index.ts'
import { callRail, type WalletOrder } from '../../rails/index.ts'
import type { WalletAttempt, WalletDetails } from './attempts.ts'
import { type PaypalDeps, railTimeoutMs } from './deps.ts'
import { paypal } from './facts.ts'

export interface NewWalletAttempt {
  readonly operation: Operation
  readonly merchantName: string
  readonly pageToken: string
  readonly returnUrl: string
  readonly language: 'pt' | 'en'
}

export type WalletStarted =
  | { readonly kind: 'redirect'; readonly url: string }
  /** No answer, or a refused order. No money moved, because only a capture moves money. */
  | { readonly kind: 'unavailable' }
  /** The operation is final or being decided, or the page was used before. */
  | { readonly kind: 'too_late' }

export async function startAttempt(
  deps: PaypalDeps,
  engine: CustomerEngine<WalletDetails>,
  asked: NewWalletAttempt,
): Promise<WalletStarted> {
  const { database, clock } = deps
  const { operation, pageToken } = asked
  const { walletId, id } = operation
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
  { operation, returnUrl, language }: NewWalletAttempt,
  attempt: WalletAttempt,
): Promise<WalletStarted> {
  const { key, amount, currency, merchantName: name } = attempt
  const merchant = { id: operation.walletId, name }
  const intent: WalletOrder['intent'] = attempt.type === 'AUTH' ? 'hold' : 'sale'
  const order = { key, reference: operation.id, merchant, amount, currency, returnUrl, language, intent }
  const answer = await callRail((signal) => rail.open(order, signal), railTimeoutMs)
  if (answer.kind === 'open') {
    const { approveUrl } = answer
    await addDetails(database, attempt, { approveUrl })
    return { kind: 'redirect', url: approveUrl }
  }
  await engine.fail(attempt, answer.kind === 'declined' ? answer.reason : 'wallet_unavailable')
  return { kind: 'unavailable' }
}

function attemptOf({ clock, random }: PaypalDeps, asked: NewWalletAttempt): WalletAttempt {
  const { operation, merchantName, pageToken } = asked
  const { walletId, id: operationId, type, amount, currency } = operation
  const now = clock.now()
  return {
    ...{ walletId, operationId, type, amount, currency, merchantName, pageToken },
    key: newId(now, random),
    method: paypal.code,
    state: 'OPEN',
    tries: 0,
    owner: 'checkout',
    details: {},
    createdAt: now,
    modifiedAt: now,
  }
}
