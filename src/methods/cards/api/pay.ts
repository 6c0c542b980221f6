// Paying with a stored card: its issuer authenticated it when it was stored, so the acquirer is asked at once.

import type { KeyedRequest, Made } from '../../../idempotency/index.ts'
import { newId } from '../../../kernel/random.ts'
import { ok, type Result, refuse, unwrap } from '../../../kernel/result.ts'
import { tracing } from '../../../kernel/tracing.ts'
import type { CardSummary } from '../../../kernel/values/card-numbers.ts'
import type { Caller } from '../../../kernel/values/permissions.ts'
import {
  answeredClaim,
  askedSplit,
  clientOf,
  itemsOf,
  madeByEngine,
  type NewOperation,
} from '../../../operations/index.ts'
import { type CardAcquirer, callRail, railAnswerOf } from '../../../rails/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { CardAttempts } from '../attempts/attempts.ts'
import type { CardsDeps } from '../deps.ts'
import { cards } from '../facts.ts'
import { acquirerTimeoutMs } from '../rail.ts'
import type { LiveCard, StoredCard } from '../vault/index.ts'
import type { OpenCardPayment } from './open-store.ts'
import { type PaymentBody, readPayment, tokenOf } from './schemas.ts'

/** What the card API works with. */
export interface CardApiContext
  extends Pick<CardsDeps, 'core' | 'wallets' | 'operations' | 'vault' | 'fields'> {
  readonly acquirer: CardAcquirer
  readonly attempts: CardAttempts
  readonly openPayment: OpenCardPayment
}

export type CardPaymentType = 'PAYMENT' | 'AUTH'

export const intentOf = { PAYMENT: 'sale', AUTH: 'hold' } as const
export const paymentForms = 'newCard, newCardSecure and card'

export interface CardPaymentRequest {
  readonly type: CardPaymentType
  readonly wallet: Wallet
  readonly body: PaymentBody
  readonly key: KeyedRequest | undefined
  readonly caller: Caller
  /** Whether the caller may send plain card data. */
  readonly plainAllowed: boolean
  /** Facts about the caller's request, for the issuer. */
  readonly ip: string
}

/** Where the customer proves who they are. */
export function secureUrl(baseUrl: string, subjectId: string): string {
  return `${baseUrl}/secure/${subjectId}`
}

/** The operation of a card API payment, before anything was asked of a rail. */
export async function newCardOperation(
  { core, wallets }: Pick<CardApiContext, 'core' | 'wallets'>,
  { type, wallet, body, caller }: CardPaymentRequest,
): Promise<NewOperation> {
  const { clock, random, mode } = core
  const draft = unwrap(readPayment(body, mode))
  const asked = {
    value: body.split,
    field: 'split',
    amount: draft.amount,
    wallet,
    caller,
    prices: [cards.code],
  } as const
  const split = unwrap(await askedSplit(wallets.findByPublicId, asked))
  const now = clock.now()
  return {
    ...draft.merchantReferences,
    id: newId(now, random),
    walletId: wallet.id,
    type,
    status: 'PENDING',
    method: cards.code,
    amount: draft.amount,
    currency: 'EUR',
    channel: 'API',
    items: itemsOf(body.items),
    client: clientOf(body.client),
    callbackUrl: draft.callbackUrl,
    traceparent: tracing?.traceparent(),
    cardSecureUrls: draft.cardSecureUrls,
    split,
    instant: body.instant || undefined,
    createdAt: now,
  }
}

export const declined = 'the issuer declined'

/**
 * Pays by token: COMPLETED, or PENDING while the acquirer's answer is unclear. Undefined when the idempotency key
 * was used before.
 *
 * Refusals: not_found for an unknown token, illegal_state for a voided one and one of a subscription, card_declined
 * with the operation.
 */
export async function payWithToken(
  context: CardApiContext,
  request: CardPaymentRequest,
  token: string,
): Promise<Made | undefined> {
  const { operations, vault, acquirer } = context
  const { wallet, key } = request
  const asked = await newCardOperation(context, request)
  const stored = unwrap(usable(await vault.find(wallet.id, unwrap(tokenOf(token)))))
  const operation = { ...asked, card: summaryOf(stored) }
  const claim = answeredClaim(key, asked.id, { wallet, declined })
  const outcome = await operations.engine.run(operation, claim, async (mayStart) => {
    const authorization = {
      key: asked.id,
      merchant: { id: wallet.id, name: wallet.name },
      amount: asked.amount,
      currency: asked.currency,
      intent: intentOf[request.type],
      card: vault.open(stored),
      credentialOnFile: 'merchant_initiated',
    } as const
    const ask = (signal: AbortSignal) => acquirer.authorize(authorization, signal)
    return railAnswerOf(await callRail(ask, acquirerTimeoutMs, mayStart))
  })
  return madeByEngine(operations.show, outcome, { wallet, declined })
}

function usable(stored: StoredCard | undefined): Result<LiveCard> {
  if (stored === undefined) return refuse('not_found', 'there is no card with that token')
  if (stored.voidedAt !== undefined)
    return refuse('illegal_state', 'card.token is of a card that was deleted')
  if (stored.keptFor === 'subscription') {
    return refuse(
      'illegal_state',
      'card.token is of a card that its holder gave for a subscription: charge that, or have the card stored',
    )
  }
  return ok(stored)
}

function summaryOf({ token, last4, bin, brand: type, valdate }: LiveCard): CardSummary {
  return { token: token.toUpperCase(), last4, bin, type, valdate }
}
