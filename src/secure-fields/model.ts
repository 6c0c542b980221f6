// What passes between the secure form fields in a customer's browser and the gateway.
import type { Instant } from '../kernel/time.ts'
import { day, hour, minute, second } from '../kernel/time.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

/** A new key is made every day of gateway time. */
export const keyRotationMs = day
/** A replaced key goes on opening cards for this long: pages that were open fetch keys every few minutes. */
export const keyOverlapMs = 2 * hour
/** A card counts for this long after it was encrypted, and a session for this long after it was issued. */
export const lifetimeMinutes = 15
export const lifetimeMs = lifetimeMinutes * minute
/** How far the clocks of two gateway processes may differ. */
export const skewMs = 60 * second
/** A JWE of the longest card field takes about 1100 characters. */
export const jweLengthMax = 4000
/** The longest value is the name on the card, 100 characters. */
export const valueLengthMax = 200

/** The fields of NewCardSecure that carry encrypted strings (SPEC, NewCardSecure). */
export const secureFieldNames = ['number', 'name', 'vcode', 'valdate'] as const

export type SecureFieldName = (typeof secureFieldNames)[number]

/** The encrypted part of NewCardSecure: a compact JWE per field. */
export type NewCardSecure = Readonly<Partial<Record<SecureFieldName, unknown>>>

/** What the frame encrypts for each field. */
export interface FieldPayload {
  /** Public id of the merchant whose page the frame stands in. */
  readonly merchant: string
  /** The session of the frame, as it was issued. */
  readonly session: string
  readonly field: SecureFieldName
  /** Origin of the page that the browser says the frame stands in. */
  readonly origin: string
  /** The same for the four fields that were encrypted together. */
  readonly set: string
  /** When, in milliseconds since the epoch. */
  readonly iat: Instant
  readonly value: string
}

/** A frame's permission to encrypt cards for one merchant. */
export interface Session {
  readonly id: string
  readonly merchant: string
  readonly issuedAt: Instant
}

export const secureFieldUses = table(
  'secure_field_uses',
  {
    walletId: column.bigint(),
    sessionId: column.uuid(),
    setId: column.uuid(),
    usedAt: column.instant(),
  },
  {
    forgetAt: column.instant(),
  },
)

/** One use of an encrypted card; there is no second one. */
export type CardUse = RowOf<typeof secureFieldUses>

/** A decrypted card as it was typed; nothing of it is ever logged. Its use must be recorded with `consume`. */
export interface DecryptedCard {
  readonly number: string
  readonly name: string
  readonly vcode: string
  /** `MM/YYYY` */
  readonly valdate: string
  readonly use: CardUse
}

export const secureFieldKeys = table('secure_field_keys', {
  dayNumber: column.bigint(),
  kid: column.text(),
  publicKey: column.json<PublicJwk>(),
  sealedPrivate: column.bytes(),
  createdAt: column.instant(),
  notAfter: column.instant(),
})

/** A key as the database keeps it. */
export type SecureFieldKey = RowOf<typeof secureFieldKeys>

/** The public half, as it is served. */
export interface PublicJwk {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  readonly kid: string
  readonly use: 'enc'
  readonly alg: 'ECDH-ES'
}
