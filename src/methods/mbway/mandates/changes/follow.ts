// Changes by the customer's app, applied in order, one event each.
import { crashPoint } from '../../../../kernel/crash-points.ts'
import { lisbonDayOf } from '../../../../kernel/lisbon.ts'
import { after, second } from '../../../../kernel/time.ts'
import { callRail } from '../../../../rails/index.ts'
import { createWorker, type Worker } from '../../../../storage/index.ts'
import type { MbwayDeps } from '../../deps.ts'
import { isNeeded } from '../../subscriptions/follow-mandates.ts'
import { monthOf } from '../allowances-store.ts'
import type { Mandate } from '../model.ts'
import { afterChange, endOf, isOver, nextInquiry } from '../rules.ts'
import { claimDueMandates, findMandateOfKey, postponeMandate } from '../store.ts'
import { findMandate, moveMandate } from './move.ts'

/**
 * Applies the network's changes since our version. It may be repeated or run in parallel, because a change
 * applies only to the version before it.
 */
export async function followMandate(deps: MbwayDeps, mandate: Mandate): Promise<void> {
  if (mandate.state === 'VOIDED') return cancelAtNetwork(deps, mandate)
  if (isOver(mandate)) return
  if (mandate.awaitsPayment) return inquireAgain(deps, mandate)
  const history = await callRail(() => deps.mobileWallet.mandateHistory(mandate.id, mandate.version))
  crashPoint('rail answered, nothing written')
  if (history.kind === 'unknown') return inquireAgain(deps, mandate, { ...mandate, state: 'REQUESTED' })
  if (history.kind === 'not_found') return notReceived(deps, mandate)

  let known = mandate
  for (const change of history.changes) {
    const { mandate: to, event } = afterChange(known, change)
    const moved = await moveMandate(deps, {
      from: known,
      to,
      event,
      dueAt: nextInquiry(to, deps.clock.now()),
    })
    if (moved === undefined) return followAgain(deps, mandate)
    known = moved
  }
  if (known.state !== 'REQUESTED' && !isOver(known) && !(await isNeeded(deps, known)))
    return endUnneeded(deps, known)
  if (history.changes.length === 0) await inquireAgain(deps, mandate)
}

export async function followMandateOfKey(deps: MbwayDeps, key: string): Promise<void> {
  const mandate = await findMandateOfKey(deps.database, key, monthOf(lisbonDayOf(deps.clock.now())))
  if (mandate !== undefined) await followMandate(deps, mandate)
}

/** Ends a mandate that is no longer needed: its subscription has ended, or was accepted in another way. */
async function endUnneeded(deps: MbwayDeps, mandate: Mandate): Promise<void> {
  const to = { ...mandate, state: 'VOIDED' } as const
  const ended = await moveMandate(deps, { from: mandate, to, event: 'VOIDED', dueAt: deps.clock.now() })
  if (ended !== undefined) await cancelAtNetwork(deps, ended)
}

async function followAgain(deps: MbwayDeps, { walletId, id }: Mandate): Promise<void> {
  const fresh = await findMandate(deps, walletId, id)
  if (fresh !== undefined) await followMandate(deps, fresh)
}

function inquireAgain({ database, clock }: MbwayDeps, mandate: Mandate, as = mandate): Promise<void> {
  return postponeMandate(database, mandate, nextInquiry(as, clock.now()))
}

/** Sends a lost request again while the customer still has time. After that the mandate expires. */
async function notReceived(deps: MbwayDeps, mandate: Mandate): Promise<void> {
  if (deps.clock.now() < endOf(mandate)) {
    return (await isNeeded(deps, mandate)) ? askCustomer(deps, mandate) : inquireAgain(deps, mandate)
  }
  const to = { ...mandate, state: 'EXPIRED' } as const
  await moveMandate(deps, { from: mandate, to, event: 'EXPIRED', dueAt: undefined })
}

/** Can be repeated, because the network asks the customer only once. */
export async function askCustomer(deps: MbwayDeps, mandate: Mandate): Promise<void> {
  const { id, walletId, phone, type, askedUntil, wanted } = mandate
  const { name } = await deps.wallets.get(walletId)
  crashPoint('attempt opened, rail not asked')
  const answer = await callRail((signal) =>
    deps.mobileWallet.requestMandate(
      { key: id, merchant: { id: walletId, name }, phone, kind: type, expires: askedUntil, wanted },
      signal,
    ),
  )
  crashPoint('rail answered, nothing written')
  if (answer.kind === 'declined') {
    const to = { ...mandate, state: 'EXPIRED' } as const
    await moveMandate(deps, { from: mandate, to, event: 'EXPIRED', dueAt: undefined })
  } else await inquireAgain(deps, mandate)
}

/** Ends the mandate at the network. The timer repeats this until it succeeds. */
async function cancelAtNetwork(deps: MbwayDeps, mandate: Mandate): Promise<void> {
  const answer = await callRail((signal) => deps.mobileWallet.cancelMandate(mandate.id, signal))
  const later = nextInquiry({ ...mandate, state: 'REQUESTED' }, deps.clock.now())
  await postponeMandate(deps.database, mandate, answer.kind === 'unknown' ? later : undefined)
}

const pollMs = 1000
const concurrency = 16
const leaseSeconds = 30

export function createMandateWorker(deps: MbwayDeps): Worker {
  const { database, clock } = deps
  return createWorker<Mandate>({
    name: 'mandates',
    database,
    pollMs,
    concurrency,
    claim: (limit) => {
      const now = clock.now()
      return claimDueMandates(database, now, after(now, leaseSeconds * second), limit)
    },
    work: (mandate) => followMandate(deps, mandate),
    onError: deps.onError,
  })
}
