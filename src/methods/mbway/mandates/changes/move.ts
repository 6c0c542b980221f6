// A transition of a mandate and its event, in one transaction.
import { recordEvents } from '../../../../callbacks/index.ts'
import { crashPoint } from '../../../../kernel/crash-points.ts'
import { lisbonDayOf } from '../../../../kernel/lisbon.ts'
import { newId } from '../../../../kernel/random.ts'
import type { Instant } from '../../../../kernel/time.ts'
import type { MbwayDeps } from '../../deps.ts'
import { moveSubscriptionWith } from '../../subscriptions/follow-mandates.ts'
import { monthOf } from '../allowances-store.ts'
import { mandateEvent } from '../events.ts'
import type { Mandate, MandateEventWord } from '../model.ts'
import { findMandateRow, recordMove } from '../store.ts'

export interface MandateMove {
  readonly from: Mandate
  readonly to: Mandate
  readonly event: MandateEventWord | undefined
  readonly dueAt: Instant | undefined
}

export async function moveMandate(
  deps: MbwayDeps,
  { from, to, event, dueAt }: MandateMove,
): Promise<Mandate | undefined> {
  const { database, clock, random, callbacks } = deps
  const wallet = await deps.wallets.get(from.walletId)
  const now = clock.now()
  const month = monthOf(lisbonDayOf(now))
  const moved = await database.transaction(async (tx) => {
    if (!(await recordMove(tx, from, to, dueAt, now))) return undefined
    const written = await findMandateRow(tx, from.walletId, from.id, month)
    if (written === undefined) throw new Error(`mandate ${from.id} vanished`)
    if (event !== undefined)
      await recordEvents(tx, [mandateEvent(written, event, wallet, newId(now, random), now)])
    if (event !== undefined && written.subscriptionId !== undefined) {
      // Changes by the customer's app have a new version. Changes by the merchant do not.
      const byMerchant = from.version === to.version
      await moveSubscriptionWith(deps, tx, { mandate: written, event, byMerchant, wallet })
    }
    return written
  })
  crashPoint('mandate moved, callback not sent')
  if (moved !== undefined && event !== undefined) callbacks.wake()
  return moved
}

export function findMandate(
  { database, clock }: Pick<MbwayDeps, 'database' | 'clock'>,
  walletId: bigint,
  id: string,
): Promise<Mandate | undefined> {
  return findMandateRow(database, walletId, id, monthOf(lisbonDayOf(clock.now())))
}
