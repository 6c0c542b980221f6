// The entry point of the wallets module: merchants, consumers, their keys, rights, stores and fees.
import type { App } from '../http/index.ts'
import { keyedMutex, limitConcurrency } from '../kernel/concurrency.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Permission } from '../kernel/values/permissions.ts'
import { refusingTransaction } from '../storage/index.ts'
import { brandingRoutes } from './branding/routes.ts'
import { cacheLimits, createWalletRecords, type WalletRecords } from './cache.ts'
import { type ConsumerRow, findConsumer, listConsumers } from './consumer-store.ts'
import { createConsumer, logInConsumer, type NewConsumer } from './consumers.ts'
import { createDemoWorld, type DemoWorld, type DemoWorldOptions } from './demo/demo-world.ts'
import type { WalletsDeps } from './deps.ts'
import { createKeyAuthentication } from './keys/credentials.ts'
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
import type { ApiKey, Wallet } from './model.ts'
import { type OwnChanges, type OwnExtras, ownSettings } from './own-settings.ts'
import { walletRoutes } from './routes.ts'
import type { SettingsChanges } from './settings.ts'
import { listMerchants, listStores } from './store.ts'

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

/** Hashing a PIN takes 50 ms of a core. Two at once leave cores for payments, and 20 callers wait at most half a second. */
const logInsAtOnce = { running: 2, waiting: 20 }
const keyIdPattern = /^[0-9A-Za-z]{8}$/

export type Wallets = ReturnType<typeof createWallets>

/** Wires the module. Call `start` once the database is reachable, to receive changes made by other processes. */
export function createWallets(deps: WalletsDeps) {
  const { database } = deps
  const limits = cacheLimits(deps)
  const authentication = createKeyAuthentication(deps, limits)
  const records = createWalletRecords(deps, limits, authentication)

  return {
    authenticate: {
      byApiKey: authentication.byApiKey,
      isCurrent: authentication.isCurrent,
      esbTokenMatches: records.esbTokenMatches,
    },
    start: records.start,
    get: records.withAvailableMethods,
    find: async (walletId: bigint): Promise<Wallet | undefined> => (await records.find(walletId))?.wallet,
    findByPublicId: records.findByPublicId,
    callbackCredentials: records.callbackCredentials,
    secretsOf: records.secretsOf,
    listMerchants: (): Promise<Wallet[]> => listMerchants(database),
    listStores: (walletId: bigint) => listStores(database, walletId),
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
    /** Creates a consumer's wallet with balance zero. Returns its number. Refusals: invalid_parameter. */
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
