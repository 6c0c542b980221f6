// Creating and changing merchants.
import { cellBase62, randomBase62 } from '../kernel/random.ts'
import { ok, type Result, refuse } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import { methodsDefault, subscriptionMethodsDefault } from '../methods/list.ts'
import type { Executor } from '../storage/index.ts'
import { readLogo } from './branding/logo.ts'
import { removeLogo, writeLogo } from './branding/logo-store.ts'
import type { WalletsDeps } from './deps.ts'
import {
  newPassword,
  newSigningSecret,
  rotatePassword,
  rotateSigningSecret,
  sealPassword,
  sealSigningSecret,
} from './keys/callback-secrets.ts'
import { digestOf, pepperFor } from './keys/credentials.ts'
import type { Wallet, WalletSettings } from './model.ts'
import { checkName, checkSettings, type SettingsChanges } from './settings.ts'
import {
  insertMerchant,
  insertStore,
  lockWallet,
  renameStore,
  replaceEsbToken,
  writeSettings,
  writeSuspended,
} from './store.ts'

const publicIdLength = 16
const esbTokenLength = 40
const firstStoreName = 'Online'

export type NewMerchantSettings = SettingsChanges & Pick<WalletSettings, 'name' | 'email'>

export interface CreatedMerchant {
  readonly wallet: Wallet
  readonly callbackSecret: string
  readonly callbackSigningSecret: string
  /** The ESB token, only for partners: the card API requires it. */
  readonly esbToken?: string
}

/** Creates a merchant with its first store and its callback secrets. Refusals: invalid_parameter naming the setting. */
export async function createMerchant(
  deps: WalletsDeps,
  tx: Executor,
  settings: NewMerchantSettings,
  { addStores = [], ...others }: Pick<MerchantExtras, 'addStores' | 'logo'> = {},
): Promise<Result<CreatedMerchant>> {
  const checked = checkSettings(
    { methods: methodsDefault, subscriptionMethods: subscriptionMethodsDefault, ...settings },
    deps.mode,
  )
  if (!checked.ok) return checked
  const publicId = cellBase62(deps.random, publicIdLength)
  const callbackSecret = newPassword(deps.random)
  const callbackSigningSecret = newSigningSecret(deps.random)
  const walletId = await insertMerchant(tx, {
    publicId,
    name: checked.value.name ?? settings.name,
    email: checked.value.email ?? settings.email,
    callbackUser: `cb_${publicId}`,
    callbackSecretSealed: sealPassword(deps, publicId, callbackSecret),
    signingSecretSealed: sealSigningSecret(deps, publicId, callbackSigningSecret),
    now: deps.clock.now(),
  })
  await deps.openAccounts(tx, walletId, 'merchant')
  const partner = checked.value.rights?.includes('partner') ?? false
  const stores = addStores.length > 0 ? addStores : [firstStoreName]
  const extras = { ...others, addStores: stores, rotateEsbToken: partner }
  const changed = await changeMerchant(deps, tx, walletId, checked.value, extras)
  return changed.ok ? ok({ ...changed.value, callbackSecret, callbackSigningSecret }) : changed
}

export interface MerchantExtras {
  readonly addStores?: readonly string[]
  readonly renameStores?: readonly { readonly id: number; readonly name: string }[]
  /** The bytes of a picture; null deletes the logo. */
  readonly logo?: Uint8Array | null
  readonly suspended?: boolean
  readonly suspendedReason?: string
  readonly rotateCallbackSecret?: boolean
  readonly rotateCallbackSigningSecret?: boolean
  readonly rotateEsbToken?: boolean
}

export interface ChangedMerchant {
  readonly wallet: Wallet
  readonly callbackSecret?: string
  readonly callbackSigningSecret?: string
  readonly esbToken?: string
}

/** The caller's transaction must roll back on a refusal. Refusals: invalid_parameter naming the setting; not_found. */
export async function changeMerchant(
  deps: WalletsDeps,
  tx: Executor,
  walletId: bigint,
  changes: SettingsChanges,
  extras: MerchantExtras = {},
): Promise<Result<ChangedMerchant>> {
  const checked = checkSettings(changes, deps.mode)
  if (!checked.ok) return checked
  const record = await lockWallet(tx, walletId)
  if (record?.wallet.kind !== 'merchant') {
    return refuse('not_found', `there is no merchant with wallet ${walletId}`)
  }
  const { fees, ...settings } = checked.value
  const feeSchedule = { ...record.wallet.feeSchedule, ...fees }
  await writeSettings(tx, walletId, { ...record.wallet, ...settings, feeSchedule }, deps.clock.now())
  await countBeforeLimit(deps, tx, record.wallet, settings.dayLimit)
  for (const store of extras.addStores ?? []) {
    const name = checkName(store)
    if (!name.ok) return name
    await insertStore(tx, walletId, name.value)
  }
  for (const { id, name } of extras.renameStores ?? []) {
    const checkedName = checkName(name)
    if (!checkedName.ok) return checkedName
    if (!(await renameStore(tx, walletId, { id, name: checkedName.value })))
      return refuse('not_found', `the merchant has no store ${id}`)
  }
  if (extras.suspended !== undefined) {
    const { suspended, suspendedReason } = extras
    await writeSuspended(tx, walletId, suspended, suspendedReason, deps.clock.now())
  }
  const branded = await changeLogo(tx, walletId, extras.logo, deps.clock.now())
  if (!branded.ok) return branded
  const secrets = {
    ...(extras.rotateCallbackSigningSecret && {
      callbackSigningSecret: await rotateSigningSecret(deps, tx, record),
    }),
    ...(extras.rotateCallbackSecret && {
      callbackSecret: await rotatePassword(deps, tx, (await lockWallet(tx, walletId)) ?? record),
    }),
    ...(extras.rotateEsbToken && { esbToken: await rotateEsbToken(deps, tx, walletId) }),
  }
  const changed = await lockWallet(tx, walletId)
  return changed === undefined
    ? refuse('not_found', 'the merchant is gone')
    : ok({ wallet: changed.wallet, ...secrets })
}

/** Counts today's payments if the wallet gets its first daily limit. */
async function countBeforeLimit(
  deps: WalletsDeps,
  tx: Executor,
  before: Wallet,
  dayLimit: Wallet['dayLimit'] | undefined,
): Promise<void> {
  if (before.dayLimit !== null || dayLimit === null || dayLimit === undefined) return
  await deps.countDaySoFar?.(tx, before.id, deps.clock.now())
}

async function changeLogo(
  tx: Executor,
  walletId: bigint,
  content: Uint8Array | null | undefined,
  now: Instant,
): Promise<Result<void>> {
  if (content === null) await removeLogo(tx, walletId, now)
  if (content === null || content === undefined) return ok(undefined)
  const logo = readLogo(content)
  if (!logo.ok) return logo
  await writeLogo(tx, walletId, logo.value, now)
  return ok(undefined)
}

export async function rotateEsbToken(deps: WalletsDeps, tx: Executor, walletId: bigint): Promise<string> {
  const token = randomBase62(deps.random, esbTokenLength)
  await replaceEsbToken(tx, walletId, digestOf(pepperFor(deps.keyring, 'esbToken'), token), deps.clock.now())
  return token
}
