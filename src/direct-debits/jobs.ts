// The resolver: the bank is asked on the day it collects, and weekly while a debtor can have a debit returned.
import { after, second } from '../kernel/time.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import { inquire } from './answers.ts'
import type { DirectDebitsDeps } from './deps.ts'
import type { DirectDebit } from './model.ts'
import { claimDueDebits } from './store.ts'

const pollMs = 1000
const concurrency = 16
const leaseSeconds = 30

/** Works debits whose time has come; several processes share them. */
export function createResolver(deps: DirectDebitsDeps): Worker {
  return createWorker<DirectDebit>({
    name: 'direct debits',
    database: deps.database,
    pollMs,
    concurrency,
    claim: (limit) => {
      const now = deps.clock.now()
      return claimDueDebits(deps.database, now, after(now, leaseSeconds * second), limit)
    },
    work: (debit) => inquire(deps, debit),
    onError: deps.onError,
  })
}
