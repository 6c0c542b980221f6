// What operators work with, on their pages as by the command line.
import type { Audits } from '../../audits/index.ts'
import type { BankAdmin } from '../../bank-files/index.ts'
import type { Callbacks } from '../../callbacks/index.ts'
import type { RailAdministration } from '../../connections/index.ts'
import type { Instant } from '../../kernel/time.ts'
import type { BankTransfers } from '../../methods/bank-transfer/index.ts'
import type { Payouts } from '../../payouts/index.ts'
import type { Reconciliation } from '../../reconciliation/index.ts'
import type { KeyRotation } from '../../storage/index.ts'
import type { Suspense } from '../../suspense/index.ts'

/** Money that is of no merchant yet, or leaves for one. */
interface MoneyParts {
  readonly suspense: Pick<Suspense, 'list' | 'refund' | 'assign' | 'previewAssignment'>
  readonly reconciliation: Reconciliation
  readonly payouts: Pick<Payouts, 'fundsOf'>
  readonly transfers: Pick<BankTransfers, 'transfers' | 'walletOfTransfer' | 'assign' | 'previewAssign'>
  readonly bank: BankAdmin
  /** The text by which a wallet is topped up. */
  bankReferenceOf(walletId: bigint): string
}

export interface OperatorParts extends MoneyParts {
  readonly audits: Pick<Audits, 'begin' | 'runs'>
  readonly callbacks: Pick<Callbacks, 'failingEndpoints'>
  readonly vault: Pick<KeyRotation, 'rotate' | 'status'>
  /** Absent where the gateway brings its own rails, as in the sandbox. */
  readonly rails?: RailAdministration | undefined
  /** What waits to be worked, by kind; at most 10 000 of each are counted. */
  backlogs(): Promise<
    readonly {
      readonly kind: string
      readonly waiting: number
      readonly due: number
      readonly oldest: Instant | undefined
    }[]
  >
}
