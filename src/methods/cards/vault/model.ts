// A stored card: live or voided.
import type { Instant } from '../../../kernel/time.ts'
import { column, type RowOf, table } from '../../../storage/tables/table.ts'
import type { Authentication, CardExpiry } from '../model.ts'

export interface OpenedCard {
  readonly number: string
  readonly expiry: CardExpiry
  readonly name: string
}

/**
 * `merchant`: the merchant may charge it at any time. `subscription`: only one subscription may. `customer`:
 * the customer may pay with it on checkouts of the shop.
 */
export type KeptFor = 'merchant' | 'subscription' | 'customer'

export const storedCards = table(
  'stored_cards',
  {
    walletId: column.bigint(),
    token: column.uuid(),
    wrappedKey: column.bytes().optional(),
    sealedPan: column.bytes().optional(),
    bin: column.text(),
    last4: column.text(),
    brand: column.text(),
    valdate: column.text(),
    name: column.text().optional(),
    /** Whether the issuer authenticated the customer when the card was stored. */
    verificationStatus: column.text<'VERIFIED' | 'UNVERIFIED'>(),
    keptFor: column.text<KeptFor>(),
    customerId: column.uuid().optional(),
    /** Of a customer's card: the issuer refused it for good. */
    refusedAt: column.instant().optional(),
    authentication: column.json<Authentication>().optional(),
    createdAt: column.instant(),
    modifiedAt: column.instant(),
    voidedAt: column.instant().optional(),
  },
  {
    /** A keyed hash of the number, by which a merchant stores each card once. */
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

export interface CardToStore {
  readonly walletId: bigint
  /** A new UUID, or a subscription's existing token. A card that was stored before keeps its own. */
  readonly token: string
  readonly keptFor: KeptFor
  /** For `customer`. */
  readonly customerId?: string | undefined
  readonly card: OpenedCard
  readonly authentication?: Authentication | undefined
  readonly verified: boolean
}
