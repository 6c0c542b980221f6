// The dependencies of commands that work on the database.
import type { AuditReport } from '../audits/index.ts'
import type { ActionLog, BegunAction, People } from '../backoffice/index.ts'
import type { BackupReport } from '../backups/index.ts'
import type { BankAdmin } from '../bank-files/index.ts'
import type { Callbacks } from '../callbacks/index.ts'
import type { Chain } from '../chain/index.ts'
import type { RailAdministration } from '../connections/index.ts'
import type { Result } from '../kernel/result.ts'
import type { Instant } from '../kernel/time.ts'
import type { KindTotal } from '../ledger/index.ts'
import type { BankTransfers } from '../methods/bank-transfer/index.ts'
import type { Payouts } from '../payouts/index.ts'
import type { Reconciliation } from '../reconciliation/index.ts'
import type { Backlog } from '../storage/backlogs.ts'
import type { KeyRotation } from '../storage/index.ts'
import type { Suspense } from '../suspense/index.ts'
import type { DemoWorld, Wallets } from '../wallets/index.ts'

/** A result, as JSON for programs and as text for people. */
export interface CommandResult {
  readonly json: unknown
  readonly text: string
  /** 0: done. 1: refused, or a problem was found. 2: wrong command line. */
  readonly exitCode: number
  /** Changes for the log. Undefined: the log compares settings, keys and team. */
  readonly changed?: Parameters<BegunAction['end']>[2]
  /** The text is a report of problems, so it goes to standard output. */
  readonly isReport?: true
}

export interface ClockReport {
  readonly now: Instant
  readonly ran: Readonly<Record<string, number>>
}

export interface SandboxClock {
  now(): Instant
  /** Moves time by an ISO 8601 duration, or to a moment. Refusals: invalid_parameter, also for the past. */
  move(by: { readonly advance: string } | { readonly set: string }): Promise<Result<ClockReport>>
}

interface MoneyCommands {
  readonly payouts: Pick<Payouts, 'payOut' | 'fundsOf'>
  readonly transfers: Pick<BankTransfers, 'transfers' | 'walletOfTransfer' | 'assign'>
  readonly bank: BankAdmin
  readonly suspense: Pick<Suspense, 'list' | 'refund' | 'assign'>
  readonly reconciliation: Reconciliation
}

interface SandboxCommands {
  demo?(): Promise<DemoWorld>
  readonly clock?: SandboxClock
}

interface UpkeepCommands {
  audit(): Promise<AuditReport>
  totals(): Promise<KindTotal[]>
  backlogs(): Promise<Backlog[]>
  readonly chain: Pick<Chain, 'prove' | 'head' | 'headOf' | 'keys' | 'nextKey'>
  migrate(): Promise<readonly string[]>
  readonly cell: { read(): Promise<number>; set(number: number): Promise<Result<void>> }
  readonly vault: Pick<KeyRotation, 'rotate' | 'status'>
  /** Writes a backup of the embedded database to a new file. Not on PostgreSQL. Throws `BackupRefused`. */
  backup?(file: string, stop?: AbortSignal): Promise<BackupReport>
}

export interface CommandContext extends MoneyCommands, UpkeepCommands, SandboxCommands {
  readonly wallets: Wallets
  readonly people: Pick<People, 'invite' | 'resetPassword' | 'list' | 'remove'>
  readonly log: Pick<ActionLog, 'beginCommand'>
  readonly callbacks: Pick<Callbacks, 'list' | 'resend' | 'resendFailed'>
  readonly rails?: RailAdministration
}
