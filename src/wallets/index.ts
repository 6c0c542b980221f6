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
import { type CacheLimits, createTtlCache } from './ttl-cache.ts'

export { type Shades, shadesOf } from './branding/colour.ts'
export { colourPath, logoPath } from './branding/routes.ts'
export { readDemoKeys } from './demo/demo-file.ts'
export type { DemoWorld, DemoWorldOptions } from './demo/demo-world.ts'
export { formatFeeRate, parseFeeRate } from './fee-model.ts'
export {
  type CallbackCredentials,
  type RailCapabilities,
  unavailableReason,
  type Wallet,
  whileSuspended,
} from './model.ts'
export type { SettingsChanges } from './settings.ts'
export { walletSecrets }

/** Maximum age of a cached record if the notice of a change is lost. */
const freshMs = 5000
/** About 50 MB. With more active keys or wallets the database answers the rest. */
const cachedEntriesMax = 20_000
/** Hashing a PIN takes 50 ms of one core: two at once leave cores for payments, and 20 wait at most half a second. */
const logInsAtOnce = { running: 2, waiting: 20 }
const publicIdPattern = /^[0-9A-Za-z]{16}$/
const keyIdPattern = /^[0-9A-Za-z]{8}$/

export type Wallets = ReturnType<typeof createWallets>

/** Wires the module. Call `start` once the database is reachable, to receive changes made by other processes. */
export function createWallets(deps: WalletsDeps) {
  const { database } = deps
  const limits = { freshMs, entriesMax: cachedEntriesMax, elapsed: deps.elapsed ?? (() => performance.now()) }
  const authentication = createKeyAuthentication(deps, limits)
  const records = createWalletRecords(deps, limits, authentication.drop)
  const matchesEsb = createMatcher(pepperFor(deps.keyring, 'esbToken'))

  return {
    authenticate: {
      byApiKey: authentication.byApiKey,
      isCurrent: authentication.isCurrent,
      /** Whether `token` is the ESB token of the wallet (CONTRACT section 4). */
      async esbTokenMatches(walletId: bigint, token: string): Promise<boolean> {
        const digest = (await records.find(walletId))?.esbTokenDigest
        return digest != null && matchesEsb(token, digest)
      },
    },
    start: records.start,
    ...reading(deps, records),
    ...merchantChanges(deps, records),
    ...keyManagement(deps, records),
    ...consumerAccess(deps),
    secrets: walletSecrets,

    routes(app: App): void {
      walletRoutes(records.withAvailableMethods)(app)
      brandingRoutes(database)(app)
    },

    /** Creates the demo world if it is missing and writes demo.json. For the sandbox only. */
    async createDemoWorld(options: DemoWorldOptions): Promise<DemoWorld> {
      const world = await createDemoWorld(deps, options)
      for (const walletId of world.changed) await records.notifyChanged(walletId)
      return world
    },
  }
}

type WalletRecords = ReturnType<typeof createWalletRecords>

/** Wallets from memory, and notices of their changes between processes. */
function createWalletRecords(
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

function reading(deps: WalletsDeps, records: WalletRecords) {
  const credentials = rememberedCredentials(deps)
  return {
    /** A wallet with its available methods; throws if it does not exist. */
    get: records.withAvailableMethods,

    find: async (walletId: bigint): Promise<Wallet | undefined> => (await records.find(walletId))?.wallet,

    findByPublicId: records.findByPublicId,

    /** The credentials of callbacks to the merchant; throws for a consumer. */
    callbackCredentials: async (walletId: bigint): Promise<CallbackCredentials> =>
      credentials(await records.existing(walletId), deps.clock.now()),

    secretsOf: async (walletId: bigint): Promise<SecretsInUse> =>
      secretsInUse(await records.existing(walletId), deps.clock.now()),

    listMerchants: (): Promise<Wallet[]> => listMerchants(deps.database),

    listStores: (walletId: bigint) => listStores(deps.database, walletId),
  }
}

function merchantChanges(deps: WalletsDeps, records: WalletRecords) {
  /** Changes only the named settings. Refusals: invalid_parameter, not_found. */
  async function change(
    walletId: bigint,
    changes: SettingsChanges,
    extras?: MerchantExtras,
  ): Promise<Result<ChangedMerchant>> {
    const changed = await refusingTransaction(deps.database, (tx) =>
      changeMerchant(deps, tx, walletId, changes, extras),
    )
    if (changed.ok) await records.notifyChanged(walletId)
    return changed
  }

  return {
    createMerchant: (
      settings: NewMerchantSettings,
      extras?: Pick<MerchantExtras, 'addStores' | 'logo'>,
    ): Promise<Result<CreatedMerchant>> =>
      refusingTransaction(deps.database, (tx) => createMerchant(deps, tx, settings, extras)),

    changeMerchant: change,

    /** A change by the merchant's own team. Refusals: also access_denied for settings of the operator. */
    async changeOwnSettings(
      walletId: bigint,
      changes: OwnChanges,
      extras: OwnExtras = {},
    ): Promise<Result<Wallet>> {
      const found = await records.find(walletId)
      const own = ownSettings(changes, found?.wallet.methods ?? [])
      if (!own.ok) return own
      const changed = await change(walletId, own.value, extras)
      return changed.ok ? ok(changed.value.wallet) : changed
    },
  }
}

function keyManagement(deps: WalletsDeps, records: WalletRecords) {
  const { database } = deps
  return {
    createKey: (
      walletId: bigint,
      permissions?: readonly Permission[],
      name?: string,
    ): Promise<Result<CreatedKey>> => createKey(deps, database, walletId, { permissions, name }),

    /** Revokes a key of `owner`, or of any wallet if absent, in every process. Refusals: not_found. */
    async revokeKey(keyId: string, owner?: bigint): Promise<Result<void>> {
      const known = keyIdPattern.test(keyId) ? keyId : ''
      const revoked = await revokeKey(deps, database, known, owner ?? null)
      if (!revoked.ok) return revoked
      await records.notifyChanged(revoked.value)
      return ok(undefined)
    },

    listKeys: (walletId?: bigint): Promise<ApiKey[]> => listKeys(database, walletId ?? null),
  }
}

function consumerAccess(deps: WalletsDeps) {
  const { database } = deps
  // One at a time per e-mail: a try counts before the check, so three right PINs at once would lock the wallet.
  const oneByOne = keyedMutex<Result<bigint>>()
  const limited = limitConcurrency(logInsAtOnce)
  return {
    /** Creates a consumer's wallet with a balance of zero; returns its number. Refusals: invalid_parameter. */
    createConsumer: (consumer: NewConsumer): Promise<Result<bigint>> =>
      refusingTransaction(database, (tx) => createConsumer(deps, tx, consumer)),

    /** Refusals: authentication_failed, pin_retries_exhausted; service_unavailable if too many wait (no try is counted). */
    logInConsumer: async (email: string, pin: string): Promise<Result<bigint>> =>
      (await limited(() => oneByOne(email.trim().toLowerCase(), () => logInConsumer(deps, email, pin)))) ??
      refuse('service_unavailable', 'too many people are logging in: try again in a moment'),

    findConsumer: (email: string): Promise<ConsumerRow | undefined> => findConsumer(database, email),

    listConsumers: (limit: number): Promise<ConsumerRow[]> => listConsumers(database, limit),
  }
}
