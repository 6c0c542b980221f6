// Mandates approved together with a payment, until it is settled.
import type { Instant } from '../../../../kernel/time.ts'
import { callRail, type WantedMandate } from '../../../../rails/index.ts'
import type { Executor } from '../../../../storage/index.ts'
import type { MbwayDeps } from '../../deps.ts'
import { type Mandate, mandateTransitions } from '../model.ts'
import { afterChange, nextInquiry } from '../rules.ts'
import { freeMandate, insertMandate } from '../store.ts'
import { firstLook, newMandate } from './create.ts'
import { dropMandate } from './end.ts'
import { followMandate } from './follow.ts'
import { findMandate, moveMandate } from './move.ts'

export interface MandateWithPayment {
  readonly walletId: bigint
  readonly subscriptionId: string
  readonly phone: string
  readonly wanted: WantedMandate
  readonly askedUntil: Instant
}

export async function openMandateWithPayment(
  deps: MbwayDeps,
  tx: Executor,
  { walletId, subscriptionId, phone, wanted, askedUntil }: MandateWithPayment,
): Promise<Mandate> {
  const draft = { type: 'SUBSCRIPTION', phone, wanted } as const
  const mandate = { ...newMandate(deps, walletId, draft, subscriptionId), askedUntil, awaitsPayment: true }
  if (!(await insertMandate(tx, mandate, undefined, firstLook(mandate))))
    throw new Error(`mandate ${mandate.id} could not be written`)
  return mandate
}

/** Each function can be repeated after a crash. */
export function createMandatesWithPayments(deps: MbwayDeps) {
  const { database, clock, mobileWallet } = deps

  async function find(walletId: bigint, id: string): Promise<Mandate> {
    const mandate = await findMandate(deps, walletId, id)
    if (mandate === undefined) throw new Error(`mandate ${id} of a payment is gone`)
    return mandate
  }

  return {
    async approved(walletId: bigint, id: string): Promise<boolean> {
      const mandate = await find(walletId, id)
      if (mandate.state !== 'REQUESTED') return true
      const history = await callRail(() => mobileWallet.mandateHistory(id, mandate.version))
      const change = history.kind === 'changes' ? history.changes[0] : undefined
      if (change?.kind !== 'approved') return false
      const { mandate: to, event } = afterChange(mandate, change)
      await moveMandate(deps, { from: mandate, to, event, dueAt: nextInquiry(to, clock.now()) })
      return true
    },

    async settled(walletId: bigint, id: string): Promise<void> {
      const mandate = await find(walletId, id)
      await freeMandate(database, mandate, clock.now())
      await followMandate(deps, { ...mandate, awaitsPayment: false })
    },

    async approvedTooLate(walletId: bigint, id: string): Promise<void> {
      const mandate = await find(walletId, id)
      if (mandateTransitions[mandate.state].length === 0) return
      await freeMandate(database, mandate, clock.now())
      await dropMandate(deps, await find(walletId, id))
    },

    async declined(walletId: bigint, id: string): Promise<void> {
      const mandate = await find(walletId, id)
      if (mandate.state !== 'REQUESTED') return
      const to = { ...mandate, state: 'EXPIRED' } as const
      await moveMandate(deps, { from: mandate, to, event: 'EXPIRED', dueAt: undefined })
    },
  }
}
