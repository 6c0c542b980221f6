// Following the network: each change that a customer's app made to a mandate is applied in order, with one event each.
import { crashPoint } from '../../../../kernel/crash-points.ts'
import { lisbonDayOf } from '../../../../kernel/lisbon.ts'
import { callRail } from '../../../../rails/index.ts'
import { type MbwayDeps, networkTimeoutMs } from '../../deps.ts'
import { isNeeded } from '../../subscriptions/follow-mandates.ts'
import { monthOf } from '../limits/allowances-store.ts'
import type { Mandate } from '../model.ts'
import { afterChange, endOf, isOver, nextInquiry } from '../rules.ts'
import { findMandateOfKey, postponeMandate } from '../store.ts'
import { findMandate, moveMandate } from './move.ts'

/**
 * Asks the network for the changes of a mandate since the version we know, and applies them. Safe to call at any
 * time and concurrently: a change is applied only to the version before it.
 */
export async function followMandate(deps: MbwayDeps, mandate: Mandate): Promise<void> {
  if (mandate.state === 'VOIDED') return cancelAtNetwork(deps, mandate)
  if (isOver(mandate)) return
  if (mandate.awaitsPayment) return inquireAgain(deps, mandate)
  const history = await callRail(
    () => deps.mobileWallet.mandateHistory(mandate.id, mandate.version),
    networkTimeoutMs,
  )
  crashPoint('rail answered, nothing written')
  // Somebody may be waiting for what a notice has announced: not until the next day.
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

/** Follows the mandate that the network calls `key`, if it is one of ours. */
export async function followMandateOfKey(deps: MbwayDeps, key: string): Promise<void> {
  const mandate = await findMandateOfKey(deps.database, key, monthOf(lisbonDayOf(deps.clock.now())))
  if (mandate !== undefined) await followMandate(deps, mandate)
}

/** Its subscription ended, or was accepted otherwise: nothing will be charged under it. */
async function endUnneeded(deps: MbwayDeps, mandate: Mandate): Promise<void> {
  const to = { ...mandate, state: 'VOIDED' } as const
  const ended = await moveMandate(deps, { from: mandate, to, event: 'VOIDED', dueAt: deps.clock.now() })
  if (ended !== undefined) await cancelAtNetwork(deps, ended)
}

/** Another process followed at the same time: continues from where it stopped. */
async function followAgain(deps: MbwayDeps, { walletId, id }: Mandate): Promise<void> {
  const fresh = await findMandate(deps, walletId, id)
  if (fresh !== undefined) await followMandate(deps, fresh)
}

function inquireAgain({ database, clock }: MbwayDeps, mandate: Mandate, as = mandate): Promise<void> {
  return postponeMandate(database, mandate, nextInquiry(as, clock.now()))
}

/** The network has not received the request: it is sent again while the customer has time, then it has expired. */
async function notReceived(deps: MbwayDeps, mandate: Mandate): Promise<void> {
  if (deps.clock.now() < endOf(mandate)) {
    return (await isNeeded(deps, mandate)) ? askCustomer(deps, mandate) : inquireAgain(deps, mandate)
  }
  const to = { ...mandate, state: 'EXPIRED' } as const
  await moveMandate(deps, { from: mandate, to, event: 'EXPIRED', dueAt: undefined })
}

/** Sends the request to the customer's phone; repeated, the phone is asked once. An unknown answer is resolved later. */
export async function askCustomer(deps: MbwayDeps, mandate: Mandate): Promise<void> {
  const { id, walletId, phone, type, askedUntil, wanted } = mandate
  const { name } = await deps.wallets.get(walletId)
  crashPoint('attempt opened, rail not asked')
  const answer = await callRail(
    (signal) =>
      deps.mobileWallet.requestMandate(
        { key: id, merchant: { id: walletId, name }, phone, kind: type, expires: askedUntil, wanted },
        signal,
      ),
    networkTimeoutMs,
  )
  crashPoint('rail answered, nothing written')
  if (answer.kind === 'declined') {
    const to = { ...mandate, state: 'EXPIRED' } as const
    await moveMandate(deps, { from: mandate, to, event: 'EXPIRED', dueAt: undefined })
  } else await inquireAgain(deps, mandate)
}

/** Cancels at the network a mandate that the merchant ended; repeated until it succeeds. */
async function cancelAtNetwork(deps: MbwayDeps, mandate: Mandate): Promise<void> {
  const answer = await callRail(
    (signal) => deps.mobileWallet.cancelMandate(mandate.id, signal),
    networkTimeoutMs,
  )
  const later = nextInquiry({ ...mandate, state: 'REQUESTED' }, deps.clock.now())
  await postponeMandate(deps.database, mandate, answer.kind === 'unknown' ? later : undefined)
}
