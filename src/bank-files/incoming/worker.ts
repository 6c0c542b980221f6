// The worker that applies imported files to operations and wallets.
import { crashPoint } from '../../kernel/crash-points.ts'
import { after, minute, second } from '../../kernel/time.ts'
import type { Core } from '../../module.ts'
import type { Notices } from '../../rails/index.ts'
import { createWorker, type Worker } from '../../storage/index.ts'
import { textOfEntry } from './model.ts'
import { claimAnsweredOrders, claimDueTransfers, markAnswerFollowed, markTransferTaken } from './store.ts'

export interface EntryWorkerDeps extends Pick<Core, 'database' | 'clock' | 'onError'> {
  readonly notices: Pick<Notices, 'bankOrder' | 'incomingTransfer'>
}

const pollMs = 5 * second
const concurrency = 8
/** The lease is longer than an operation needs to settle. */
const leaseMs = minute

/** Reports answers and transfers to their modules until each is accepted. A report can be repeated. */
export function createEntryWorker({ database, clock, notices, onError }: EntryWorkerDeps): Worker {
  return createWorker<() => Promise<void>>({
    name: 'bank entries',
    database,
    pollMs,
    concurrency,
    async claim(limit) {
      const now = clock.now()
      const leasedUntil = after(now, leaseMs)
      const orders = await claimAnsweredOrders(database, now, leasedUntil, limit)
      const transfers = await claimDueTransfers(database, now, leasedUntil, limit - orders.length)
      return [
        ...orders.map((order) => async () => {
          await notices.bankOrder(order.id)
          crashPoint('answer of the bank followed, not marked')
          await markAnswerFollowed(database, order)
        }),
        ...transfers.map((transfer) => async () => {
          const { id: key, party, amount, currency } = transfer
          await notices.incomingTransfer({
            key,
            text: textOfEntry(transfer),
            iban: party.iban,
            amount,
            currency,
          })
          crashPoint('answer of the bank followed, not marked')
          await markTransferTaken(database, transfer)
        }),
      ]
    },
    work: (take) => take(),
    onError,
  })
}
