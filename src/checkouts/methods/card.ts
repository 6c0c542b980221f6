// Paying a checkout by card: read the form, decide, start the attempt.
import {
  type BrowserFacts,
  type CardAttempt,
  type CardDetails,
  readCard,
  type TypedCard,
} from '../../cards/index.ts'
import { cents } from '../../kernel/money.ts'
import { isUuid } from '../../kernel/random.ts'
import {
  type ContactForm,
  contactOf,
  contactProblems,
  customerOf,
  customerProblems,
} from '../../methods/contact.ts'
import type { Client } from '../../operations/index.ts'
import type { FieldProblem, PageField } from '../../pages/index.ts'
import { lastDayOfCard } from '../../subscriptions/index.ts'
import type { CheckoutPagesDeps } from '../deps.ts'
import type { Checkout } from '../model.ts'
import { isPayable, offeredMethods } from '../rules.ts'
import { addCustomerData } from '../store.ts'
import { subjectOf } from '../subject-rules.ts'
import { lacksDelivery } from '../views/delivery.ts'

/** What the card form posts. Every field is untrusted. */
export interface CardForm extends TypedCard, ContactForm {
  readonly attempt?: string | undefined
  /** Last digits of the card that the page showed as kept. */
  readonly kept?: string | undefined
}

export type PaidByCard =
  | { readonly kind: 'started'; readonly attempt: CardAttempt }
  | { readonly kind: 'wrong_fields'; readonly problems: Readonly<Partial<Record<PageField, FieldProblem>>> }
  /** The page is out of date: the checkout is over, being decided, does not offer cards, or lacks a delivery address. */
  | { readonly kind: 'too_late' }

/** The acquirer's own form asks for it. */
const cardTypedElsewhere: { readonly ok: true; readonly card?: undefined } = { ok: true }

const intentOf = { payment: 'sale', authorization: 'hold', subscription: 'verify' } as const

/**
 * Starts the attempt a card form asks for. The same form posted twice (a double click) finds the attempt
 * that it started first.
 */
export async function payByCard(
  deps: CheckoutPagesDeps,
  checkout: Checkout,
  form: CardForm,
  browser: BrowserFacts,
): Promise<PaidByCard> {
  const now = deps.clock.now()
  const wallet = await deps.wallets.get(checkout.walletId)
  const takesCards = offeredMethods(wallet, checkout).includes('CC') && !lacksDelivery(checkout)
  const pageToken = form.attempt
  if (!isPayable(checkout, now) || !takesCards || pageToken === undefined || !isUuid(pageToken)) {
    return { kind: 'too_late' }
  }
  const read = wallet.cardsAtAcquirer === true ? cardTypedElsewhere : readCard(form, now)
  const problems = {
    ...(read.ok ? subscriptionProblems(checkout, read.card) : read.problems),
    ...(read === cardTypedElsewhere
      ? customerProblems(checkout, form)
      : contactProblems(checkout.requiredFields, form)),
  }
  if (!read.ok || Object.keys(problems).length > 0) return { kind: 'wrong_fields', problems }

  const client = read.card === undefined ? customerOf(form) : customerData(checkout, form, read.card.name)
  await addCustomerData(deps.database, checkout, client, browser.ip, now)
  const subject = subjectOf(checkout)
  const intent = intentOf[checkout.kind]
  const attempt = await deps.cards.start({
    owner: checkout.kind === 'subscription' ? 'subscription' : 'checkout',
    walletId: checkout.walletId,
    subjectId: subject.id,
    pageToken: pageToken.toLowerCase(),
    amount: intent === 'verify' ? cents(0) : subject.amount,
    currency: subject.currency,
    merchantName: wallet.name,
    intent,
    keepsCard: checkout.subscription !== undefined,
    card: read.card,
    browser,
  })
  return attempt.ok ? { kind: 'started', attempt: attempt.value } : { kind: 'too_late' }
}

/** A card that expires before the first charge cannot be used for a subscription. */
function subscriptionProblems(
  { subscription }: Checkout,
  card: CardDetails | undefined,
): Partial<Record<PageField, FieldProblem>> {
  if (card === undefined) return {}
  const tooShort = subscription !== undefined && lastDayOfCard(card.expiry) < subscription.startDate
  return tooShort ? { expiry: 'ends_early' } : {}
}

/** What the customer typed, where the merchant sent nothing or the form replaces it. */
function customerData(checkout: Checkout, form: CardForm, cardName: string): Client {
  const known = subjectOf(checkout).client?.name
  return { ...(known === undefined ? { name: cardName } : {}), ...contactOf(form) }
}
