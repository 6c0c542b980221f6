// A stored card: live or voided.
import type { Instant } from '../../../kernel/time.ts'
import { column, type RowOf, table } from '../../../storage/tables/table.ts'
import type { Authentication, CardExpiry } from '../model.ts'

export interface OpenedCard {
  readonly number: string
  readonly expiry: CardExpiry
  readonly name: string
}

/** `merchant`: the merchant may charge it at any time. `subscription`: only one subscription may. */
export type KeptFor = 'merchant' | 'subscription'

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
  readonly card: OpenedCard
  readonly authentication?: Authentication | undefined
  readonly verified: boolean
}
