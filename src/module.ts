// The contract between a module and the gateway: what each is handed, and what it offers.
import type { Registry } from 'prom-client'
import type { App } from './http/index.ts'
import type { Randomness } from './kernel/random.ts'
import type { Keyring } from './kernel/sealing.ts'
import type { Clock, Instant } from './kernel/time.ts'
import type { MobileWalletNotice, Notices } from './rails/index.ts'
import type { AuditCheck, Database, SealedColumn, Worker } from './storage/index.ts'

/** The parts that every module may work with. */
export interface Core {
  readonly database: Database
  /** The gateway's: the sandbox's may run ahead of the machine's. */
  readonly clock: Clock
  readonly random: Randomness
  readonly keyring: Keyring
  /** The public address of the gateway, without a slash at its end. */
  readonly baseUrl: string
  readonly mode: 'sandbox' | 'production'
  readonly metrics: Registry
  /** Logs what failed while nobody waited for it. */
  onError(error: unknown): void
}

/** The same for what serves pages. */
export interface PageCore extends Core {
  /** Path of the manifest of the built browser files. */
  readonly manifestPath: string
}

/** A worker whose turn may come after that of all others. */
export interface ModuleWorker extends Worker {
  /**
   * It may wait long for servers of merchants: when the clock jumps it runs once nothing else is due, and it stops when
   * all others have.
   */
  readonly last?: true
  /** @param deadline once it is aborted, `last` workers answer what they did by then and go on */
  runDue(now?: Instant, deadline?: AbortSignal): Promise<number>
}

/** Notices of rails. The first four answer whether the notice was about something of theirs. */
export interface NoticeTakers
  extends Pick<Notices, 'incomingTransfer' | 'refundFailed' | 'dispute' | 'references'> {
  card(key: string): Promise<boolean>
  mobileWallet(notice: MobileWalletNotice): Promise<boolean>
  onlineWallet(key: string): Promise<boolean>
  bankOrder(key: string): Promise<boolean>
}

/** The offer of a module to the gateway. */
export interface Module {
  /** Registers its routes for merchants' programs and for customers. */
  routes?(app: App): void
  /** Its work behind the requests, by the kind under which it is counted. */
  readonly workers?: Readonly<Record<string, ModuleWorker | readonly Worker[]>> | undefined
  /** Its part of the audit. */
  readonly checks?: readonly AuditCheck[] | undefined
  /** Columns of sealed secrets, for the rotation of master keys. */
  readonly secrets?: readonly SealedColumn[] | undefined
  readonly notices?: Partial<NoticeTakers>
  /** Called once the database is reachable, before any worker starts. */
  start?(): Promise<void>
  /** Called once its workers have stopped, before the database is closed. */
  stop?(): Promise<void>
}
