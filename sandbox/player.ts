// The contract of a player, which simulates the provider of one method and its customers.
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
  /** The public address of the sandbox, without a slash at the end. */
  readonly baseUrl: string
  onError(error: unknown): void
}

export interface Player {
  /** Drivers of rails that no other player simulates. */
  readonly rails?: Partial<Rails>
  /** Online wallets, by the code of their method. */
  readonly onlineWallets?: Readonly<Record<string, OnlineWallet>>
  readonly checks?: readonly AuditCheck[]
  workers?(notices: Notices): Readonly<Record<string, Worker>>
  routes(gateway: SandboxedGateway): readonly ((app: App) => void)[]
}

export type CreatePlayer = (context: PlayerContext) => Player
