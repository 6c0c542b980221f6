// The entry point of the wallets module: merchants, consumers, their keys, rights, stores and fees.
import type { App } from '../http/index.ts'
import { keyedMutex, limitConcurrency } from '../kernel/concurrency.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Permission } from '../kernel/values/permissions.ts'
import { refusingTransaction } from '../storage/index.ts'
import { brandingRoutes } from './branding/routes.ts'
import { type ConsumerRow, findConsumer, listConsumers } from './consumer-store.ts'
import { createConsumer, logInConsumer, type NewConsumer } from './consumers.ts'
import { createDemoWorld, type DemoWorld, type DemoWorldOptions } from './demo/demo-world.ts'
import { changesChannel, type WalletsDeps } from './deps.ts'
import { rememberedCredentials, type SecretsInUse, secretsInUse } from './keys/callback-secrets.ts'
import { createKeyAuthentication, createMatcher, pepperFor } from './keys/credentials.ts'
import { listKeys } from './keys/key-store.ts'
import { type CreatedKey, createKey, revokeKey } from './keys/keys.ts'
import { walletSecrets } from './keys/sealed-secrets.ts'
import {
  type ChangedMerchant,
  type CreatedMerchant,
  changeMerchant,
  createMerchant,
  type MerchantExtras,
  type NewMerchantSettings,
} from './merchants.ts'
import {
  type ApiKey,
  type CallbackCredentials,
  type RailCapabilities,
  type Wallet,
  withAvailableMethods,
} from './model.ts'
import { type OwnChanges, type OwnExtras, ownSettings } from './own-settings.ts'
import { walletRoutes } from './routes.ts'
import type { SettingsChanges } from './settings.ts'
import { findWallet, findWalletIdByPublicId, listMerchants, listStores, type WalletRecord } from './store.ts'
import { createFreshCache } from './ttl-cache.ts'

export { colourPath, logoPath } from './branding/routes.ts'
export { readDemoKeys } from './demo/demo-file.ts'
export type { DemoWorld, DemoWorldOptions } from './demo/demo-world.ts'
export { feeRateInWords, parseFeeRate } from './fee-model.ts'
export {
  type CallbackCredentials,
  type RailCapabilities,
  unavailableReason,
  type Wallet,
  whileSuspended,
} from './model.ts'
export type { SettingsChanges } from './settings.ts'
export { walletSecrets }

/** The bound on how long a process may go on with what was changed elsewhere when a notice is lost. */
const freshMs = 5000
/** Some 50 MB at most; a gateway with more active keys or wallets asks the database for the rest. */
const cachedEntriesMax = 20_000
/** Hashing a PIN keeps a core busy for 50 ms: two leave cores for payments, and the last to wait waits half a second. */
const logInsAtOnce = { running: 2, waiting: 20 }
const publicIdPattern = /^[0-9A-Za-z]{16}$/
const keyIdPattern = /^[0-9A-Za-z]{8}$/

export type Wallets = ReturnType<typeof createWallets>

