// Encryption of a card, field by field.
import { brandOf } from '../../checkout/fields/card-number.ts'
import { type CardValues, type EncryptedCard, type FieldName, fieldNames } from '../messages.ts'
import { encryptFor, type RecipientKey } from './jwe.ts'

export interface Ticket {
  readonly key: RecipientKey
  readonly session: string
  /** Gateway time in milliseconds since 1970. */
  readonly iat: number
}

/** An encrypted card is valid for this time (CONTRACT section 8). */
const lifetimeMs = 15 * 60_000

/**
 * Encrypts each field together with its name, the merchant, the page and the other fields. So nobody can use a value
 * elsewhere.
 * @param merchant public id
 * @param origin of the merchant's page
 */
export async function encryptCard(
  values: CardValues,
  { key, session, iat }: Ticket,
  { merchant, origin }: { readonly merchant: string; readonly origin: string },
): Promise<EncryptedCard> {
  const set = crypto.randomUUID()
  const encrypted = await Promise.all(
    fieldNames.map(async (field) => {
      const payload = { merchant, session, field, origin, set, iat, value: values[field] }
      return [field, await encryptFor(key, JSON.stringify(payload))] as const
    }),
  )
  return {
    newCardSecure: Object.fromEntries(encrypted) as Record<FieldName, string>,
    brand: brandOf(values.number) ?? null,
    last4: values.number.slice(-4),
    bin: values.number.slice(0, 6),
    expiresAt: new Date(iat + lifetimeMs).toISOString(),
  }
}
