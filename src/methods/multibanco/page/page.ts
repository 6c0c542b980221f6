// Payment of a checkout by bank reference.

import { crashPoint } from '../../../kernel/crash-points.ts'
import { RefusalError } from '../../../kernel/result.ts'
import { after, type Clock, minute } from '../../../kernel/time.ts'
import { customerOf, customerProblems } from '../../contact.ts'
import type { MethodPage } from '../../method.ts'
import type { ReferenceOffers } from '../offer.ts'
import { referenceTexts } from './i18n.ts'
import { referencePanel } from './panel.ts'
import { renderReferencePage } from './reference-page.ts'

/** The checkout's timer waits longer, because the reference's own timer first inquires at the network. */
const standBackMinutes = 1

export function referencePage(offers: ReferenceOffers, clock: Clock): MethodPage {
  return {
    panel: () => referencePanel,

    async start(visit, form) {
      const { checkout, locale } = visit
      const { operation } = checkout
      if ((await offers.openReference(operation)) !== undefined) return { kind: 'started' }
      const problems = customerProblems(checkout, form)
      const contact = customerOf(form)
      if (Object.keys(problems).length > 0) return { kind: 'wrong_fields', problems, filledIn: form }
      await visit.keepCustomer(contact)
      const expires = offers.expiryOf(operation, checkout.expiresAt)
      await visit.extend(expires, after(expires, standBackMinutes * minute))
      crashPoint('customer data kept, nothing begun')
      try {
        const isOffered = await offers.offer(operation, expires, { ...contact, ...operation.client })
        return { kind: isOffered ? 'started' : 'too_late' }
      } catch (error) {
        if (!(error instanceof RefusalError) || error.refusal.kind !== 'rail_unavailable') throw error
        return { kind: 'refused', notice: { kind: 'message', ...referenceTexts[locale].unavailable } }
      }
    },

    async state({ checkout }) {
      const reference = await offers.openReference(checkout.operation)
      if (reference?.expires === undefined) return { kind: 'waiting' }
      const shown = {
        entity: reference.entity,
        ref: reference.ref,
        starts: reference.starts,
        expires: reference.expires,
        now: clock.now(),
      }
      return { kind: 'shown', render: (frame) => renderReferencePage(frame, shown) }
    },
  }
}
