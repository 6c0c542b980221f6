// The events of a mandate (SPEC.md Events, Mandate).
import type { NewEvent } from '../callbacks/index.ts'
import { amountOnWire } from '../http/index.ts'
import type { Instant } from '../kernel/time.ts'
import type { Wallet } from '../wallets/index.ts'
import { availableOf, type Mandate, type MandateEventWord } from './model.ts'

/** The event of `mandate` in its present state; to its own address, or the wallet's where it was given none. */
export function mandateEvent(
  mandate: Mandate,
  event: MandateEventWord,
  wallet: Wallet,
  id: string,
  createdAt: Instant,
): NewEvent {
  const url = mandate.urlCallback
  return {
    id,
    walletId: mandate.walletId,
    kind: 'mandate',
    subject: mandate.id,
    event,
    payload: {
      type: 'MANDATE',
      event,
      mandate_id: mandate.id,
      mandate_type: mandate.type,
      method: 'MBWAY',
      max_amount: amountOnWire(mandate.limit),
      amount_available: amountOnWire(availableOf(mandate)),
      end_date: mandate.expiryDate ?? null,
      subscription_id: mandate.subscriptionId ?? null,
      request_id: mandate.requestId ?? null,
    },
    url,
    endpoint: url === undefined ? 'wallet' : 'mandate',
    hasEndpoint: url !== undefined || wallet.callbackUrl !== null,
    createdAt,
  }
}
