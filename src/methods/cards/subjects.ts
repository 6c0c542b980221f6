// The purposes of card attempts: checkout, card API payment, storing.
import { recordEvents } from '../../callbacks/index.ts'
import { crashPoint } from '../../kernel/crash-points.ts'
import { newId, randomId } from '../../kernel/random.ts'
import { closedOperation, openOperation, operationOf } from '../../operations/for-methods.ts'
import { latePath } from '../../pages/index.ts'
import { endStoring, findStoring } from './api/store.ts'
import type { CardsContext } from './deps.ts'
import type { CardAttempt, CardAttemptDetails, CardPurpose, CardStoring } from './model.ts'
import { noteRefusal, saveCardFor } from './saved-cards.ts'
import { keepCardFor } from './subscribing.ts'
import { openCardOf } from './vault/index.ts'

const cardOf = ({ details }: CardAttempt) => details.card

export function checkoutSubject(deps: CardsContext): CardPurpose {
  const { core, operations } = deps
  const { database, baseUrl } = core
  const purpose = openOperation<CardAttemptDetails>(
    { ...core, settle: operations.settle },
    {
      cardOf,
      async beforeSettling({ subscriptionId, attemptId }, attempt) {
        // The card is stored first, because the payment approves the subscription. A late attempt stores
        // nothing, because the card of another attempt may be in use.
        if (attemptId !== attempt.key || attempt.sealedCard === undefined) return
        await saveCardFor(deps, attempt)
        if (subscriptionId === undefined) return
        await keepCardFor(deps, subscriptionId, attempt)
        crashPoint('card kept, its payment not settled')
      },
    },
  )
  return {
    ...purpose,
    async declined(attempt, reason) {
      await noteRefusal(deps, attempt, reason)
      return purpose.declined(attempt, reason)
    },
    async returnUrl(attempt) {
      const { checkoutId = '', attemptId } = await operationOf(database, attempt)
      const language = attempt.details.browser.pageLanguage
      const page = `${baseUrl}/checkout/${checkoutId}${language === undefined ? '' : `?lang=${language}`}`
      // Another tab has started a new attempt, so the bank's answer has no effect.
      return attemptId === attempt.key ? page : latePath(page)
    },
  }
}

/** The operation was opened with the attempt and ends with it. */
export function paymentSubject({ core, operations }: CardsContext): CardPurpose {
  return {
    ...closedOperation({ ...core, settle: operations.settle }, { cardOf }),
    async returnUrl(attempt) {
      const { status, cardSecureUrls } = await operationOf(core.database, attempt)
      if (status === 'PENDING' || cardSecureUrls === undefined) return `/secure/${attempt.operationId}`
      return status === 'COMPLETED' ? cardSecureUrls.confirm : cardSecureUrls.cancel
    },
  }
}

class EndedBefore extends Error {}

/** After the authentication the vault stores the card under a token, and the merchant gets an event. */
export function storingSubject({ core, wallets, callbacks, vault }: CardsContext): CardPurpose {
  const { database, clock, keyring, random } = core

  async function storingOf({ walletId, operationId, key }: CardAttempt) {
    const storing = await findStoring(database, walletId, operationId)
    if (storing === undefined) throw new Error(`attempt ${key} stores nothing`)
    return storing
  }

  async function end(attempt: CardAttempt, verified: boolean): Promise<void> {
    const storing = await storingOf(attempt)
    if (storing.state !== 'PENDING') return
    try {
      await endPending(storing, attempt, verified)
    } catch (error) {
      if (!(error instanceof EndedBefore)) throw error
    }
    callbacks.wake()
  }

  async function endPending(storing: CardStoring, attempt: CardAttempt, verified: boolean): Promise<void> {
    const { walletId, requestId } = storing
    const wallet = await wallets.get(walletId)
    const now = clock.now()
    await database.transaction(async (tx) => {
      const kept = verified ? await keep(attempt, tx) : undefined
      const event = verified ? 'COMPLETED' : 'FAIL'
      if (!(await endStoring(tx, storing, event, kept, now))) throw new EndedBefore()
      // The event has only the token; with it the merchant can read the card.
      const named = kept === undefined ? {} : { token: kept.toUpperCase() }
      await recordEvents(tx, [
        {
          id: newId(now, random),
          walletId,
          kind: 'card_stored',
          subject: requestId,
          event,
          payload: { type: 'ADD_CARD', event, ...named, request_id: requestId },
          endpoint: 'card',
          hasEndpoint: (wallet.cardCallbackUrl ?? wallet.callbackUrl) !== null,
          createdAt: now,
        },
      ])
    })
  }

  async function keep(attempt: CardAttempt, tx: Parameters<typeof vault.store>[0]): Promise<string> {
    const { walletId, details } = attempt
    const { authentication } = details
    const card = openCardOf(keyring, attempt)
    // The token is random. The id of the request is public, because it is in the customer's address.
    const token = randomId(random)
    const asked = { walletId, token, keptFor: 'merchant', card, authentication, verified: true } as const
    return (await vault.store(tx, asked)).token
  }

  return {
    choose: async () => true,
    begin: async () => true,
    async approved(attempt) {
      await end(attempt, true)
      return 'paid'
    },
    async declined(attempt) {
      await end(attempt, false)
      return true
    },
    failed: (attempt) => end(attempt, false),
    async returnUrl(attempt) {
      const { state, urlConfirm, urlCancel } = await storingOf(attempt)
      if (state === 'PENDING') return `/secure/${attempt.operationId}`
      return state === 'COMPLETED' ? urlConfirm : urlCancel
    },
  }
}
