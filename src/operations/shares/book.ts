// Bookings of a divided payment: shares, postings and the sub-merchants' operations.

import { cents, sumOf } from '../../kernel/money.ts'
import { newId, type Randomness } from '../../kernel/random.ts'
import type { Instant } from '../../kernel/time.ts'
import { merchantAccount, type Posting } from '../../ledger/index.ts'
import { type AskedShare, type Divided, type Division, divide } from '../../splits/index.ts'
import type { Operation } from '../model.ts'
import type { NewShare, NewTransfer } from './table.ts'

export interface Sharing {
  readonly shares: readonly NewShare[]
  readonly transfers: readonly NewTransfer[]
  readonly postings: readonly Posting[]
  readonly turn?: CaptureRevision | undefined
}

/** The revision of the authorization for which the division was computed. */
export interface CaptureRevision {
  readonly authorizationId: string
  readonly revision: number
}

export const noSharing: Sharing = { shares: [], transfers: [], postings: [] }

export function divisionOf({ amount, fee }: Operation, split: readonly AskedShare[]): Division {
  return divide(cents(amount + fee), split)
}

/** A share of zero moves no money. */
export function bookDivision(
  operation: Operation,
  division: Divided,
  at: Instant,
  random: Randomness,
): Sharing {
  const owner = merchantAccount(operation.walletId)
  const postings: Posting[] = []
  const shares: NewShare[] = []
  const transfers: NewTransfer[] = []
  for (const [position, share] of division.shares.entries()) {
    const transferId = newId(at, random)
    shares.push({
      operationId: operation.id,
      position,
      walletId: share.walletId,
      fraction: share.fraction,
      feeFixed: share.feeFixed,
      feeVariableBp: share.feeVariableBp,
      descr: share.descr,
      amount: share.amount,
      transferId,
    })
    if (share.amount === 0n) continue
    postings.push({ debit: owner, credit: merchantAccount(share.walletId), amount: share.amount })
    transfers.push({
      operationId: operation.id,
      id: transferId,
      walletId: share.walletId,
      method: operation.method,
      amount: share.amount,
      parentId: operation.id,
      notes: share.descr,
      extInvoiceId: operation.extInvoiceId,
    })
  }
  const given = sumOf(postings.map(({ amount }) => amount))
  if (given + division.owner !== division.net) {
    throw new Error(`shares of ${given} cents and the owner's ${division.owner} are not ${division.net}`)
  }
  return { shares, transfers, postings }
}

/** Takes refunded shares from sub-merchants for the owner. A returned refund goes the other way. */
export function bookTakes(refund: Operation, at: Instant, random: Randomness): Sharing {
  const shareRefunds = refund.refundSplit?.shareRefunds ?? []
  const owner = merchantAccount(refund.walletId)
  const isTaken = refund.amount < 0n
  return {
    shares: [],
    transfers: shareRefunds.map(({ walletId, transferId, amount }) => ({
      operationId: refund.id,
      id: newId(at, random),
      walletId,
      method: refund.method,
      amount: isTaken ? cents(-amount) : amount,
      parentId: transferId,
      extInvoiceId: refund.extInvoiceId,
    })),
    postings: shareRefunds.map(({ walletId, amount }) => {
      const share = merchantAccount(walletId)
      return isTaken ? { debit: share, credit: owner, amount } : { debit: owner, credit: share, amount }
    }),
  }
}
