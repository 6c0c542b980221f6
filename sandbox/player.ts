// The contract of a player: who stands for the provider of a method of payment, and for its customers.
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
  /** Public address of the sandbox, without a slash at its end. */
  readonly baseUrl: string
  /** Told what failed while nobody waited for it. */
  onError(error: unknown): void
}

export interface Player {
  /** Drivers of the contracts that it alone implements here. */
  readonly rails?: Partial<Rails>
  /** Online wallets of its own, by the code of their method. */
  readonly onlineWallets?: Readonly<Record<string, OnlineWallet>>
  readonly checks?: readonly AuditCheck[]
  workers?(notices: Notices): Readonly<Record<string, Worker>>
  /** Its pages, and its HTTP API for tests. */
  routes(gateway: SandboxedGateway): readonly ((app: App) => void)[]
}

export type CreatePlayer = (context: PlayerContext) => Player
