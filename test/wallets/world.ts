// A wallets module on a fresh database, for the tests of this folder.
import { systemRandomness } from '../../src/kernel/random.ts'
import type { Keyring } from '../../src/kernel/sealing.ts'
import { type Clock, type Instant, instant } from '../../src/kernel/time.ts'
import type { Database } from '../../src/storage/index.ts'
import { createWallets, type Wallets } from '../../src/wallets/index.ts'
import { type DatabaseKind, openTestDatabase } from '../database.ts'

export const keyring: Keyring = { current: 1, keys: new Map([[1, new Uint8Array(32).fill(5)]]) }
export const otherKeyring: Keyring = { current: 1, keys: new Map([[1, new Uint8Array(32).fill(6)]]) }

/** A clock that only moves on request. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void
}

function createTestClock(start = Date.UTC(2026, 2, 1, 12)): TestClock {
  let now: Instant = instant(start)
  return {
    now: () => now,
    advance(milliseconds) {
      now = instant(now + milliseconds)
    },
  }
}

export interface WalletsWorld {
  readonly database: Database
  readonly wallets: Wallets
  readonly clock: TestClock
  /** Wallets whose ledger accounts were opened, with their kinds. */
  readonly opened: [bigint, string][]
}

/** The databases end with the process, because other files use them too. */
const databases = new Map<DatabaseKind, Promise<Database>>()

const emptied = {
  text: 'truncate wallets, stores, api_keys, demo_wallets, unknown_log_ins restart identity cascade',
}

/** An empty database with a module of wallets that is notified of changes. The tests of this folder share the database. */
export async function openWalletsWorld(kind: DatabaseKind): Promise<WalletsWorld> {
  const opening = databases.get(kind) ?? openTestDatabase(kind)
  databases.set(kind, opening)
  const database = await opening
  await database.run(emptied)
  return joinWalletsWorld(database)
}

/** Another module on a database, as another process would have it. */
export async function joinWalletsWorld(
  database: Database,
  options: {
    keyring?: Keyring
    clock?: TestClock
    mode?: 'sandbox' | 'production'
    listening?: boolean
    elapsed?: () => number
  } = {},
): Promise<WalletsWorld> {
  const clock = options.clock ?? createTestClock()
  const opened: [bigint, string][] = []
  const wallets = createWallets({
    database,
    clock,
    random: systemRandomness,
    keyring: options.keyring ?? keyring,
    mode: options.mode ?? 'sandbox',
    openAccounts: async (_, walletId, kind) => {
      opened.push([walletId, kind])
    },
    ...(options.elapsed && { elapsed: options.elapsed }),
  })
  if (options.listening !== false) await wallets.start()
  return { database, wallets, clock, opened }
}
