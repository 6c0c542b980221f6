// Wallets from memory, and notices of their changes between processes.
import { changesChannel, type WalletsDeps } from './deps.ts'
import { type RailCapabilities, type Wallet, withAvailableMethods } from './model.ts'
import { findWallet, findWalletIdByPublicId, type WalletRecord } from './store.ts'
import { createTtlCache, type TtlCacheOptions } from './ttl-cache.ts'

const publicIdPattern = /^[0-9A-Za-z]{16}$/

export type CacheLimits = Omit<TtlCacheOptions<never, never>, 'load'>
export type WalletRecords = ReturnType<typeof createWalletRecords>

export function createWalletRecords(
  { database, capabilitiesOf }: WalletsDeps,
  limits: CacheLimits,
  dropKeys: (walletId?: bigint) => void,
) {
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
    dropKeys(walletId)
    records.drop(({ wallet }) => walletId === undefined || wallet.id === walletId)
  }

  async function existing(walletId: bigint): Promise<WalletRecord> {
    const found = await records.get(walletId)
    if (found === undefined) throw new Error(`there is no wallet ${walletId}`)
    return found
  }

  return {
    find: records.get,
    existing,

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
