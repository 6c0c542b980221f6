// Following the network: each change that a customer's app made to a mandate becomes ours, in order, each told once.
import { crashPoint } from '../../kernel/crash-points.ts'
import { callRail } from '../../rails/index.ts'
import { type MandatesDeps, networkTimeoutMs } from '../deps.ts'
import type { Mandate } from '../model.ts'
import { afterChange, endOf, isOver, nextLook } from '../rules.ts'
import { postponeMandate } from '../store.ts'
import { findMandate, moveMandate } from './move.ts'

/**
 * Asks the network what became of a mandate since the version we know, and takes it over. Safe to call at any
 * time and by many at once: a change is applied only to the version before it.
 */
export async function followMandate(deps: MandatesDeps, mandate: Mandate): Promise<void> {
  if (mandate.state === 'VOIDED') return tellEnd(deps, mandate)
  if (isOver(mandate)) return
  if (mandate.awaitsPayment) return lookAgain(deps, mandate)
  const history = await callRail(
    () => deps.mobileWallet.mandateHistory(mandate.id, mandate.version),
    networkTimeoutMs,
  )
  crashPoint('rail answered, nothing written')
  if (history.kind === 'unclear') return lookAgain(deps, mandate)
  if (history.kind === 'not_found') return notReceived(deps, mandate)

  let known = mandate
  for (const change of history.changes) {
    const { mandate: to, event } = afterChange(known, change)
    const moved = await moveMandate(deps, { from: known, to, event, dueAt: nextLook(to, deps.clock.now()) })
    if (moved === undefined) return followAgain(deps, mandate)
    known = moved
  }
  if (known.state !== 'REQUESTED' && !isOver(known) && !(await deps.subscriptions.needs(known)))
    return endUnneeded(deps, known)
  if (history.changes.length === 0) await lookAgain(deps, mandate)
}

/** Its subscription ended without it, or before it was approved: nothing will be charged under it. */
async function endUnneeded(deps: MandatesDeps, mandate: Mandate): Promise<void> {
  const to = { ...mandate, state: 'VOIDED' } as const
  const ended = await moveMandate(deps, { from: mandate, to, event: 'VOIDED', dueAt: deps.clock.now() })
  if (ended !== undefined) await tellEnd(deps, ended)
}

/** Somebody else followed at the same time; what they left is taken over from where they stopped. */
async function followAgain(deps: MandatesDeps, { walletId, id }: Mandate): Promise<void> {
  const fresh = await findMandate(deps, walletId, id)
  if (fresh !== undefined) await followMandate(deps, fresh)
}

function lookAgain({ database, clock }: MandatesDeps, mandate: Mandate): Promise<void> {
  return postponeMandate(database, mandate, nextLook(mandate, clock.now()))
}

/** The network was never asked, or did not hear: it is asked while the customer has time, then it is over. */
async function notReceived(deps: MandatesDeps, mandate: Mandate): Promise<void> {
  if (deps.clock.now() < endOf(mandate)) {
    return (await deps.subscriptions.needs(mandate)) ? askCustomer(deps, mandate) : lookAgain(deps, mandate)
  }
  const to = { ...mandate, state: 'EXPIRED' } as const
  await moveMandate(deps, { from: mandate, to, event: 'EXPIRED', dueAt: undefined })
}

/** Sends the request to the customer's phone; repeated it asks once. What is unclear is looked after later. */
export async function askCustomer(deps: MandatesDeps, mandate: Mandate): Promise<void> {
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
  } else await lookAgain(deps, mandate)
}

/** Tells the network that the merchant ended the mandate, until it has heard. */
async function tellEnd(deps: MandatesDeps, mandate: Mandate): Promise<void> {
  const answer = await callRail(
    (signal) => deps.mobileWallet.cancelMandate(mandate.id, signal),
    networkTimeoutMs,
  )
  const later = nextLook({ ...mandate, state: 'REQUESTED' }, deps.clock.now())
  await postponeMandate(deps.database, mandate, answer.kind === 'unclear' ? later : undefined)
}
