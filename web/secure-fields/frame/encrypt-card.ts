// A card, encrypted field by field for the gateway alone.
import { brandOf } from '../../checkout/fields/card-number.ts'
import { type CardValues, type EncryptedCard, type FieldName, fieldNames } from '../messages.ts'
import { encryptFor, type RecipientKey } from './jwe.ts'

/** What one card is encrypted with. */
export interface Ticket {
  readonly key: RecipientKey
  readonly session: string
  /** The gateway's time now, in milliseconds since the epoch. */
  readonly iat: number
}

/** As long as the gateway takes the card (CONTRACT section 8). */
const lifetimeMs = 15 * 60_000

/**
 * Binds each field to its name, the merchant, its page and the three others, so that it is good for nothing else.
 *
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
