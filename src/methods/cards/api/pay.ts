// Payments of the card API: the request, and payment by token.
import { parseAmount, parseImpliedWord } from '../../../http/index.ts'
import type { Created, KeyedRequest } from '../../../idempotency/index.ts'
import type { Cents } from '../../../kernel/money.ts'
import { isUuid, newId } from '../../../kernel/random.ts'
import { deny, ok, type Result, refuse, unwrap } from '../../../kernel/result.ts'
import { tracing } from '../../../kernel/tracing.ts'
import type { CardSummary } from '../../../kernel/values/card-numbers.ts'
import type { Caller } from '../../../kernel/values/permissions.ts'
import { isEmailAddress, webAddress } from '../../../kernel/values/web-address.ts'
import { answeredClaim, createdByEngine } from '../../../operations/for-movements.ts'
import {
  amountWithinRange,
  askedSplit,
  clientOf,
  itemsOf,
  type MerchantReferences,
  merchantReferencesOf,
  type NewOperation,
} from '../../../operations/index.ts'
import { type CardAcquirer, callRail, railAnswerOf, railTimeoutMs } from '../../../rails/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { CardAttempts } from '../attempts/attempts.ts'
import type { CardsContext } from '../deps.ts'
import { cards } from '../facts.ts'
import type { LiveCard, StoredCard } from '../vault/index.ts'
import type { PaymentBody } from './schemas.ts'
import type { OpenCardPayment } from './store.ts'

export interface CardApiContext
  extends Pick<CardsContext, 'core' | 'wallets' | 'operations' | 'vault' | 'fields'> {
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
  readonly plainAllowed: boolean
}

export function secureUrl(baseUrl: string, subjectId: string): string {
  return `${baseUrl}/secure/${subjectId}`
}

type CardForms = Pick<PaymentBody, 'newCard' | 'newCardSecure'> & {
  readonly card?: { readonly token: string }
}

export type CardForm =
  | { readonly kind: 'plain'; readonly fields: NonNullable<CardForms['newCard']> }
  | { readonly kind: 'secure'; readonly fields: NonNullable<CardForms['newCardSecure']> }
  | { readonly kind: 'token'; readonly token: string }

/** The form in the request. Refusals: missing_parameter for none, invalid_parameter for several. */
export function cardFormOf({ newCard, newCardSecure, card }: CardForms, forms: string): Result<CardForm> {
  const given: CardForm[] = []
  if (newCard !== undefined) given.push({ kind: 'plain', fields: newCard })
  if (newCardSecure !== undefined) given.push({ kind: 'secure', fields: newCardSecure })
  if (card !== undefined) given.push({ kind: 'token', token: card.token })
  const [form, second] = given
  if (form === undefined) return refuse('missing_parameter', `one of ${forms} is required`)
  if (second !== undefined) return refuse('invalid_parameter', `send exactly one of ${forms}`)
  if (form.kind !== 'token') {
    const { email, phone } = form.fields
    const field = form.kind === 'plain' ? 'newCard' : 'newCardSecure'
    if ((email ?? '') === '' && (phone ?? '') === '') {
      return refuse('missing_parameter', `${field}.email is required (or ${field}.phone)`)
    }
    if ((email ?? '') !== '' && !isEmailAddress((email ?? '').trim())) {
      return refuse('invalid_parameter', `${field}.email must be an e-mail address such as ana@example.com`)
    }
  }
  return ok(form)
}

interface PaymentDraft {
  readonly amount: Cents
  readonly merchantReferences: MerchantReferences
  readonly callbackUrl: string
  readonly cardSecureUrls: { readonly confirm: string; readonly cancel: string }
}

function readPayment(body: PaymentBody, mode: 'sandbox' | 'production'): PaymentDraft {
  const amount = unwrap(amountWithinRange(unwrap(parseAmount(body.amount, 'amount')), 'amount'))
  if (body.currency.toUpperCase() !== 'EUR') deny('invalid_parameter', 'currency must be EUR')
  unwrap(parseImpliedWord(body.method, cards.code, 'method'))
  return {
    amount,
    callbackUrl: unwrap(webAddress(body.callback, 'callback', mode)),
    cardSecureUrls: readCardSecureUrls(body, mode),
    merchantReferences: merchantReferencesOf(body),
  }
}

export function readCardSecureUrls(
  body: Pick<PaymentBody, 'cardsecure_url_confirm' | 'cardsecure_url_cancel'>,
  mode: 'sandbox' | 'production',
): { readonly confirm: string; readonly cancel: string } {
  const addressIn = (field: 'cardsecure_url_confirm' | 'cardsecure_url_cancel') =>
    unwrap(webAddress(body[field], field, mode))
  return { confirm: addressIn('cardsecure_url_confirm'), cancel: addressIn('cardsecure_url_cancel') }
}

export function tokenOf(text: string): Result<string> {
  return isUuid(text) ? ok(text.toLowerCase()) : refuse('not_found', 'there is no card with that token')
}

export async function newCardOperation(
  { core, wallets }: Pick<CardApiContext, 'core' | 'wallets'>,
  { type, wallet, body, caller }: CardPaymentRequest,
): Promise<NewOperation> {
  const { clock, random, mode } = core
  const draft = readPayment(body, mode)
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
 * Pays by token: COMPLETED, or PENDING if the outcome is unknown. Returns undefined if the idempotency key
 * was used before. Refusals: not_found for an unknown token, illegal_state for a deleted card or a card of a
 * subscription, card_declined with the operation.
 */
export async function payWithToken(
  context: CardApiContext,
  request: CardPaymentRequest,
  token: string,
): Promise<Created | undefined> {
  const { operations, vault, acquirer } = context
  const { wallet, key } = request
  const asked = await newCardOperation(context, request)
  const stored = unwrap(usable(await vault.find(wallet.id, unwrap(tokenOf(token)))))
  const operation = { ...asked, card: summaryOf(stored) }
  const claim = answeredClaim(key, asked.id, { wallet, declined })
  const outcome = await operations.engine.run(operation, claim, async (beforeSend) => {
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
    return railAnswerOf(await callRail(ask, railTimeoutMs, beforeSend))
  })
  return createdByEngine(operations.show, outcome, { wallet, declined })
}

function usable(stored: StoredCard | undefined): Result<LiveCard> {
  if (stored === undefined) return refuse('not_found', 'there is no card with that token')
  if (stored.voidedAt !== undefined) return refuse('illegal_state', 'the card of card.token was deleted')
  if (stored.keptFor === 'customer')
    return refuse(
      'illegal_state',
      'a customer saved the card of card.token for checkouts: it cannot be charged',
    )
  if (stored.keptFor === 'subscription') {
    return refuse(
      'illegal_state',
      'the card of card.token belongs to a subscription: charge the subscription, or store the card',
    )
  }
  return ok(stored)
}

function summaryOf({ token, last4, bin, brand: type, valdate }: LiveCard): CardSummary {
  return { token: token.toUpperCase(), last4, bin, type, valdate }
}
