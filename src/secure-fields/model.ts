// Types, limits and tables of secure form fields.
import type { Instant } from '../kernel/time.ts'
import { day, hour, minute, second } from '../kernel/time.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const keyRotationMs = day
/** Old keys stay valid for this time. Open pages fetch the keys every few minutes. */
export const keyOverlapMs = 2 * hour
/** How long a card is valid after its encryption. Sessions last as long. */
export const lifetimeMinutes = 15
export const lifetimeMs = lifetimeMinutes * minute
export const skewMs = 60 * second
export const jweLengthMax = 4000
export const valueLengthMax = 200

export const secureFieldNames = ['number', 'name', 'vcode', 'valdate'] as const

export type SecureFieldName = (typeof secureFieldNames)[number]

export type NewCardSecure = Readonly<Partial<Record<SecureFieldName, unknown>>>

export interface FieldPayload {
  readonly merchant: string
  readonly session: string
  readonly field: SecureFieldName
  /** The origin of the page that embeds the frame, as the browser reports it. */
  readonly origin: string
  readonly set: string
  readonly iat: Instant
  readonly value: string
}

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

export type CardUse = RowOf<typeof secureFieldUses>

/** Must never be logged. Record its use with `consume`. */
export interface DecryptedCard {
  readonly number: string
  readonly name: string
  readonly vcode: string
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

export type SecureFieldKey = RowOf<typeof secureFieldKeys>

export interface PublicJwk {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  readonly kid: string
  readonly use: 'enc'
  readonly alg: 'ECDH-ES'
}
