// Vault on a new database, with its own master key file.
import { randomUUID } from 'node:crypto'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemRandomness } from '../../src/kernel/random.ts'
import { type Clock, instant } from '../../src/kernel/time.ts'
import type { CardToStore, LiveCard, Vault } from '../../src/methods/cards/vault/index.ts'
import { cardSecrets, createVault } from '../../src/methods/cards/vault/index.ts'
import { secureFieldSecrets } from '../../src/secure-fields/keys.ts'
import {
  createKeyRotation,
  type Database,
  type KeyRotation,
  type LiveKeyring,
  loadKeyring,
  type SealedColumn,
} from '../../src/storage/index.ts'

export const number = '4176660000000027'
export const card = { number, name: 'Ana Silva Pestana', expiry: { month: 12, year: 2030 } }
export const authentication = { transStatus: 'Y', eci: '05', version: '2.2.0' }

export interface VaultProcess {
  readonly vault: Vault
  readonly keyring: LiveKeyring
  readonly rotation: KeyRotation
  readonly errors: unknown[]
}

export interface KeyFile {
  readonly path: string
  add(version: number): Promise<void>
  keep(...versions: number[]): Promise<void>
  remove(): Promise<void>
}

export const clockAt = (moment: number): Clock => ({ now: () => instant(moment) })

export async function newKeyFile(): Promise<KeyFile> {
  const folder = await mkdtemp(join(tmpdir(), 'comporta-vault-'))
  const path = join(folder, 'master.key')
  const lines = new Map<number, string>()
  const add = async (version: number) => {
    lines.set(version, `${version} ${Buffer.from(systemRandomness.bytes(32)).toString('base64')}\n`)
    await appendFile(path, lines.get(version) ?? '', { mode: 0o600 })
  }
  await add(1)
  return {
    path,
    add,
    keep: (...versions) => writeFile(path, versions.map((version) => lines.get(version)).join('')),
    remove: () => rm(folder, { recursive: true }),
  }
}

export async function openVault(
  database: Database,
  path: string,
  options: { generate?: boolean; clock?: Clock; columns?: readonly SealedColumn[] } = {},
): Promise<VaultProcess> {
  const random = systemRandomness
  const loaded = await loadKeyring(path, { generate: options.generate ?? false, random })
  if (!loaded.ok) throw new Error(loaded.refusal)
  const keyring = loaded.value
  const errors: unknown[] = []
  return {
    keyring,
    errors,
    vault: createVault({
      database,
      clock: options.clock ?? clockAt(Date.UTC(2026, 2, 1)),
      random,
      keyring,
    }),
    rotation: createKeyRotation({
      database,
      keyring,
      random,
      columns: options.columns ?? [...cardSecrets, ...secureFieldSecrets],
      onError: (error) => errors.push(error),
    }),
  }
}

export function toStore(changes: Partial<CardToStore> = {}): CardToStore {
  return {
    walletId: 1000n,
    token: randomUUID(),
    keptFor: 'merchant',
    card,
    verified: true,
    authentication,
    ...changes,
  }
}

export function numberOf(index: number): string {
  return `41766601${String(index).padStart(8, '0')}`
}

export async function live(vault: Vault, walletId: bigint, token: string): Promise<LiveCard> {
  const found = await vault.find(walletId, token)
  if (found === undefined || found.voidedAt !== undefined) throw new Error(`${token} is not a live card`)
  return found
}

export async function storeMany(database: Database, vault: Vault, count: number): Promise<string[]> {
  return database.transaction(async (tx) => {
    const tokens: string[] = []
    for (let index = 0; index < count; index++) {
      const stored = await vault.store(tx, toStore({ card: { ...card, number: numberOf(index) } }))
      tokens.push(stored.token)
    }
    return tokens
  })
}
