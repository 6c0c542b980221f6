// Opening a checkout by a payment link: never more of them at once than the link can still be paid.

import { findCheckout } from '../checkouts/index.ts'
import type { Cents } from '../kernel/money.ts'
import type { PaymentLinksDeps } from './deps.ts'
import type { PaymentLink } from './model.ts'
import { draftOf } from './rules.ts'
import { lockLink, useOfLink } from './store.ts'

/** `taken`: all that is left of the link is being paid by others at this moment. */
export type OpenedByLink =
  | { readonly kind: 'checkout'; readonly id: string }
  | { readonly kind: 'taken' }
  | { readonly kind: 'over' }

/**
 * The checkout under which a customer pays `amount` by a link that is active. Each open checkout holds one of the
 * link's uses until it is paid or over, and those of a link are opened one after the other: so it cannot be paid more
 * often than it may. A link for one payment has one open checkout, to which all are led who press
 * its button; another amount replaces it as long as no method was chosen.
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
    // A statement of its own, before the uses are counted: what was opened meanwhile is then seen.
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
