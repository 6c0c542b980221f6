// The contract between modules and the gateway.
import type { Registry } from 'prom-client'
import type { App } from './http/index.ts'
import type { Randomness } from './kernel/random.ts'
import type { Keyring } from './kernel/sealing.ts'
import type { Clock, Instant } from './kernel/time.ts'
import type { MobileWalletNotice, Notices } from './rails/index.ts'
import type { AuditCheck, Database, SealedColumn, Worker } from './storage/index.ts'

export interface Core {
  readonly database: Database
  /** In the sandbox this clock may be ahead of real time. */
  readonly clock: Clock
  readonly random: Randomness
  readonly keyring: Keyring
  readonly baseUrl: string
  readonly mode: 'sandbox' | 'production'
  readonly metrics: Registry
  onError(error: unknown): void
}

export interface PageCore extends Core {
  readonly manifestPath: string
}

/** `last`: the worker may wait long for merchants' servers. Such workers run and stop after all others. */
export interface ModuleWorker extends Worker {
  readonly last?: true
  /** At the `deadline`, a `last` worker returns its count so far and continues its work. */
  runDue(now?: Instant, deadline?: AbortSignal): Promise<number>
}

/** The first four functions return whether the notice was for them. */
export interface NoticeTakers
  extends Pick<Notices, 'incomingTransfer' | 'refundFailed' | 'dispute' | 'references'> {
  card(key: string): Promise<boolean>
  mobileWallet(notice: MobileWalletNotice): Promise<boolean>
  onlineWallet(key: string): Promise<boolean>
  bankOrder(key: string): Promise<boolean>
}

export interface Module {
  routes?(app: App): void
  readonly workers?: Readonly<Record<string, ModuleWorker | readonly Worker[]>> | undefined
  readonly checks?: readonly AuditCheck[] | undefined
  readonly secrets?: readonly SealedColumn[] | undefined
  readonly notices?: Partial<NoticeTakers>
  start?(): Promise<void>
  stop?(): Promise<void>
}
