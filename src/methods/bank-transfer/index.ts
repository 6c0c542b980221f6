// BANK: incoming transfers that top up a wallet.
import type { Result } from '../../kernel/result.ts'
import type { Posting } from '../../ledger/index.ts'
import { approvedAtOnce } from '../../operations/for-methods.ts'
import type { PaymentMethod } from '../method.ts'
import { bankTransferChecks } from './audit.ts'
import { bankTransfer } from './facts.ts'
import { assign, type BankTransferDeps, previewAssign, receiveTransfer } from './receive.ts'
import { findTransfer, listTransfers, type ReceivedTransfer } from './store.ts'

export { topUpReference } from './rules.ts'
export type { ReceivedTransfer } from './store.ts'

export interface BankTransfers extends PaymentMethod {
  assign(transferId: string, walletId: bigint): Promise<Result<ReceivedTransfer>>
  previewAssign(transferId: string, walletId: bigint): Promise<Result<readonly Posting[]>>
  transfers(onlyUnassigned: boolean, limit: number): Promise<ReceivedTransfer[]>
  walletOfTransfer(transferId: string): Promise<bigint | undefined>
}

export function createBankTransfers(deps: BankTransferDeps): BankTransfers {
  const { database } = deps
  return {
    code: bankTransfer.code,
    rail: { inquire: approvedAtOnce },
    notices: { incomingTransfer: (transfer) => receiveTransfer(deps, transfer) },
    checks: bankTransferChecks,
    assign: (transferId, walletId) => assign(deps, transferId, walletId),
    previewAssign: (transferId, walletId) => previewAssign(deps, transferId, walletId),
    transfers: (onlyUnassigned, limit) => listTransfers(database, onlyUnassigned, limit),
    walletOfTransfer: async (transferId) => (await findTransfer(database, transferId))?.walletId,
  }
}
