// Refunds over the sandbox's rails.
import type { Randomness } from '../src/kernel/random.ts'
import type { RefundAnswer, RefundsPayments } from '../src/rails/index.ts'
import type { Database } from '../src/storage/index.ts'
import {
  declineRefund,
  deductRefund,
  findRefund,
  type PaidBook,
  type RefundRow,
  recordRefund,
} from './refunds-store.ts'

const referenceBytes = 8

export function refundsOver(
  { database, random }: { readonly database: Database; readonly random: Randomness },
  book: PaidBook,
): RefundsPayments {
  return {
    async refund(request, signal) {
      const reference = Buffer.from(random.bytes(referenceBytes)).toString('hex').toUpperCase()
      const decided = await database.transaction(async (tx) => {
        signal?.throwIfAborted()
        const recorded = await recordRefund(tx, request, reference)
        if (recorded === undefined) return findRefund(tx, request.key)
        const decline = await deductRefund(tx, book, request)
        if (decline !== null) await declineRefund(tx, request.key, decline)
        return { decline, reference }
      })
      if (decided === undefined) throw new Error(`the refund ${request.key} was not recorded`)
      return answerOf(decided)
    },
    async inquireRefund(key) {
      const decided = await findRefund(database, key)
      return decided === undefined ? { kind: 'not_found' } : answerOf(decided)
    },
  }
}

function answerOf({ decline, reference }: RefundRow): RefundAnswer {
  return decline === null ? { kind: 'approved', reference } : { kind: 'declined', reason: decline }
}
