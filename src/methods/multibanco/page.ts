// Payment of a checkout by bank reference.
import { crashPoint } from '../../kernel/crash-points.ts'
import { type Cents, decimalText } from '../../kernel/money.ts'
import { RefusalError } from '../../kernel/result.ts'
import { after, type Clock, type Instant, minute } from '../../kernel/time.ts'
import {
  type CheckoutFrame,
  checkoutPath,
  customerFields,
  detailLine,
  document,
  fieldId,
  html,
  type Locale,
  lateNote,
  localMoment,
  type MethodPanel,
  money,
  ownPath,
  type PanelContext,
  shopLink,
  summaryLine,
  texts,
} from '../../pages/index.ts'
import { customerOf, customerProblems } from '../contact.ts'
import type { MethodPage } from '../method.ts'
import { referenceTexts } from './i18n.ts'
import type { ReferenceOffers } from './offer.ts'

/** The checkout's timer waits longer, because the reference's own timer must ask the network first. */
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

const idPrefix = 'mb'

export const referencePanel: MethodPanel = {
  render: referenceForm,
  fieldId: (name) => fieldId(idPrefix, name),
}

function referenceForm(context: PanelContext): string {
  const { locale } = context.page
  const reference = referenceTexts[locale]
  return html`<form method="post" action="${context.path}" data-checked-form data-busy="${texts[locale].submitting}">
<p>${reference.explained}</p>
!${customerFields(context, idPrefix)}
<button type="submit" class="primary" data-submit>${reference.submit}</button>
<p class="visually-hidden" role="status" data-status></p>
</form>`
}

export interface ShownReference {
  readonly entity: string
  readonly ref: string
  readonly starts?: Instant | undefined
  readonly expires: Instant
  readonly now: Instant
}

/** Browsers without JavaScript reload the page after this time, which is enough to write the digits down. */
const refreshSeconds = 30

function renderReferencePage(frame: CheckoutFrame, reference: ShownReference): string {
  const { locale, checkoutId, merchantName, amount, currency } = frame
  const words = referenceTexts[locale]
  const { waitingRefresh } = texts[locale]
  const next = checkoutPath(checkoutId, locale)
  const events = checkoutPath(checkoutId, locale, 'events')
  const { entity, ref, starts, expires, now } = reference
  const begins = starts === undefined || starts <= now ? '' : words.moment(localMoment(starts, now, locale))
  return document(frame, {
    title: words.title,
    checkoutId,
    refresh: { seconds: refreshSeconds, url: next },
    main: html`<main class="single" data-waiting data-next="${ownPath(next)}" data-events="${ownPath(events)}">
!${lateNote(frame, ({ waiting }) => waiting)}
!${summaryLine(frame)}
<div class="reference">
<h1>${words.title}</h1>
<p class="quiet">${words.how}</p>
<dl>
!${copyable(locale, words.entity, entity, entity)}
!${copyable(locale, words.ref, ref.replace(/\d{3}(?=\d)/g, '$&\u00a0'), ref)}
!${copyable(locale, words.amount, money(amount, currency, locale), bareAmount(amount, locale))}
!${detailLine(words.beneficiary, merchantName)}
!${begins === '' ? '' : detailLine(words.from, begins)}
!${detailLine(words.until, words.moment(localMoment(expires, now, locale)))}
</dl>
<p class="visually-hidden" role="status" data-copied-status></p>
<div class="reference-actions" data-with-script hidden><button type="button" class="secondary" data-print>${words.print}</button></div>
</div>
<p class="reference-wait" role="status"><span class="spinner" aria-hidden="true"></span><span>${words.waiting}</span></p>
!${shopLink(frame, 'primary')}
!${payLink(frame, reference)}
<p data-without-script><a class="secondary" href="${next}">${waitingRefresh}</a></p>
!${waysOut(frame)}
</main>`,
  })
}

function copyable(locale: Locale, name: string, shown: string, bare: string): string {
  const { copy, copied, copyOf } = referenceTexts[locale]
  return html`<div><dt>${name}</dt><dd class="digits">${shown}</dd><dd class="copy" data-with-script hidden><button type="button" class="copy-button" data-copy="${bare}" data-copied="${copied}" aria-label="${copyOf(name.toLowerCase())}"><span data-copied-text>${copy}</span></button></dd></div>`
}

function bareAmount(amount: Cents, locale: Locale): string {
  return locale === 'pt' ? decimalText(amount).replace('.', ',') : decimalText(amount)
}

/** In test mode: a link to the simulated bank. */
function payLink({ locale, amount, simulated }: CheckoutFrame, { entity, ref }: ShownReference): string {
  if (simulated === undefined) return ''
  const { path, text } = simulated[locale].payReference
  const query = new URLSearchParams({ entity, ref, amount: bareAmount(amount, 'en') })
  return html`<p class="reference-out no-print"><a href="${ownPath(`${path}?${query}`)}" target="_blank" rel="noopener">${text}</a></p>`
}

function waysOut({ checkoutId, locale }: CheckoutFrame): string {
  const { cancel } = texts[locale]
  return html`<div class="reference-out no-print"><a href="${checkoutPath(checkoutId, locale)}&choose">${referenceTexts[locale].otherMethod}</a>
<form class="cancel" method="post" action="${checkoutPath(checkoutId, locale, 'cancel')}" data-submit-once><button type="submit" class="plain">${cancel}</button></form></div>`
}
