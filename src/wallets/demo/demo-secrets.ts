// Secrets of the demo world, sealed in the database and replaced when they stop working.
import { unwrap } from '../../kernel/result.ts'
import { open, SealBroken, seal } from '../../kernel/sealing.ts'
import type { Permission } from '../../kernel/values/permissions.ts'
import type { Executor } from '../../storage/index.ts'
import type { WalletsDeps } from '../deps.ts'
import { credentialsOf, replaceLostSecrets } from '../keys/callback-secrets.ts'
import { matchesDigest, pepperFor, readApiKey } from '../keys/credentials.ts'
import { findKey } from '../keys/key-store.ts'
import { createKey } from '../keys/keys.ts'
import { rotateEsbToken } from '../merchants.ts'
import { findWallet } from '../store.ts'
import { writeDemoWallet } from './demo-store.ts'

/** `kept` if it is an active key of the wallet, otherwise a new key. */
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
  return unwrap(await createKey(deps, tx, walletId, { permissions: granted })).key
}

/** `kept` if it is the wallet's ESB token, otherwise a new one. */
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

/** The wallet's callback secrets, or new ones if their master key is gone. */
export async function workingCallbackSecrets(deps: WalletsDeps, tx: Executor, walletId: bigint) {
  const record = await existing(tx, walletId)
  try {
    const { secret, signingSecrets } = credentialsOf(deps, record, deps.clock.now())
    return { secret, signingSecret: signingSecrets[0] ?? '', replaced: false }
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    return { ...(await replaceLostSecrets(deps, tx, record.wallet)), replaced: true }
  }
}

export async function keepSecrets(
  deps: WalletsDeps,
  tx: Executor,
  label: string,
  walletId: bigint,
  secrets: object,
): Promise<void> {
  const secretsSealed = seal(deps.keyring, JSON.stringify(secrets), demoAssociatedData(label), deps.random)
  await writeDemoWallet(tx, label, { walletId, secretsSealed })
}

export function unsealed<Secrets>(deps: WalletsDeps, sealed: Uint8Array, label: string): Secrets | undefined {
  try {
    return JSON.parse(open(deps.keyring, sealed, demoAssociatedData(label)).toString()) as Secrets
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}

export function demoAssociatedData(label: string): string {
  return `demo world ${label}`
}

export async function existing(tx: Executor, walletId: bigint) {
  const record = await findWallet(tx, walletId)
  if (record === undefined) throw new Error(`demo wallet ${walletId} is gone`)
  return record
}
