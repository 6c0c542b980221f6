// Pure rules of stored cards: when one has expired, and what is shown of it.

import { lisbonDayOf } from '../../../kernel/lisbon.ts'
import type { Instant } from '../../../kernel/time.ts'
import type { CreditCard } from '../../../kernel/values/card-numbers.ts'
import { holdsCardNumber } from '../../../kernel/values/card-numbers.ts'
import type { CardExpiry } from '../model.ts'
import type { StoredCard } from './model.ts'

/** Whether the card's month is over in Portugal: it pays to the last second of its last day. */
export function isOver({ month, year }: CardExpiry, now: Instant): boolean {
  return monthText(month, year) < lisbonDayOf(now).slice(0, 7)
}

/**
 * The name on a stored card, as it is shown; undefined once the card is deleted. A name is stored in the clear, so one
 * that holds a card number, as an earlier version might have let pass, is never shown.
 */
function nameOnWire(card: StoredCard): string | undefined {
  return card.voidedAt === undefined && !holdsCardNumber(card.name) ? card.name : undefined
}

/** The card as the API shows it; `shown.name` for merchants that store cards. */
export function cardOnWire(
  card: StoredCard,
  now: Instant,
  shown: { readonly name?: boolean } = {},
): CreditCard {
  const name = shown.name === true ? nameOnWire(card) : undefined
  return {
    token: card.token.toUpperCase(),
    last4: card.last4,
    type: card.brand,
    valdate: card.valdate,
    expired: isOver(card.expiry, now),
    verification_status: card.verificationStatus,
    bin: card.bin,
    voided: card.voidedAt !== undefined,
    ...(name === undefined ? {} : { name }),
  }
}

function monthText(month: number, year: number): string {
  return `${year}-${String(month).padStart(2, '0')}`
}