/** Wires the module. Call `start` once the database is reachable, so that this process is notified of changes by others. */
export function createWallets(deps: WalletsDeps) {
  const { database, keyring } = deps
  const limits = { freshMs, entriesMax: cachedEntriesMax, elapsed: deps.elapsed ?? (() => performance.now()) }
  const authentication = createKeyAuthentication(deps, limits)
  const records = createFreshCache<bigint, WalletRecord>({
    ...limits,
    load: (id) => findWallet(database, id),
  })
  const idsByPublicId = createFreshCache<string, bigint>({
    ...limits,
    load: (publicId) => findWalletIdByPublicId(database, publicId),
  })
  // A try counts before it is judged: three right PINs at once would lock the wallet for as long as that takes.
  const logInsInTurn = keyedMutex<Result<bigint>>()
  const fewLogIns = limitConcurrency(logInsAtOnce)
  const matchesEsb = createMatcher(pepperFor(keyring, 'esbToken'))
  const credentials = rememberedCredentials(deps)

  function forget(walletId?: bigint): void {
    authentication.drop(walletId)
    records.drop(({ wallet }) => walletId === undefined || wallet.id === walletId)
  }

  /** Invalidates the wallet in this process's cache, and notifies every other process. */
  async function notifyChanged(walletId: bigint): Promise<void> {
    forget(walletId)
    await database.notify(changesChannel, String(walletId))
  }

  /** Runs `work` in a transaction of which a refusal leaves nothing. */
  async function record(walletId: bigint): Promise<WalletRecord> {
    const found = await records.get(walletId)
    if (found === undefined) throw new Error(`there is no wallet ${walletId}`)
    return found
  }

  const shown = new WeakMap<
    Wallet,
    { readonly served: RailCapabilities | undefined; readonly wallet: Wallet }
  >()

  async function get(walletId: bigint): Promise<Wallet> {
    const { wallet } = await record(walletId)
    const served = deps.capabilitiesOf?.(walletId)
    const known = shown.get(wallet)
    if (known !== undefined && known.served === served) return known.wallet
    const made = withAvailableMethods(wallet, served)
    shown.set(wallet, { served, wallet: made })
    return made
  }

  return {
    authenticate: {
      byApiKey: authentication.byApiKey,
      isCurrent: authentication.isCurrent,
      /** Whether `token` is the ESB token of the wallet (CONTRACT section 4). */
      async esbTokenMatches(walletId: bigint, token: string): Promise<boolean> {
        const digest = (await records.get(walletId))?.esbTokenDigest
        return digest != null && matchesEsb(token, digest)
      },
    },

    /** Begins to hear of changes made by other processes. */
    async start(): Promise<void> {
      await database.listen(changesChannel, (payload) =>
        forget(/^\d+$/.test(payload) ? BigInt(payload) : undefined),
      )
    },

    /**
     * The wallet of a number that is known to exist, with the methods that there are rails for and that its merchant
     * offers; throws when it does not.
     */
    get,

    /** As its operator has set it. */
    async find(walletId: bigint): Promise<Wallet | undefined> {
      return (await records.get(walletId))?.wallet
    },

    /** The wallet that a split descriptor names. */
    async findByPublicId(publicId: string): Promise<Wallet | undefined> {
      const id = publicIdPattern.test(publicId) ? await idsByPublicId.get(publicId) : undefined
      return id === undefined ? undefined : (await record(id)).wallet
    },

    /** What callbacks to the merchant are authorized and signed with; throws for who is no merchant. */
    async callbackCredentials(walletId: bigint): Promise<CallbackCredentials> {
      return credentials(await record(walletId), deps.clock.now())
    },

    /** Every merchant, for the operator. */
    listMerchants: (): Promise<Wallet[]> => listMerchants(database),

    /** Refusals: invalid_parameter naming the setting. */
    createMerchant: (
      settings: NewMerchantSettings,
      extras?: Pick<MerchantExtras, 'addStores' | 'logo'>,
    ): Promise<Result<CreatedMerchant>> =>
      refusingTransaction(database, (tx) => createMerchant(deps, tx, settings, extras)),

    /** Changes what is named and nothing else, all of it or nothing. Refusals: invalid_parameter, not_found. */
    async changeMerchant(
      walletId: bigint,
      changes: SettingsChanges,
      extras?: MerchantExtras,
    ): Promise<Result<ChangedMerchant>> {
      const changed = await refusingTransaction(database, (tx) =>
        changeMerchant(deps, tx, walletId, changes, extras),
      )
      if (changed.ok) await notifyChanged(walletId)
      return changed
    },

    /** Refusals: invalid_parameter, not_found. */
    createKey: (
      walletId: bigint,
      permissions?: readonly Permission[],
      name?: string,
    ): Promise<Result<CreatedKey>> => createKey(deps, database, walletId, { permissions, name }),

    /**
     * Ends a key at once, in every process. Refusals: not_found.
     *
     * @param owner the wallet whose key it must be; absent: anybody's, for the operator
     */
    async revokeKey(keyId: string, owner?: bigint): Promise<Result<void>> {
      const known = keyIdPattern.test(keyId) ? keyId : ''
      const revoked = await revokeKey(deps, database, known, owner ?? null)
      if (!revoked.ok) return revoked
      await notifyChanged(revoked.value)
      return ok(undefined)
    },

    /** Which secrets the merchant has, and until when those before are still offered; none of them itself. */
    secretsOf: async (walletId: bigint): Promise<SecretsInUse> =>
      secretsInUse(await record(walletId), deps.clock.now()),

    /** Keys of one wallet, or of all, without their secrets. */
    listKeys: (walletId?: bigint): Promise<ApiKey[]> => listKeys(database, walletId ?? null),

    /** A consumer's wallet with no balance yet; answers its number. Refusals: invalid_parameter. */
    createConsumer: (consumer: NewConsumer): Promise<Result<bigint>> =>
      refusingTransaction(database, (tx) => createConsumer(deps, tx, consumer)),

    /** Refusals: authentication_failed, pin_retries_exhausted; service_unavailable, no try counted, when too many wait. */
    logInConsumer: async (email: string, pin: string): Promise<Result<bigint>> =>
      (await fewLogIns(() =>
        logInsInTurn(email.trim().toLowerCase(), () => logInConsumer(deps, email, pin)),
      )) ?? refuse('service_unavailable', 'too many people log in at this moment'),

    findConsumer: (email: string): Promise<ConsumerRow | undefined> => findConsumer(database, email),

    /** Oldest first. */
    listConsumers: (limit: number): Promise<ConsumerRow[]> => listConsumers(database, limit),

    /** The wallet's stores with their names. */
    listStores: (walletId: bigint) => listStores(database, walletId),

    /**
     * What a merchant's own team changes, by the same rules. Refusals: those of `changeMerchant`; access_denied for what
     * its operator alone may change.
     */
    async changeOwnSettings(
      walletId: bigint,
      changes: OwnChanges,
      extras: OwnExtras = {},
    ): Promise<Result<Wallet>> {
      const found = await records.get(walletId)
      const own = ownSettings(changes, found?.wallet.methods ?? [])
      if (!own.ok) return own
      const changed = await refusingTransaction(database, (tx) =>
        changeMerchant(deps, tx, walletId, own.value, extras),
      )
      if (!changed.ok) return changed
      await notifyChanged(walletId)
      return ok(changed.value.wallet)
    },

    secrets: walletSecrets,

    routes(app: App): void {
      walletRoutes(get)(app)
      brandingRoutes(database)(app)
    },

    /** Makes the demo world where it is missing and writes demo.json. For the sandbox only. */
    async createDemoWorld(options: DemoWorldOptions): Promise<DemoWorld> {
      const world = await createDemoWorld(deps, options)
      for (const walletId of world.changed) await notifyChanged(walletId)
      return world
    },
  }
}
