// API keys and the digests of secrets.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { cellBase62, type Randomness, randomBase62, toBase62 } from '../../kernel/random.ts'
import { ok, type Result, refuse } from '../../kernel/result.ts'
import { deriveKey, type Keyring } from '../../kernel/sealing.ts'
import { day } from '../../kernel/time.ts'
import type { Caller } from '../../kernel/values/permissions.ts'
import { type CacheLimits, createTtlCache } from '../cache.ts'
import type { WalletsDeps } from '../deps.ts'
import { type Mode, whileSuspended } from '../model.ts'
import { findKey } from './key-store.ts'
import { createKeyUses } from './key-uses.ts'

interface KnownKey {
  readonly caller: Caller
  readonly digest: Uint8Array
  readonly revoked: boolean
  usedOn?: number
}

export interface KeyAuthentication {
  /**
   * The caller that presents `key`, without a promise if the key is cached.
   * Refusals: authentication_required for a malformed key; invalid_api_key for an unknown, revoked or mistyped key.
   *
   * @param mayAsk called before the database is asked about an unconfirmed key; false means too_many_requests
   */
  byApiKey(key: string, mayAsk?: () => boolean): Result<Caller> | Promise<Result<Caller>>
  /** Whether the cache knows no change of the caller since `byApiKey` returned it. */
  isCurrent(caller: Caller): boolean
  drop(walletId?: bigint): void
  /** Whether a token is the ESB token with this digest. */
  isEsbToken(token: string, digest: Uint8Array): boolean
}

export function createKeyAuthentication(deps: WalletsDeps, limits: CacheLimits): KeyAuthentication {
  const matches = createMatcher(pepperFor(deps.keyring, 'apiKey'))
  const keys = createTtlCache<string, KnownKey>({ ...limits, load })
  const uses = createKeyUses(deps)
  const isEsbToken = createMatcher(pepperFor(deps.keyring, 'esbToken'))

  async function load(keyId: string): Promise<KnownKey | undefined> {
    const record = await findKey(deps.database, keyId)
    if (record === undefined) return undefined
    const caller: Caller = {
      walletId: record.walletId,
      keyId,
      permissions: new Set(record.permissions),
      rights: new Set(record.rights),
      ...(record.suspendedAt !== undefined && { suspended: whileSuspended }),
    }
    return { caller, digest: record.digest, revoked: record.revoked }
  }

  function admit(known: KnownKey | undefined, key: string): Result<Caller> {
    if (known === undefined || !matches(key, known.digest) || known.revoked) {
      return refuse('invalid_api_key', 'the API key is unknown or revoked')
    }
    const today = Math.floor(deps.clock.now() / day)
    if (known.usedOn !== today) {
      known.usedOn = today
      uses.note(known.caller.keyId, today)
    }
    return ok(known.caller)
  }

  return {
    byApiKey(key, mayAsk = () => true) {
      const keyId = readApiKey(key, deps.mode)
      if (!keyId.ok) return keyId
      // Keys guessed from a shared address must not block requests there with a confirmed key.
      const isKnownRight = () => {
        const last = keys.last(keyId.value)
        return last !== undefined && matches(key, last.digest)
      }
      if (keys.wouldLoad(keyId.value) && !isKnownRight() && !mayAsk()) {
        return refuse('too_many_requests', 'too many unknown API keys came from this address')
      }
      const known = keys.get(keyId.value)
      return known instanceof Promise ? known.then((loaded) => admit(loaded, key)) : admit(known, key)
    },
    isCurrent: (caller) => keys.peek(caller.keyId)?.caller === caller,
    isEsbToken,
    drop(walletId) {
      keys.drop(({ caller }) => walletId === undefined || caller.walletId === walletId)
    },
  }
}

const idLength = 8
const secretLength = 32
/** Six characters can hold every CRC-32, because 62⁶ is more than 2³². */
const checksumLength = 6

const prefixes: Readonly<Record<Mode, string>> = { sandbox: 'cmp_test_', production: 'cmp_live_' }
const keyPattern = /^cmp_(?:test|live)_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}$/

/** A new key `cmp_test_<id>_<secret><checksum>` and its id. Only the digest is stored. */
export function mintApiKey(mode: Mode, random: Randomness): { id: string; key: string } {
  const id = cellBase62(random, idLength)
  const body = `${prefixes[mode]}${id}_${randomBase62(random, secretLength)}`
  return { id, key: body + checksumOf(body) }
}

/** The id in an API key. Refusals: authentication_required for another form; invalid_api_key for a checksum or mode. */
export function readApiKey(key: string, mode: Mode): Result<string> {
  const id = keyPattern.exec(key)?.[1]
  if (id === undefined) {
    return refuse(
      'authentication_required',
      `an API key looks like ${prefixes[mode]}<8 letters or digits>_<38 more>`,
    )
  }
  if (checksumOf(key.slice(0, -checksumLength)) !== key.slice(-checksumLength)) {
    return refuse('invalid_api_key', 'the API key was mistyped or cut off: its checksum is wrong')
  }
  if (!key.startsWith(prefixes[mode])) {
    return refuse(
      'invalid_api_key',
      `this gateway runs in ${mode} mode: its API keys begin with ${prefixes[mode]}`,
    )
  }
  return ok(id)
}

function checksumOf(body: string): string {
  return toBase62(crc32(body), checksumLength)
}

/** Never change a purpose: the digests derived for it would stop matching. */
const purposes = { apiKey: 'api keys', esbToken: 'esb tokens', pin: 'pins' } as const

/** The key is prepared once, because with raw bytes each HMAC took 31 µs instead of 6. */
export function pepperFor(keyring: Keyring, secret: keyof typeof purposes): KeyObject {
  return createSecretKey(deriveKey(keyring, purposes[secret]))
}

/** The stored form of a key or token: HMAC-SHA-256 with the pepper of the server. */
export function digestOf(pepper: KeyObject, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest()
}

/** Compares in constant time. */
export function matchesDigest(pepper: KeyObject, secret: string, digest: Uint8Array): boolean {
  return timingSafeEqual(digestOf(pepper, secret), digest)
}

/** {@link matchesDigest} that compares a confirmed secret directly the next time, in a twentieth of the time. */
export function createMatcher(pepper: KeyObject): (secret: string, digest: Uint8Array) => boolean {
  const matched = new WeakMap<Uint8Array, Buffer>()
  return (secret, digest) => {
    const known = matched.get(digest)
    const presented = Buffer.from(secret)
    if (known?.length === presented.length && timingSafeEqual(presented, known)) return true
    const matches = matchesDigest(pepper, secret, digest)
    if (matches) matched.set(digest, presented)
    return matches
  }
}
