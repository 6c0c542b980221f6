// Checks of a decrypted card: its fields belong together, are fresh, and are for this merchant.
import { isUuid } from '../kernel/random.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { after, type Instant } from '../kernel/time.ts'
import {
  type FieldPayload,
  lifetimeMinutes,
  lifetimeMs,
  type SecureFieldName,
  type Session,
  secureFieldNames,
  skewMs,
  valueLengthMax,
} from './model.ts'
import { isAllowed } from './origins-rules.ts'

export interface Surroundings {
  readonly merchant: string
  readonly allowedOrigins: readonly string[]
  readonly now: Instant
  sessionOf(token: string): Session | undefined
}

const again = 'encrypt the card again'

export function readPayload(plaintext: Uint8Array): FieldPayload | undefined {
  const payload = parsed(plaintext)
  const texts = ['merchant', 'session', 'field', 'origin', 'set', 'value']
  const isPayload =
    texts.every((name) => typeof payload[name] === 'string') &&
    Number.isSafeInteger(payload.iat) &&
    isUuid(payload.set as string) &&
    (payload.value as string).length <= valueLengthMax &&
    secureFieldNames.some((name) => name === payload.field)
  return isPayload ? (payload as unknown as FieldPayload) : undefined
}

function parsed(plaintext: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(Buffer.from(plaintext).toString()))
  } catch {
    return {}
  }
}

export function checkCard(
  fields: Readonly<Record<SecureFieldName, FieldPayload>>,
  around: Surroundings,
): Result<{ readonly session: Session; readonly setId: string }> {
  const session = around.sessionOf(fields.number.session)
  for (const name of secureFieldNames) {
    const wrong = problemOf(name, fields[name], session, around)
    if (wrong !== undefined) return refuse('invalid_parameter', `newCardSecure.${name} ${wrong}`)
  }
  for (const name of secureFieldNames) {
    const { set, session: token } = fields[name]
    if (set !== fields.number.set || token !== fields.number.session) {
      const reason = `newCardSecure.${name} and newCardSecure.number belong to different cards: send the four fields of one encrypt()`
      return refuse('invalid_parameter', reason)
    }
  }
  return ok({ session: session as Session, setId: fields.number.set })
}

function problemOf(
  name: SecureFieldName,
  payload: FieldPayload,
  sessionOfNumber: Session | undefined,
  { merchant, allowedOrigins, now, sessionOf }: Surroundings,
): string | undefined {
  if (payload.merchant !== merchant) return 'was encrypted for another merchant'
  if (payload.field !== name) return `holds the encrypted ${payload.field}`
  if (!isAllowed(payload.origin, allowedOrigins)) {
    return 'was typed on a page whose origin is not registered for this merchant'
  }
  if (payload.iat > after(now, skewMs)) return 'was encrypted in the future'
  if (payload.iat < after(now, -lifetimeMs)) return `is older than ${lifetimeMinutes} minutes: ${again}`
  const session = name === 'number' ? sessionOfNumber : sessionOf(payload.session)
  if (session === undefined) return `carries a session that was not issued here: ${again}`
  if (session.merchant !== merchant) return 'carries the session of another merchant'
  if (payload.iat > after(session.issuedAt, lifetimeMs + skewMs)) {
    return `was encrypted after its session had expired: ${again}`
  }
  return undefined
}
