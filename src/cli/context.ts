// What commands work with, whether they run in the gateway's process or in one of their own.
import type { AuditReport } from '../audits/index.ts'
import type { ActionLog, BegunAction, People } from '../backoffice/index.ts'
import type { BackupReport } from '../backups/index.ts'
import type { BankAdmin } from '../bank-files/index.ts'
import type { Callbacks } from '../callbacks/index.ts'
import type { Chain } from '../chain/index.ts'
import type { RailAdministration } from '../connections/index.ts'
import type { Result } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import type { BankTransfers } from '../methods/bank-transfer/index.ts'
import type { Payouts } from '../payouts/index.ts'
import type { Reconciliation } from '../reconciliation/index.ts'
import type { KeyRotation } from '../storage/index.ts'
import type { Suspense } from '../suspense/index.ts'
import type { DemoWorld, Wallets } from '../wallets/index.ts'

/** What a command answers: the same facts for programs and for people. */
export interface CommandResult {
  /** Printed as JSON with `--json`. */
  readonly json: unknown
  /** Printed without it. */
  readonly text: string
  /** 0 done; 1 refused, or a problem was found; 2 the command line was wrong. */
  readonly exitCode: number
  /** What it changed, for the log of who did what; undefined: settings, keys and the team are compared. */
  readonly changed?: Parameters<BegunAction['end']>[2]
  /** That something is wrong is the answer: its text goes to standard output all the same. */
  readonly isReport?: true
}

/** The sandbox's time after a move, and what became due by it, counted by kind. */
export interface ClockReport {
  readonly now: Instant
  readonly ran: Readonly<Record<string, number>>
}

export interface SandboxClock {
  now(): Instant
  /**
   * Moves time forward by an ISO 8601 duration, or to a moment, and runs what became due.
   * Refusals: invalid_parameter when it is neither, or lies in the past.
   */
  move(by: { readonly advance: string } | { readonly set: string }): Promise<Result<ClockReport>>
}

/** Operators' commands about money. */
interface MoneyCommands {
  readonly payouts: Pick<Payouts, 'payOut' | 'fundsOf'>
  readonly transfers: Pick<BankTransfers, 'transfers' | 'walletOfTransfer' | 'assign'>
  readonly bank: BankAdmin
  /** Money that rails took against the rules. */
  readonly suspense: Pick<Suspense, 'list' | 'refund' | 'assign'>
  readonly reconciliation: Reconciliation
}

/** Absent in production. */
interface SandboxCommands {
  demo?(): Promise<DemoWorld>
  readonly clock?: SandboxClock
}

/** Commands that look after the database. */
interface UpkeepCommands {
  audit(): Promise<AuditReport>
  /** The chain of what was written, and its heads. */
  readonly chain: Pick<Chain, 'prove' | 'head' | 'headOf' | 'keys' | 'nextKey'>
  /** Applies missing migrations; answers their names. */
  migrate(): Promise<readonly string[]>
  /** The rotation of master keys. */
  readonly vault: Pick<KeyRotation, 'rotate' | 'status'>
  /**
   * Writes a back-up of the embedded database to the file, which must not exist; `stop` ends it before its time. Absent
   * on PostgreSQL. Throws a `BackupRefused`.
   */
  backup?(file: string, stop?: AbortSignal): Promise<BackupReport>
}

export interface CommandContext extends MoneyCommands, UpkeepCommands, SandboxCommands {
  readonly wallets: Wallets
  /** Who signs in to the backoffice. */
  readonly people: Pick<People, 'invite' | 'resetPassword' | 'list' | 'remove'>
  /** Where commands that change money or rights are written down. */
  readonly log: Pick<ActionLog, 'beginCommand'>
  readonly callbacks: Pick<Callbacks, 'list' | 'resend' | 'resendFailed'>
  /** Connections to providers. Absent in the sandbox, which brings its own rails. */
  readonly rails?: RailAdministration
}
