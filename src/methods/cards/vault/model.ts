// A card that a merchant stored: live, or voided with nothing left that could pay.
import type { Instant } from '../../../kernel/time.ts'
import { column, type RowOf, table } from '../../../storage/tables/table.ts'
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

/** Stored cards. A voided one has nothing left that could pay. */
export const storedCards = table(
  'stored_cards',
  {
    walletId: column.bigint(),
    /** UUID in lower case; shown to merchants in upper case. */
    token: column.uuid(),
    wrappedKey: column.bytes().optional(),
    sealedPan: column.bytes().optional(),
    bin: column.text(),
    last4: column.text(),
    /** In lower case, such as `visa`. */
    brand: column.text(),
    /** The expiry as `MM/YYYY`. */
    valdate: column.text(),
    name: column.text().optional(),
    /** Whether the issuer authenticated the customer who stored it. */
    verificationStatus: column.text<'VERIFIED' | 'UNVERIFIED'>(),
    keptFor: column.text<KeptFor>(),
    /** What the issuer said when it was stored, if it was asked. */
    authentication: column.json<Authentication>().optional(),
    createdAt: column.instant(),
    modifiedAt: column.instant(),
    voidedAt: column.instant().optional(),
  },
  {
    /** Of the number, under a key: the same card of a merchant is stored once. */
    fingerprint: column.bytes().optional(),
  },
)

type CardRecord = Omit<RowOf<typeof storedCards>, 'name' | 'wrappedKey' | 'sealedPan' | 'voidedAt'> & {
  readonly expiry: CardExpiry
}

export type LiveCard = CardRecord & {
  readonly voidedAt?: undefined
  readonly name: string
  readonly wrappedKey: Uint8Array
  readonly sealedPan: Uint8Array
}

export type VoidedCard = CardRecord & {
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
