// Storing of a card: authentication first, then the vault.

import { type Created, claimOf, createdWithClaim, type IdempotencyKey } from '../../../idempotency/index.ts'
import { cents } from '../../../kernel/money.ts'
import { randomId } from '../../../kernel/random.ts'
import { deny, unwrap } from '../../../kernel/result.ts'
import { consume as consumeCardUse } from '../../../secure-fields/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import { type CardApiContext, cardFormOf, readCardSecureUrls, secureUrl } from './pay.ts'
import { presentedCard } from './presented-card.ts'
import type { StoreCardBody } from './schemas.ts'
import { insertStoring } from './store.ts'

export interface StoreCardRequest {
  readonly wallet: Wallet
  readonly body: StoreCardBody
  readonly key: IdempotencyKey | undefined
  readonly plainAllowed: boolean
}

export async function storeCard(
  context: CardApiContext,
  request: StoreCardRequest,
): Promise<Created | undefined> {
  const { core } = context
  const { wallet, body, key } = request
  if (key === undefined)
    return deny('missing_parameter', 'request_id is required, in the body or as the header Idempotency-Key')
  const form = unwrap(cardFormOf(body, 'newCard and newCardSecure'))
  const urls = readCardSecureUrls(body, core.mode)
  const { card, use } = unwrap(await presentedCard(context, request, form))
  const now = core.clock.now()
  const id = randomId(core.random)
  const answer = JSON.stringify({ cardsecure_url_redirect: secureUrl(core.baseUrl, id) })
  const href = `/prows/v2/creditcard/${id.toUpperCase()}`
  const claim = claimOf(key, { resourceId: id, href, body: answer })
  const started = await context.attempts.start({
    owner: 'card_store',
    walletId: wallet.id,
    subjectId: id,
    pageToken: randomId(core.random),
    amount: cents(0),
    currency: 'EUR',
    merchantName: wallet.name,
    intent: 'verify',
    card,
    browser: { acceptHeader: '*/*', userAgent: '', javascript: false },
    async open(tx) {
      const storing = { id, walletId: wallet.id, urlConfirm: urls.confirm, urlCancel: urls.cancel }
      if (!(await insertStoring(tx, storing, claim, now))) return false
      if (use !== undefined) unwrap(await consumeCardUse(tx, use))
      return true
    },
  })
  return createdWithClaim(started.ok, answer)
}
