// A card that a merchant stored: live, or voided with nothing left that could pay.
import type { Instant } from '../../kernel/time.ts'
import type { Authentication, CardExpiry } from '../model.ts'

/** The number and what an acquirer needs with it; the security code is never kept. */
export interface OpenedCard {
  /** Digits only. */
  readonly number: string
  readonly expiry: CardExpiry
  readonly name: string
}

/** Who may charge a card: its merchant at any time, or the charges of one subscription. */
export type KeptFor = 'merchant' | 'subscription'

interface CardRecord {
  readonly walletId: bigint
  /** UUID in lower case; merchants are told it in upper case. */
  readonly token: string
  readonly last4: string
  readonly bin: string
  /** In lower case, such as `visa`. */
  readonly brand: string
  readonly expiry: CardExpiry
  /** The expiry as `MM/YYYY`. */
  readonly valdate: string
  /** Whether the issuer authenticated whoever stored it. */
  readonly verified: boolean
  readonly keptFor: KeptFor
  /** What the issuer said when it was stored, if it was asked. */
  readonly authentication?: Authentication | undefined
  readonly createdAt: Instant
  readonly modifiedAt: Instant
}

export interface LiveCard extends CardRecord {
  readonly voidedAt?: undefined
  readonly name: string
  readonly wrappedKey: Uint8Array
  readonly sealedPan: Uint8Array
}

export interface VoidedCard extends CardRecord {
  readonly voidedAt: Instant
}

export type StoredCard = LiveCard | VoidedCard

/** What a merchant gives to be stored, authenticated already or not. */
export interface CardToStore {
  readonly walletId: bigint
  /**
   * A new UUID; a merchant's card keeps another one when the wallet stored it before. Of a subscription, the one it has
   * already if its card is stored again.
   */
  readonly token: string
  readonly keptFor: KeptFor
  readonly card: OpenedCard
  readonly authentication?: Authentication | undefined
  readonly verified: boolean
}
