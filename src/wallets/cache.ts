// Wallets from memory, never older than the last notice of a change.
import { changesChannel, type WalletsDeps } from './deps.ts'
import { rememberedCredentials, type SecretsInUse, secretsInUse } from './keys/callback-secrets.ts'
import {
  type CallbackCredentials,
  type RailCapabilities,
  type Wallet,
  withAvailableMethods,
} from './model.ts'
import { findWallet, findWalletIdByPublicId, type WalletRecord } from './store.ts'

const publicIdPattern = /^[0-9A-Za-z]{16}$/

export interface TtlCacheOptions<Key, Value> {
  load(key: Key): Promise<Value | undefined>
  readonly freshMs: number
  readonly entriesMax: number
  /** Real time in milliseconds, because the sandbox's clock can jump. */
  elapsed(): number
}

export type CacheLimits = Omit<TtlCacheOptions<never, never>, 'load'>

/** The longest time that a cached record is used, if the notice of a change is lost. */
const freshMs = 5000
/** About 50 MB. With more active keys or wallets the database answers the rest. */
const entriesMax = 20_000

export function cacheLimits({ elapsed }: Pick<WalletsDeps, 'elapsed'>): CacheLimits {
  return { freshMs, entriesMax, elapsed: elapsed ?? (() => performance.now()) }
}

export interface TtlCache<Key, Value> {
  /** The cached value, or a promise of it; undefined if it does not exist. */
  get(key: Key): Value | Promise<Value | undefined>
  wouldLoad(key: Key): boolean
  /** The value if it is cached and fresh. */
  peek(key: Key): Value | undefined
  /** The cached value of any age. */
  last(key: Key): Value | undefined
  drop(matches: (value: Value) => boolean): void
}

interface Entry<Value> {
  readonly value: Value
  readonly freshUntil: number
}

/** Misses share one load per key. A load that started before a drop may be stale, so its value is not cached. */
export function createTtlCache<Key, Value>(options: TtlCacheOptions<Key, Value>): TtlCache<Key, Value> {
  const entries = new Map<Key, Entry<Value>>()
  const loads = new Map<Key, Promise<Value | undefined>>()

  function fresh(key: Key): Entry<Value> | undefined {
    const entry = entries.get(key)
    return entry !== undefined && options.elapsed() < entry.freshUntil ? entry : undefined
  }

  function get(key: Key): Value | Promise<Value | undefined> {
    return fresh(key)?.value ?? loads.get(key) ?? load(key)
  }

  function load(key: Key): Promise<Value | undefined> {
    // Measured before the load: the value may be that old.
    const freshUntil = options.elapsed() + options.freshMs
    const loading = options
      .load(key)
      .then((value) => {
        if (loads.get(key) === loading) remember(key, value, freshUntil)
        return value
      })
      .finally(() => {
        if (loads.get(key) === loading) loads.delete(key)
      })
    loads.set(key, loading)
    return loading
  }

  function remember(key: Key, value: Value | undefined, freshUntil: number): void {
    entries.delete(key)
    if (value === undefined) return
    entries.set(key, { value, freshUntil })
    if (entries.size > options.entriesMax) entries.delete(entries.keys().next().value as Key)
  }

  return {
    get,
    peek: (key) => fresh(key)?.value,
    wouldLoad: (key) => fresh(key) === undefined && !loads.has(key),
    last: (key) => entries.get(key)?.value,
    drop(matches) {
      loads.clear()
      for (const [key, { value }] of entries) if (matches(value)) entries.delete(key)
    },
  }
}

interface KeyCache {
  drop(walletId?: bigint): void
  isEsbToken(token: string, digest: Uint8Array): boolean
}

export type WalletRecords = ReturnType<typeof createWalletRecords>

/** Wallets from memory, and notices of their changes between processes. */
export function createWalletRecords(deps: WalletsDeps, limits: CacheLimits, keys: KeyCache) {
  const { database, clock, capabilitiesOf } = deps
  const credentials = rememberedCredentials(deps)
  const records = createTtlCache<bigint, WalletRecord>({
    ...limits,
    load: (id) => findWallet(database, id),
  })
  const idsByPublicId = createTtlCache<string, bigint>({
    ...limits,
    load: (publicId) => findWalletIdByPublicId(database, publicId),
  })
  const offered = new WeakMap<
    Wallet,
    { readonly served: RailCapabilities | undefined; readonly wallet: Wallet }
  >()

  function forget(walletId?: bigint): void {
    keys.drop(walletId)
    records.drop(({ wallet }) => walletId === undefined || wallet.id === walletId)
  }

  async function existing(walletId: bigint): Promise<WalletRecord> {
    const found = await records.get(walletId)
    if (found === undefined) throw new Error(`there is no wallet ${walletId}`)
    return found
  }

  return {
    find: records.get,

    /** Whether `token` is the ESB token of the wallet (CONTRACT section 4). */
    async esbTokenMatches(walletId: bigint, token: string): Promise<boolean> {
      const digest = (await records.get(walletId))?.esbTokenDigest
      return digest != null && keys.isEsbToken(token, digest)
    },

    /** The credentials of callbacks to the merchant; throws for a consumer. */
    callbackCredentials: async (walletId: bigint): Promise<CallbackCredentials> =>
      credentials(await existing(walletId), clock.now()),

    secretsOf: async (walletId: bigint): Promise<SecretsInUse> =>
      secretsInUse(await existing(walletId), clock.now()),

    async start(): Promise<void> {
      await database.listen(changesChannel, (payload) =>
        forget(/^\d+$/.test(payload) ? BigInt(payload) : undefined),
      )
    },

    /** Drops the wallet from the cache of every process. */
    async notifyChanged(walletId: bigint): Promise<void> {
      forget(walletId)
      await database.notify(changesChannel, String(walletId))
    },

    async findByPublicId(publicId: string): Promise<Wallet | undefined> {
      const id = publicIdPattern.test(publicId) ? await idsByPublicId.get(publicId) : undefined
      return id === undefined ? undefined : (await existing(id)).wallet
    },

    /** A wallet with its available methods; throws if it does not exist. */
    async withAvailableMethods(walletId: bigint): Promise<Wallet> {
      const { wallet } = await existing(walletId)
      const served = capabilitiesOf?.(walletId)
      const known = offered.get(wallet)
      if (known !== undefined && known.served === served) return known.wallet
      const made = withAvailableMethods(wallet, served)
      offered.set(wallet, { served, wallet: made })
      return made
    },
  }
}
