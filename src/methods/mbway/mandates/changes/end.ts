// The end of a mandate by the merchant: here first, then at the network.
import { ok, type Result, refuse } from '../../../../kernel/result.ts'
import { callRail } from '../../../../rails/index.ts'
import type { MbwayDeps } from '../../deps.ts'
import { type Mandate, mandateTransitions } from '../model.ts'
import { markWithdrawn } from '../store.ts'
import { followMandate } from './follow.ts'
import { findMandate, moveMandate } from './move.ts'

export async function endMandate(deps: MbwayDeps, mandate: Mandate): Promise<Result<Mandate>> {
  if (!mandateTransitions[mandate.state].includes('VOIDED')) return refuse('illegal_state', whyNot(mandate))
  if (mandate.awaitsPayment)
    return refuse(
      'illegal_state',
      'the payment approved with the mandate is being settled: try again in a moment',
    )
  const to = { ...mandate, state: 'VOIDED' } as const
  const moved = await moveMandate(deps, { from: mandate, to, event: 'VOIDED', dueAt: deps.clock.now() })
  if (moved !== undefined) {
    await followMandate(deps, moved)
    return ok(moved)
  }
  const fresh = await findMandate(deps, mandate.walletId, mandate.id)
  return fresh === undefined ? refuse('not_found', 'the mandate is gone') : endMandate(deps, fresh)
}

/**
 * Ends a mandate in any state, and withdraws an unanswered request. If the network cannot be reached, a
 * mandate that is approved later ends at once.
 */
export async function dropMandate(deps: MbwayDeps, mandate: Mandate): Promise<void> {
  if (mandate.state === 'REQUESTED') {
    await callRail((signal) => deps.mobileWallet.cancelMandate(mandate.id, signal))
    await followMandate(deps, mandate)
  } else await endMandate(deps, mandate)
}

/**
 * Withdraws a request for the customer on a page. If the customer answers at the same moment, the answer
 * counts. Without an answer of the network nothing changes.
 */
export async function withdrawRequest(deps: MbwayDeps, mandate: Mandate): Promise<void> {
  if (mandate.state !== 'REQUESTED' || mandate.awaitsPayment) return
  const { kind } = await callRail((signal) => deps.mobileWallet.withdrawMandate(mandate.id, signal))
  if (kind === 'withdrawn') await markWithdrawn(deps.database, mandate)
  if (kind === 'withdrawn' || kind === 'over') await followMandate(deps, mandate)
}

function whyNot({ state }: Mandate): string {
  return state === 'REQUESTED'
    ? 'the customer has not answered yet: the mandate becomes ACTIVE, or EXPIRED, within 4 minutes of its creation'
    : `the mandate is over: ${state}`
}
