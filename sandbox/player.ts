// Contract of a player: simulated provider of a method.
import type { App } from '../src/http/index.ts'
import type { Randomness } from '../src/kernel/random.ts'
import type { Notices, OnlineWallet, Rails } from '../src/rails/index.ts'
import type { AuditCheck, Database, Worker } from '../src/storage/index.ts'
import type { SandboxClock } from './clock/clock.ts'
import type { SandboxedGateway } from './gateway.ts'

export interface PlayerContext {
  readonly database: Database
  readonly clock: SandboxClock
  readonly random: Randomness
  /** Public address of the sandbox, without a final slash. */
  readonly baseUrl: string
  /** Called for errors in background work. */
  onError(error: unknown): void
}

export interface Player {
  /** Drivers that only this player implements. */
  readonly rails?: Partial<Rails>
  /** Online wallets by method code. */
  readonly onlineWallets?: Readonly<Record<string, OnlineWallet>>
  readonly checks?: readonly AuditCheck[]
  workers?(notices: Notices): Readonly<Record<string, Worker>>
  /** Its pages and its HTTP API for tests. */
  routes(gateway: SandboxedGateway): readonly ((app: App) => void)[]
}

export type CreatePlayer = (context: PlayerContext) => Player
