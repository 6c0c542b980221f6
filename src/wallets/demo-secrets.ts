// The secrets of the demo world: kept sealed beside its wallets, and replaced when they no longer work.
import type { Permission } from '../kernel/permissions.ts'
import { unwrap } from '../kernel/result.ts'
import { open, SealBroken, seal } from '../kernel/sealing.ts'
import type { Executor } from '../storage/index.ts'
import { readApiKey } from './api-key.ts'
import { writeDemoWallet } from './demo-store.ts'
import { callbackSecretPlace, type WalletsDeps } from './deps.ts'
import { matchesDigest, pepperFor } from './digests.ts'
import { findKey } from './key-store.ts'
import { createKey } from './keys.ts'
import { rotateCallbackSecret, rotateEsbToken } from './merchants.ts'
import { findWallet } from './store.ts'

/** `kept` while it is a live key of the wallet, else a new one. */
export async function workingKey(
  deps: WalletsDeps,
  tx: Executor,
  walletId: bigint,
  granted: readonly Permission[],
  kept: string | undefined,
): Promise<string> {
  const keyId = kept === undefined ? undefined : readApiKey(kept, deps.mode)
  const record = keyId?.ok ? await findKey(tx, keyId.value) : undefined
  const pepper = pepperFor(deps.keyring, 'apiKey')
  const works = record !== undefined && kept !== undefined && matchesDigest(pepper, kept, record.digest)
  if (works && !record.revoked && record.walletId === walletId) return kept
  return unwrap(await createKey(deps, tx, walletId, granted)).key
}

/** `kept` while it is the wallet's ESB token, else a new one. */
export async function workingEsbToken(
  deps: WalletsDeps,
  tx: Executor,
  walletId: bigint,
  kept: string | undefined,
): Promise<string> {
  const { esbTokenDigest } = await existing(tx, walletId)
  const pepper = pepperFor(deps.keyring, 'esbToken')
  const works = kept !== undefined && esbTokenDigest !== null && matchesDigest(pepper, kept, esbTokenDigest)
  return works ? kept : rotateEsbToken(deps, tx, walletId)
}

/** The wallet's callback secret, or a new one when it was sealed under a key that is gone. */
export async function workingCallbackSecret(deps: WalletsDeps, tx: Executor, walletId: bigint) {
  const { wallet, callbackSecretSealed } = await existing(tx, walletId)
  try {
    const place = callbackSecretPlace(wallet.publicId)
    return {
      secret: open(deps.keyring, callbackSecretSealed as Uint8Array, place).toString(),
      replaced: false,
    }
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    return { secret: await rotateCallbackSecret(deps, tx, wallet, false), replaced: true }
  }
}

/** Seals the secrets of a demo wallet and keeps them under `label`. */
export async function keepSecrets(
  deps: WalletsDeps,
  tx: Executor,
  label: string,
  walletId: bigint,
  secrets: object,
): Promise<void> {
  const secretsSealed = seal(deps.keyring, JSON.stringify(secrets), demoPlace(label), deps.random)
  await writeDemoWallet(tx, label, { walletId, secretsSealed })
}

/** What {@link keepSecrets} kept for `label`; undefined when the master key is another one now. */
export function unsealed<Secrets>(deps: WalletsDeps, sealed: Uint8Array, label: string): Secrets | undefined {
  try {
    return JSON.parse(open(deps.keyring, sealed, demoPlace(label)).toString()) as Secrets
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}

/** The place to which the secrets of a demo wallet are sealed. */
export function demoPlace(label: string): string {
  return `demo world ${label}`
}

/** The wallet's record; the demo world refers to it, so it must be there. */
export async function existing(tx: Executor, walletId: bigint) {
  const record = await findWallet(tx, walletId)
  if (record === undefined) throw new Error(`demo wallet ${walletId} is gone`)
  return record
}
