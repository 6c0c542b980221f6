// Decrypts cards from secure form fields. Each encrypted card works once.
import { compactDecrypt, decodeProtectedHeader, errors } from 'jose'
import { ok, type Result, refuse } from '../kernel/result.ts'
import { after, type Instant } from '../kernel/time.ts'
import type { Executor } from '../storage/index.ts'
import type { SecureFieldsDeps } from './deps.ts'
import { type PrivateJwk, privateKey } from './keys.ts'
import {
  type CardUse,
  type DecryptedCard,
  type FieldPayload,
  jweLengthMax,
  lifetimeMs,
  type NewCardSecure,
  type SecureFieldName,
  secureFieldNames,
  skewMs,
} from './model.ts'
import { allowedOrigins } from './origins-rules.ts'
import { checkCard, readPayload } from './payload-rules.ts'
import { readSession } from './sessions.ts'
import { recordUse, wasUsed } from './store.ts'

const algorithms = { keyManagementAlgorithms: ['ECDH-ES'], contentEncryptionAlgorithms: ['A256GCM'] }
const kidPattern = /^[0-9A-Za-z]{1,40}$/
const notEncrypted = 'must be the result of encrypt() of the secure form fields'
const usedBefore = 'newCardSecure was used before: encrypt the card again'

/** The caller must {@link consume} the use in its transaction. Refusals name the field, never its content. */
export async function decryptCard(
  deps: SecureFieldsDeps,
  publicId: string,
  newCardSecure: NewCardSecure,
  now: Instant,
): Promise<Result<DecryptedCard>> {
  const merchant = await deps.walletOf(publicId)
  if (merchant === undefined) throw new Error('only an existing merchant can send cards')
  const opened = await openFields(deps, newCardSecure, now)
  if (!opened.ok) return opened
  const fields = opened.value
  const judged = checkCard(fields, {
    merchant: publicId,
    allowedOrigins: allowedOrigins(merchant, deps),
    now,
    sessionOf: (token) => readSession(deps.keyring, token),
  })
  if (!judged.ok) return judged
  const { session, setId } = judged.value
  const use: CardUse = { walletId: merchant.id, sessionId: session.id, setId, usedAt: now }
  if (await wasUsed(deps.database, use)) return refuse('invalid_parameter', usedBefore)
  const [number, name, vcode, valdate] = secureFieldNames.map((field) => fields[field].value) as Four
  return ok({ number, name, vcode, valdate, use })
}

type Four = [string, string, string, string]

/** Call it in the transaction that uses the card. A second use is refused. Refusals: invalid_parameter. */
export async function consume(executor: Executor, use: CardUse): Promise<Result<void>> {
  // By then the card has expired, even on the slowest clock of a process.
  const forgetAt = after(use.usedAt, lifetimeMs + 2 * skewMs)
  return (await recordUse(executor, use, forgetAt)) ? ok(undefined) : refuse('invalid_parameter', usedBefore)
}

async function openFields(
  deps: SecureFieldsDeps,
  newCardSecure: NewCardSecure,
  now: Instant,
): Promise<Result<Readonly<Record<SecureFieldName, FieldPayload>>>> {
  const keys = new Map<string, Promise<PrivateJwk | undefined>>()
  const keyOf = (kid: string) => {
    const key = keys.get(kid) ?? privateKey(deps, kid, now)
    keys.set(kid, key)
    return key
  }
  const fields: Partial<Record<SecureFieldName, FieldPayload>> = {}
  for (const name of secureFieldNames) {
    const field = await openField(name, newCardSecure[name], keyOf)
    if (!field.ok) return field
    fields[name] = field.value
  }
  return ok(fields as Record<SecureFieldName, FieldPayload>)
}

async function openField(
  name: SecureFieldName,
  jwe: unknown,
  keyOf: (kid: string) => Promise<PrivateJwk | undefined>,
): Promise<Result<FieldPayload>> {
  const wrong = (what: string) => refuse('invalid_parameter', `newCardSecure.${name} ${what}`)
  if (jwe === undefined || jwe === null)
    return refuse('missing_parameter', `newCardSecure.${name} is required`)
  if (typeof jwe !== 'string') return wrong(notEncrypted)
  if (jwe.length > jweLengthMax) return wrong(`must have at most ${jweLengthMax} characters`)
  const kid = kidOf(jwe)
  if (kid === undefined) return wrong(notEncrypted)
  const key = await keyOf(kid)
  if (key === undefined) {
    return wrong('was encrypted with a key that is unknown or has expired: encrypt the card again')
  }
  const plaintext = await plaintextOf(jwe, key)
  if (plaintext === undefined) return wrong('cannot be decrypted: it was cut off or changed on its way')
  const payload = readPayload(plaintext)
  return payload === undefined ? wrong(notEncrypted) : ok(payload)
}

function kidOf(text: string): string | undefined {
  if (text.split('.').length !== 5) return undefined
  try {
    const { kid, alg } = decodeProtectedHeader(text)
    return alg === 'ECDH-ES' && typeof kid === 'string' && kidPattern.test(kid) ? kid : undefined
  } catch {
    return undefined
  }
}

async function plaintextOf(jwe: string, key: PrivateJwk): Promise<Uint8Array | undefined> {
  try {
    return (await compactDecrypt(jwe, key, algorithms)).plaintext
  } catch (error) {
    // The platform throws these errors for an invalid point of the curve.
    if (error instanceof errors.JOSEError || error instanceof DOMException || error instanceof TypeError)
      return undefined
    throw error
  }
}
