// Who is calling: answered from memory in microseconds, and never with a key that was revoked before.

import { ok, type Result, refuse } from '../../kernel/result.ts'
import type { Caller } from '../../kernel/values/permissions.ts'
import type { WalletsDeps } from '../deps.ts'
import { createFreshCache, type FreshCacheOptions } from '../fresh-cache.ts'
import { readApiKey } from './api-key.ts'
import { createMatcher, pepperFor } from './digests.ts'
import { findKey } from './key-store.ts'

interface KnownKey {
  readonly caller: Caller
  readonly digest: Uint8Array
  readonly revoked: boolean
}

export interface KeyAuthentication {
  /**
   * The caller that presents `key`, at once when the key is in memory.
   * Refusals: authentication_required for what is no key; invalid_api_key for a wrong checksum, an unknown
   * or a revoked key, which are told apart to nobody.
   *
   * @param mayAsk called before the database is asked about a key that nobody has shown to be right; where it
   * answers false, nothing is asked and the refusal is too_many_requests
   */
  byApiKey(key: string, mayAsk?: () => boolean): Result<Caller> | Promise<Result<Caller>>
  /** Forgets the keys of a wallet, or all of them. */
  drop(walletId?: bigint): void
}

/** Authentication by API key; what is kept, and for how long, is decision 0009. */
export function createKeyAuthentication(
  deps: WalletsDeps,
  limits: Pick<FreshCacheOptions<string, KnownKey>, 'freshMs' | 'entriesMax' | 'elapsed'>,
): KeyAuthentication {
  const matches = createMatcher(pepperFor(deps.keyring, 'apiKey'))
  const keys = createFreshCache<string, KnownKey>({ ...limits, load })

  async function load(keyId: string): Promise<KnownKey | undefined> {
    const record = await findKey(deps.database, keyId)
    if (record === undefined) return undefined
    const caller: Caller = {
      walletId: record.walletId,
      keyId,
      permissions: new Set(record.permissions),
      rights: new Set(record.rights),
    }
    return { caller, digest: record.digest, revoked: record.revoked }
  }

  function admit(known: KnownKey | undefined, key: string): Result<Caller> {
    if (known === undefined || !matches(key, known.digest) || known.revoked) {
      return refuse('invalid_api_key', 'the API key is unknown or revoked')
    }
    return ok(known.caller)
  }

  return {
    byApiKey(key, mayAsk = () => true) {
      const keyId = readApiKey(key, deps.mode)
      if (!keyId.ok) return keyId
      // A merchant's own requests are not held up by guesses from the address that both share.
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
    drop(walletId) {
      keys.drop(({ caller }) => walletId === undefined || caller.walletId === walletId)
    },
  }
}
