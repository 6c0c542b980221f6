// The entry point of suspense: money that belongs to no operation.
import type { Result } from '../kernel/result.ts'
import {
  bankCharges,
  bankClearing,
  type Ledger,
  merchantAccount,
  openAccount,
  type Posting,
  suspense,
} from '../ledger/index.ts'
import type { Module } from '../module.ts'
import type { Executor } from '../storage/index.ts'
import { type Assignee, assignEntry, previewAssignment } from './assign.ts'
import { suspenseChecks } from './audit.ts'
import { type HeldPayment, hold, type SuspenseDeps } from './hold.ts'
import { createSuspenseMetrics } from './metrics.ts'
import type { SuspenseEntry } from './model.ts'
import { type Beneficiary, createRefunding, onTransferNotice, refundEntry } from './refund.ts'
import { findSuspenseOfPayment, listSuspense } from './store.ts'

export interface Suspense extends Module {
  hold(payment: HeldPayment): Promise<void>
  /** The reason of the entry of a payment; undefined if there is no entry. */
  reasonOf(paymentId: string): Promise<string | undefined>
  /** Lists entries, newest first: all, or only those not resolved. */
  list(all: boolean, limit: number): Promise<readonly SuspenseEntry[]>
  refund(id: string, beneficiary: Beneficiary | undefined): Promise<Result<SuspenseEntry>>
  assign(id: string, to: Assignee): Promise<Result<SuspenseEntry>>
  /** Shows the assignment and changes nothing. It has the refusals of `assign`. */
  previewAssignment(id: string, to: Assignee): Promise<Result<readonly Posting[]>>
}

/** The accounts for bank money that belongs to no operation. Call it outside transactions. */
export async function suspenseAccounts(ledger: Pick<Ledger, 'numberOf'>) {
  return {
    bank: await ledger.numberOf(bankClearing),
    suspense: await ledger.numberOf(suspense),
    charges: await ledger.numberOf(bankCharges),
    ofMerchant: (tx: Executor, walletId: bigint) => openAccount(tx, merchantAccount(walletId)),
  }
}

export function createSuspense(deps: SuspenseDeps): Suspense {
  createSuspenseMetrics(deps)
  const { database } = deps
  return {
    hold: (payment) => hold(deps, payment),
    reasonOf: async (paymentId) => (await findSuspenseOfPayment(database, paymentId))?.reason,
    list: (all, limit) => listSuspense(database, all, limit),
    refund: (id, beneficiary) => refundEntry(deps, id, beneficiary),
    assign: (id, to) => assignEntry(deps, id, to),
    previewAssignment: (id, to) => previewAssignment(deps, id, to),
    notices: { bankOrder: (key) => onTransferNotice(deps, key) },
    workers: { suspense: createRefunding(deps) },
    checks: suspenseChecks,
  }
}
