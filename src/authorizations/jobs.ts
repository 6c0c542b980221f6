// The end of an authorization's month: what remains is given back to the cardholder, and nothing is taken any more.
import { derivedId } from '../kernel/ids.ts'
import { after, second } from '../kernel/time.ts'
import type { Operation, RailAnswer } from '../operations/index.ts'
import { railAnswerOf } from '../operations/index.ts'
import { callRail } from '../rails/index.ts'
import { createWorker, type Worker } from '../storage/index.ts'
import type { AuthorizationsDeps } from './deps.ts'
import { remainingOf } from './rules.ts'
import { claimOverdueAuthorizations, closeAuthorization, type OverdueAuthorization } from './store.ts'

const pollMs = 1000
const concurrency = 16
/** Also the pause after which an authorization that could not be closed is looked at again. */
const leaseSeconds = 30
/** A capture of the last moment has been opened by then, and is waited for. */
const graceSeconds = 60
const acquirerTimeoutMs = 8000

/** Closes authorizations whose month is over; several processes share them. */
export function createLapsing(deps: AuthorizationsDeps): Worker {
  const { database, clock } = deps
  return createWorker<OverdueAuthorization>({
    name: 'authorizations',
    database,
    pollMs,
    concurrency,
    claim: (limit) => {
      const due = after(clock.now(), -graceSeconds * second)
      return claimOverdueAuthorizations(database, due, after(due, leaseSeconds * second), limit)
    },
    async work({ authorization, undecided }) {
      if (undecided) return
      if (remainingOf(authorization) > 0n) {
        const { kind } = await giveBackRest(deps, authorization)
        // Also a no closes it: the acquirer holds nothing that it would still let us have.
        if (kind !== 'approved' && kind !== 'declined') return
      }
      await closeAuthorization(database, authorization, clock.now())
    },
    onError: deps.onError,
  })
}

/** Asked under one key however often, so that a crash or an unclear answer gives nothing back twice. */
async function giveBackRest(deps: AuthorizationsDeps, authorization: Operation): Promise<RailAnswer> {
  const { acquirer, wallets } = deps
  const { id, walletId, currency } = authorization
  const { name } = await wallets.get(walletId)
  const key = derivedId(id, 'lapse')
  const original = authorization.attemptId ?? id
  const merchant = { id: walletId, name }
  const release = acquirer.release({ key, original, merchant, amount: 'all', currency })
  const said = railAnswerOf(await callRail(release, acquirerTimeoutMs))
  return said.kind === 'unclear'
    ? railAnswerOf(await callRail(acquirer.inquire(key), acquirerTimeoutMs))
    : said
}
