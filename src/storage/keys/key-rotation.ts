// Rotation of the master key while the gateway serves.
import { setTimeout as pause } from 'node:timers/promises'
import { crashPoint } from '../../kernel/crash-points.ts'
import type { Randomness } from '../../kernel/random.ts'
import { ok, type Result } from '../../kernel/result.ts'
import { type Database, type Executor, statement } from '../database.ts'
import type { LiveKeyring } from './keyring.ts'
import type { SealedColumn } from './sealed-column.ts'

const keyringChannel = 'keyring'
const retryMs = 10_000
const sweepPauseMs = 100

export interface KeyRotationDeps {
  readonly database: Database
  readonly keyring: LiveKeyring
  readonly random: Randomness
  readonly columns: readonly SealedColumn[]
  readonly onError: (error: unknown) => void
}

export interface RotationReport {
  readonly version: number
  readonly added: boolean
  readonly resealed: Readonly<Record<string, number>>
  /** Number of secrets still under older versions: locked, damaged, or without their key. */
  readonly left: Readonly<Record<string, number>>
}

export interface KeyringStatus {
  readonly current: number
  readonly versions: readonly {
    readonly version: number
    readonly inFile: boolean
    readonly secrets: Readonly<Record<string, number>>
  }[]
}

export interface KeyRotation {
  listen(): Promise<void>
  /** Finishes an interrupted rotation, then seals every secret again. The error is one sentence. */
  rotate(): Promise<Result<RotationReport, string>>
  status(): Promise<KeyringStatus>
}

export function createKeyRotation(deps: KeyRotationDeps): KeyRotation {
  const { database, keyring } = deps
  return {
    listen: () =>
      database.listen(keyringChannel, () => {
        const taken = keyring.refresh()
        if (!taken.ok) deps.onError(new Error(taken.refusal))
      }),
    async rotate() {
      const taken = keyring.refresh()
      if (!taken.ok) return taken
      const known = keyring.current
      const finished = await resealUnderCurrent(deps)
      if (Object.values(finished.resealed).some((secrets) => secrets > 0)) return ok(finished)
      return ok(
        (await addVersion(deps, known)) ? { ...(await resealUnderCurrent(deps)), added: true } : finished,
      )
    },
    status: async () => {
      keyring.refresh()
      return statusOf(deps)
    },
  }
}

const takeLock = statement(`select pg_advisory_xact_lock(hashtext('comporta key rotation'))`)

async function addVersion({ database, keyring }: KeyRotationDeps, known: number): Promise<boolean> {
  const { addVersion: add } = keyring
  if (add === undefined) return false
  await database.transaction(async (tx) => {
    await tx.run(takeLock)
    keyring.refresh()
    if (keyring.current === known) await add()
    keyring.refresh()
  })
  crashPoint('master key added, nothing under it')
  return true
}

async function resealUnderCurrent(deps: KeyRotationDeps): Promise<RotationReport> {
  const { database, keyring, columns } = deps
  await database.notify(keyringChannel, String(keyring.current))
  const resealed: Record<string, number> = {}
  const left: Record<string, number> = {}
  for (const column of columns) {
    const outcome = await resealAll(deps, column)
    resealed[column.name] = outcome.resealed
    if (outcome.left > 0) left[column.name] = outcome.left
  }
  return { version: keyring.current, added: false, resealed, left }
}

async function resealAll(deps: KeyRotationDeps, column: SealedColumn) {
  const { database, keyring } = deps
  const giveUpAt = performance.now() + retryMs
  let resealed = 0
  for (;;) {
    const sweep = await column.resealOnce(database, deps)
    resealed += sweep.resealed
    const left = await countOlder(database, column, keyring.current)
    if (left <= sweep.broken || performance.now() > giveUpAt) return { resealed, left }
    await pause(sweepPauseMs)
  }
}

async function countOlder(db: Executor, column: SealedColumn, current: number): Promise<number> {
  let older = 0
  for (const [version, secrets] of await column.countVersions(db)) if (version < current) older += secrets
  return older
}

async function statusOf({ database, keyring, columns }: KeyRotationDeps): Promise<KeyringStatus> {
  const counts = await Promise.all(
    columns.map(async (column) => ({ name: column.name, versions: await column.countVersions(database) })),
  )
  const versions = new Set([...keyring.keys.keys(), ...counts.flatMap((count) => [...count.versions.keys()])])
  return {
    current: keyring.current,
    versions: [...versions]
      .sort((a, b) => a - b)
      .map((version) => ({
        version,
        inFile: keyring.keys.has(version),
        secrets: Object.fromEntries(counts.map((count) => [count.name, count.versions.get(version) ?? 0])),
      })),
  }
}
