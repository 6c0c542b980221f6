// Opens a checkout for a payment link.
import { findCheckout } from '../checkouts/index.ts'
import type { Cents } from '../kernel/money.ts'
import type { PaymentLinksDeps } from './deps.ts'
import type { PaymentLink } from './model.ts'
import { draftOf } from './rules.ts'
import { lockLink, useOfLink } from './store.ts'

export type OpenedByLink =
  | { readonly kind: 'checkout'; readonly id: string }
  | { readonly kind: 'taken' }
  | { readonly kind: 'over' }

/**
 * Each open checkout takes one use, and openings wait for each other, so the link cannot be paid too often. A
 * link for one payment has one open checkout, which all customers share.
 */
export async function openByLink(
  deps: PaymentLinksDeps,
  link: PaymentLink,
  amount: Cents,
): Promise<OpenedByLink> {
  const opened = await tryToOpen(deps, link, amount)
  if (opened.kind !== 'checkout' || opened.isNew) return opened
  const found = await findCheckout(deps.core.database, link.walletId, opened.id)
  if (found?.operation === undefined || found.operation.amount === amount) return opened
  return (await deps.checkouts.void(found)).ok ? tryToOpen(deps, link, amount) : opened
}

type Tried = Exclude<OpenedByLink, { kind: 'checkout' }> | { kind: 'checkout'; id: string; isNew: boolean }

function tryToOpen({ core, checkouts }: PaymentLinksDeps, link: PaymentLink, amount: Cents): Promise<Tried> {
  const { database, baseUrl, clock } = core
  const { usesMax, walletId } = link
  return database.transaction(async (tx) => {
    // This must be a statement of its own, so that it counts checkouts that opened meanwhile.
    if (usesMax !== undefined) await lockLink(tx, link)
    const { closed, taken, open } = await useOfLink(tx, link)
    if (closed) return { kind: 'over' }
    if (usesMax !== undefined && taken >= usesMax) {
      if (open === undefined) return { kind: 'over' }
      return usesMax === 1 ? { kind: 'checkout', id: open, isNew: false } : { kind: 'taken' }
    }
    const id = await checkouts.open(tx, draftOf(link, amount, baseUrl, clock.now()), walletId)
    return { kind: 'checkout', id, isNew: true }
  })
}
