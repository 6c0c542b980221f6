// The card that a request brings: plain, where the merchant may, or out of the secure form fields.

import { ok, type Result, refuse } from '../../../kernel/result.ts'
import type { CardUse, NewCardSecure } from '../../../secure-fields/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { CardDetails } from '../model.ts'
import type { CardApiContext } from './pay.ts'
import { type CardForm, cardOf } from './schemas.ts'

export interface PresentedCard {
  readonly card: CardDetails
  /** To be consumed in the transaction that makes what the card is for. */
  readonly use?: CardUse | undefined
}

/**
 * Refusals: access_denied for plain data without the right; missing_parameter and invalid_parameter naming
 * the field, never its content.
 */
export async function presentedCard(
  { core, fields }: Pick<CardApiContext, 'core' | 'fields'>,
  { wallet, plainAllowed }: { readonly wallet: Wallet; readonly plainAllowed: boolean },
  form: CardForm,
): Promise<Result<PresentedCard>> {
  const now = core.clock.now()
  switch (form.kind) {
    case 'token':
      return refuse('invalid_parameter', 'card must be left out: send newCard or newCardSecure')
    case 'plain': {
      if (!plainAllowed) {
        return refuse(
          'access_denied',
          'newCard needs the right pci_dss and a key with card_plain: send newCardSecure',
        )
      }
      const card = cardOf(form.fields, 'newCard', now)
      return card.ok ? ok({ card: card.value }) : card
    }
    case 'secure': {
      const opened = await fields.decryptCard(wallet.publicId, form.fields as NewCardSecure, now)
      if (!opened.ok) return opened
      const card = cardOf(opened.value, 'newCardSecure', now)
      return card.ok ? ok({ card: card.value, use: opened.value.use }) : card
    }
  }
}
