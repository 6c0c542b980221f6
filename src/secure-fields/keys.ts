// Keys of secure form fields: a new pair each day, stored sealed.
import { createECDH } from 'node:crypto'
import { type Randomness, randomBase62 } from '../kernel/random.ts'
import { open, seal } from '../kernel/sealing.ts'
import { type Instant, instant } from '../kernel/time.ts'
import { type SealedColumn, sealedColumn } from '../storage/index.ts'
import type { SecureFieldsDeps } from './deps.ts'
import { keyOverlapMs, keyRotationMs, type PublicJwk, type SecureFieldKey } from './model.ts'
import { findAcceptedKeys, findKey, insertKey } from './store.ts'

const kidLength = 16
const privateKeyBytes = 32
const coordinateBytes = 32

type KeysDeps = Pick<SecureFieldsDeps, 'database' | 'keyring' | 'random'>

export type PrivateJwk = Pick<PublicJwk, 'kty' | 'crv' | 'x' | 'y'> & { readonly d: string }

/** Newest first, with the key of the day. Parallel processes return the same key. */
export async function publicKeys(deps: KeysDeps, now: Instant): Promise<PublicJwk[]> {
  const dayNumber = BigInt(Math.floor(now / keyRotationMs))
  let accepted = await findAcceptedKeys(deps.database, now)
  if (!accepted.some((key) => key.dayNumber >= dayNumber)) {
    await insertKey(deps.database, makeKey(deps, dayNumber, now))
    accepted = await findAcceptedKeys(deps.database, now)
  }
  return accepted.map(({ publicKey }) => publicKey)
}

export async function privateKey(deps: KeysDeps, kid: string, now: Instant): Promise<PrivateJwk | undefined> {
  const key = await findKey(deps.database, kid, now)
  if (key === undefined) return undefined
  const { kty, crv, x, y } = key.publicKey
  return {
    kty,
    crv,
    x,
    y,
    d: open(deps.keyring, key.sealedPrivate, associatedDataOf(kid)).toString('base64url'),
  }
}

function makeKey({ keyring, random }: KeysDeps, dayNumber: bigint, now: Instant): SecureFieldKey {
  const kid = randomBase62(random, kidLength)
  const ecdh = createECDH('prime256v1')
  const secret = randomPrivateKey(random, ecdh)
  const point = ecdh.getPublicKey()
  return {
    dayNumber,
    kid,
    publicKey: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 1 + coordinateBytes).toString('base64url'),
      y: point.subarray(1 + coordinateBytes).toString('base64url'),
      kid,
      use: 'enc',
      alg: 'ECDH-ES',
    },
    sealedPrivate: seal(keyring, secret, associatedDataOf(kid), random),
    createdAt: now,
    notAfter: instant(Number(dayNumber + 1n) * keyRotationMs + keyOverlapMs),
  }
}

/** Nearly every random value is valid: all except one in four thousand million. */
function randomPrivateKey(random: Randomness, ecdh: ReturnType<typeof createECDH>): Uint8Array {
  for (;;) {
    const secret = random.bytes(privateKeyBytes)
    try {
      ecdh.setPrivateKey(secret)
      return secret
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_CRYPTO_INVALID_KEYTYPE') throw error
    }
  }
}

function associatedDataOf(kid: string): string {
  return `secure field key ${kid}`
}

export const secureFieldSecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: 'secure_field_keys',
    table: 'secure_field_keys',
    column: 'sealed_private',
    key: { day_number: 'bigint' },
    also: ['kid'],
    associatedDataOf: (row) => associatedDataOf(String(row.kid)),
  }),
]
