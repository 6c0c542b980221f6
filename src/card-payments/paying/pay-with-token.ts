// Paying with a stored card: its issuer authenticated it when it was stored, so the acquirer is asked at once.
import type { LiveCard, StoredCard } from '../../cards/index.ts'
import type { Made } from '../../idempotency/index.ts'
import { ok, type Result, refuse, unwrap } from '../../kernel/result.ts'
import type { CardSummary } from '../../kernel/values/card-summary.ts'
import { answeredClaim, madeByEngine, railAnswerOf } from '../../operations/index.ts'
import { callRail } from '../../rails/index.ts'
import type { CardPaymentsDeps } from '../deps.ts'
import { tokenOf } from '../schemas.ts'
import { type CardPaymentRequest, intentOf, newCardOperation } from './pay.ts'

const acquirerTimeoutMs = 8000
export const declined = 'the issuer declined'

/**
 * Pays by token: COMPLETED, or PENDING while the acquirer's answer is unclear. Undefined when the idempotency key
 * was used before.
 *
 * Refusals: not_found for an unknown token, illegal_state for a voided one and one of a subscription, card_declined
 * with the operation.
 */
export async function payWithToken(
  deps: CardPaymentsDeps,
  request: CardPaymentRequest,
  token: string,
): Promise<Made | undefined> {
  const { wallet, key } = request
  const asked = await newCardOperation(deps, request)
  const stored = unwrap(usable(await deps.vault.find(wallet.id, unwrap(tokenOf(token)))))
  const operation = { ...asked, card: summaryOf(stored) }
  const claim = answeredClaim(key, asked.id, { wallet, declined })
  const outcome = await deps.engine.run(operation, claim, async (mayStart) => {
    const authorization = {
      key: asked.id,
      merchant: { id: wallet.id, name: wallet.name },
      amount: asked.amount,
      currency: asked.currency,
      intent: intentOf[request.type],
      card: deps.vault.open(stored),
      credentialOnFile: 'merchant_initiated',
    } as const
    const ask = (signal: AbortSignal) => deps.acquirer.authorize(authorization, signal)
    return railAnswerOf(await callRail(ask, acquirerTimeoutMs, mayStart))
  })
  return madeByEngine(deps.show, outcome, { wallet, declined })
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
