// Dependencies of the operator's routes.
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

interface MoneyParts {
  readonly suspense: Pick<Suspense, 'list' | 'refund' | 'assign' | 'previewAssignment'>
  readonly reconciliation: Reconciliation
  readonly payouts: Pick<Payouts, 'fundsOf'>
  readonly transfers: Pick<BankTransfers, 'transfers' | 'walletOfTransfer' | 'assign' | 'previewAssign'>
  readonly bank: BankAdmin
  bankReferenceOf(walletId: bigint): string
}

export interface OperatorParts extends MoneyParts {
  readonly audits: Pick<Audits, 'begin' | 'runs'>
  readonly callbacks: Pick<Callbacks, 'failingEndpoints'>
  readonly vault: Pick<KeyRotation, 'rotate' | 'status'>
  readonly rails?: RailAdministration | undefined
  lastFailover(): Promise<Instant | undefined>
  /** Waiting work by kind. Each kind is counted up to 10 000. */
  backlogs(): Promise<
    readonly {
      readonly kind: string
      readonly waiting: number
      readonly due: number
      readonly oldest: Instant | undefined
    }[]
  >
}
