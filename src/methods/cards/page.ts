// Payment of a checkout by card.

import type { App } from '../../http/index.ts'
import { cents } from '../../kernel/money.ts'
import { isUuid } from '../../kernel/random.ts'
import type { Clock, Instant } from '../../kernel/time.ts'
import type { PageCore } from '../../module.ts'
import type { Client, FindWallet, Operation } from '../../operations/index.ts'
import {
  type AuthenticationFailure,
  checkoutPath,
  type FieldProblem,
  formOf,
  type Locale,
  loadAssets,
  localeOf,
  type Notice,
  type PageField,
  sendPage,
} from '../../pages/index.ts'
import type { DeclineReason, SimulatedMoney } from '../../rails/index.ts'
import { lastDayOfCard } from '../../subscriptions/index.ts'
import { type ContactForm, contactOf, contactProblems, customerOf, customerProblems } from '../contact.ts'
import type {
  AnyVisit,
  FindVisit,
  MethodPage,
  MethodState,
  PaidCheckout,
  Started,
  SubscribingCheckout,
} from '../method.ts'
import { savedCardDeleted } from './attempts/attempt-handler.ts'
import type { CardAttempts } from './attempts/attempts.ts'
import type { MethodCompletion } from './attempts/authenticate.ts'
import type { NewAttempt } from './attempts/start.ts'
import { cardTexts } from './i18n.ts'
import {
  methodDoneUrl,
  renderMethodDonePage,
  sendCardForm,
  sendChallenge,
  sendMethodPage,
} from './issuer-pages.ts'
import { type KeptCards, typedCard, withKeptNumber } from './kept-card.ts'
import { type CardAttempt, type CardDetails, isBeingDecided, pageToVisit, stepOf } from './model.ts'
import { cardPanel } from './panel.ts'
import { brandOf, readCard, type TypedCard } from './rules.ts'
import type { SavedCards } from './saved-cards.ts'
import type { Vault } from './vault/index.ts'

interface CardForm extends TypedCard, ContactForm {
  readonly kept?: string | undefined
  /** The choice of a saved card. */
  readonly saved?: string | undefined
  readonly save?: string | undefined
}

const intentOf = { payment: 'sale', authorization: 'hold', subscription: 'verify' } as const

export interface CardPageParts {
  readonly clock: Clock
  readonly attempts: CardAttempts
  readonly keptCards: KeptCards
  readonly savedCards: SavedCards
  readonly vault: Pick<Vault, 'open'>
}

export function cardPage(parts: CardPageParts): MethodPage<PaidCheckout | SubscribingCheckout> {
  const { clock, attempts, keptCards, savedCards } = parts
  return {
    answersAgain: true,

    async panel(visit, { last, form }) {
      const saved = await savedCards.offered(visit)
      const before = keptCards.read(visit)
      const card = form === undefined ? before : typedCard(withKeptNumber(form, before))
      return cardPanel({
        atAcquirer: visit.wallet.cardsAtAcquirer,
        kept:
          card && !isUseless(last) ? { type: brandOf(card.number), last4: card.number.slice(-4) } : undefined,
        typed: card,
        saved: saved.map(({ choice, card: { brand, last4, valdate } }) => ({
          choice,
          brand,
          last4,
          valdate,
        })),
        chosen: form?.saved,
        mayBeSaved: await savedCards.canSave(visit),
        isToBeSaved: form?.save === 'yes',
      })
    },

    async start(visit, posted) {
      const { attempt: pageToken = '' } = posted
      if (!isUuid(pageToken)) return { kind: 'too_late' }
      if (posted.saved !== undefined)
        return startSaved(parts, visit, { ...posted, saved: posted.saved }, pageToken)
      const form: CardForm = withKeptNumber(posted, keptCards.read(visit))
      const read = readForm(visit, form, clock.now())
      if (!read.ok) {
        keptCards.keep(visit, form)
        const { name, expiry, email, phone } = form
        return { kind: 'wrong_fields', problems: read.problems, filledIn: { name, expiry, email, phone } }
      }
      await visit.keepCustomer(customerIn(form, subjectOf(visit), read.card))
      const savesFor =
        form.save === 'yes' && (await savedCards.canSave(visit)) ? visit.checkout.customerId : undefined
      const started = await attempts.start({ ...newAttempt(visit, pageToken, read.card), savesFor })
      if (!started.ok) return { kind: 'too_late' }
      keptCards.keep(visit, form)
      return proceed(attempts, visit, started.value)
    },

    async state(visit) {
      const attempt = await attemptOf(attempts, visit)
      return stateOf(visit, attempt)
    },

    async withdraw(visit) {
      const attempt = await attemptOf(attempts, visit)
      if (attempt !== undefined) await attempts.leaveCardForm(attempt)
    },

    async isExhausted(visit) {
      const { id, method } = subjectOf(visit)
      return method !== undefined && (await attempts.triedOut(visit.checkout.walletId, id))
    },

    ended(visit) {
      if (keptCards.read(visit) !== undefined) keptCards.forget(visit)
    },
  }
}

function newAttempt(visit: AnyVisit, pageToken: string, card: CardDetails | undefined): NewAttempt {
  const { checkout, wallet, locale, browser } = visit
  const subject = subjectOf(visit)
  const intent = intentOf[checkout.kind]
  return {
    owner: checkout.kind === 'subscription' ? 'subscription' : 'checkout',
    walletId: checkout.walletId,
    subjectId: subject.id,
    pageToken: pageToken.toLowerCase(),
    amount: intent === 'verify' ? cents(0) : subject.amount,
    currency: subject.currency,
    merchantName: wallet.name,
    intent,
    keepsCard: checkout.subscription !== undefined,
    card,
    browser: { ...browser, pageLanguage: locale },
  }
}

/** Pays with a saved card. It asks for its security code, because a link to the page may reach other people. */
async function startSaved(
  { clock, attempts, savedCards, vault }: CardPageParts,
  visit: AnyVisit,
  form: CardForm & { readonly saved: string },
  pageToken: string,
): Promise<Started> {
  const notThere: Started = {
    kind: 'refused',
    notice: { kind: 'message', ...cardTexts[visit.locale].savedCardGone },
  }
  const stored = await savedCards.chosen(visit, form.saved)
  if (stored === undefined) return notThere
  const { number, name, expiry } = vault.open(stored)
  const month = `${expiry.month}/${expiry.year}`
  const read = readForm(visit, { ...form, number, name, expiry: month }, clock.now())
  if (!read.ok) {
    const { email, phone } = form
    return { kind: 'wrong_fields', problems: read.problems, filledIn: { email, phone } }
  }
  // Not the name on the card: other people may have the link, and the page shows the name that is kept.
  await visit.keepCustomer(contactOf(form))
  const savedCard = stored.token
  const started = await attempts.start({ ...newAttempt(visit, pageToken, read.card), savedCard })
  if (started.ok) return proceed(attempts, visit, started.value)
  return started.refusal.kind === 'not_found' ? notThere : { kind: 'too_late' }
}

type ReadForm =
  | { readonly ok: true; readonly card?: CardDetails | undefined }
  | { readonly ok: false; readonly problems: Readonly<Partial<Record<PageField, FieldProblem>>> }

function readForm(visit: AnyVisit, form: CardForm, now: Instant): ReadForm {
  const { checkout, wallet } = visit
  if (wallet.cardsAtAcquirer === true) {
    const problems = customerProblems(checkout, form)
    return Object.keys(problems).length === 0 ? { ok: true } : { ok: false, problems }
  }
  const read = readCard(form, now)
  const problems = {
    ...(read.ok ? subscriptionProblems(visit, read.card) : read.problems),
    ...contactProblems(checkout.requiredFields, form),
  }
  return read.ok && Object.keys(problems).length === 0 ? read : { ok: false, problems }
}

function customerIn(
  form: CardForm,
  { client }: Pick<Operation, 'client'>,
  card: CardDetails | undefined,
): Client {
  if (card === undefined) return customerOf(form)
  return { ...(client?.name === undefined ? { name: card.name } : {}), ...contactOf(form) }
}

function subjectOf({ checkout }: AnyVisit) {
  return checkout.operation ?? checkout.subscription
}

async function attemptOf(attempts: CardAttempts, visit: AnyVisit): Promise<CardAttempt | undefined> {
  const { attemptId } = subjectOf(visit)
  return attemptId === undefined ? undefined : attempts.find(visit.checkout.walletId, attemptId)
}

async function proceed(attempts: CardAttempts, visit: AnyVisit, attempt: CardAttempt): Promise<Started> {
  const attemptId = attempt.key
  const step = stepOf(attempt)
  if (step !== 'STARTED' && step !== 'ISSUER_ASKED') return { kind: 'started', attemptId }
  const { methodUrl, browser } = attempt.details
  // Without JavaScript the hidden frame does nothing and costs the customer a click.
  const leadsToBank =
    methodUrl !== undefined && browser.javascript
      ? true
      : await authenticate(attempts, attempt, methodUrl === undefined ? 'U' : 'N')
  return leadsToBank ? { kind: 'redirect', url: bankPath(visit), attemptId } : { kind: 'started', attemptId }
}

async function authenticate(
  attempts: CardAttempts,
  attempt: CardAttempt,
  completion: MethodCompletion,
): Promise<boolean> {
  await attempts.authenticate(attempt, completion)
  const after = await attempts.find(attempt.walletId, attempt.key)
  return after !== undefined && (stepOf(after) === 'CHALLENGED' || pageToVisit(after) !== undefined)
}

function bankPath({ checkout, locale }: AnyVisit): string {
  return checkoutPath(checkout.id, locale, 'bank')
}

function stateOf(visit: AnyVisit, attempt: CardAttempt | undefined): MethodState {
  const isDeciding = subjectOf(visit).underApproval || (attempt !== undefined && isBeingDecided(attempt))
  if (!isDeciding) return { kind: 'open', notice: noticeOf(attempt, visit.locale) }
  return { kind: 'waiting', leadsToBank: attempt !== undefined && pageToVisit(attempt) !== undefined }
}

function subscriptionProblems(
  { checkout: { subscription } }: AnyVisit,
  card: CardDetails,
): Partial<Record<PageField, FieldProblem>> {
  const tooShort = subscription !== undefined && lastDayOfCard(card.expiry) < subscription.startDate
  return tooShort ? { expiry: 'ends_early' } : {}
}

function isUseless(notice: Notice | undefined): boolean {
  return (
    notice?.kind === 'declined' && (notice.reason === 'invalid_card' || notice.reason === 'lost_or_stolen')
  )
}

const authenticationFailures: Readonly<Record<string, AuthenticationFailure>> = {
  authentication_failed: 'failed',
  authentication_cancelled: 'cancelled',
  authentication_rejected: 'rejected',
  issuer_unavailable: 'issuer_unavailable',
  not_enrolled: 'not_enrolled',
}

const declineReasons: Readonly<Record<DeclineReason, true>> = {
  do_not_honour: true,
  insufficient_funds: true,
  expired_card: true,
  lost_or_stolen: true,
  wrong_security_code: true,
  invalid_card: true,
  limit_exceeded: true,
  not_permitted: true,
  amount_too_small: true,
  amount_too_large: true,
  suspected_fraud: true,
  authentication_required: true,
}

function isDeclineReason(failure: string): failure is DeclineReason {
  return Object.hasOwn(declineReasons, failure)
}

function noticeOf(attempt: CardAttempt | undefined, locale: Locale): Notice | undefined {
  if (attempt === undefined) return undefined
  const { state, failure = '' } = attempt
  if (state === 'OPEN' || state === 'ASKED' || state === 'APPROVED' || state === 'ABANDONED') return undefined
  if (failure === savedCardDeleted) return { kind: 'message', ...cardTexts[locale].savedCardGone }
  if (isDeclineReason(failure)) return { kind: 'declined', reason: failure }
  const reason = authenticationFailures[failure]
  return reason === undefined ? { kind: 'try_again' } : { kind: 'authentication_failed', reason }
}

const page = { config: { auth: 'none', page: true }, schema: { hide: true } } as const

export interface CardPageRoutesDeps {
  readonly core: Pick<PageCore, 'baseUrl' | 'manifestPath'>
  readonly attempts: CardAttempts
  readonly simulated: SimulatedMoney | undefined
  readonly wallets: { readonly findByPublicId: FindWallet }
}

export function cardPageRoutes(
  { core, attempts, simulated, wallets }: CardPageRoutesDeps,
  app: App,
  findVisit: FindVisit,
): void {
  const assets = loadAssets(core.manifestPath)

  app.post('/checkout/method-done', page, async (request, reply) => {
    const frame = { locale: localeOf(request), assets, simulated }
    const { merchant } = request.query as { merchant?: unknown }
    // The page around our page counts too. The issuer may know the merchant, but not the address of a checkout.
    const wallet = typeof merchant === 'string' ? await wallets.findByPublicId(merchant) : undefined
    const policy = { framedByUs: true, embedOrigins: wallet?.embedOrigins }
    return sendPage(reply, renderMethodDonePage(frame), policy)
  })

  app.get('/checkout/:id/bank', page, async (request, reply) => {
    const found = await findVisit(request, reply)
    if (found === undefined) return reply
    const { visit, state, frame } = found
    const { checkout, locale } = visit
    const attempt = state.kind === 'over' ? undefined : await attemptOf(attempts, visit)
    const sent =
      attempt &&
      (sendChallenge(reply, frame, attempt) ??
        sendCardForm(reply, frame, attempt, checkoutPath(checkout.id, locale, 'withdraw')))
    if (sent !== undefined) return sent
    const asksFirst = state.kind === 'open' && attempt !== undefined && stepOf(attempt) === 'STARTED'
    const notificationUrl = methodDoneUrl(core.baseUrl, visit.wallet)
    const addresses = { notificationUrl, continueUrl: bankPath(visit) }
    const hiddenFrame = asksFirst ? sendMethodPage(reply, frame, attempt, addresses) : undefined
    return hiddenFrame ?? reply.redirect(checkoutPath(checkout.id, locale), 303)
  })

  app.post('/checkout/:id/bank', page, async (request, reply) => {
    const found = await findVisit(request, reply)
    if (found === undefined) return reply
    const { visit } = found
    const attempt = await attemptOf(attempts, visit)
    if (attempt === undefined || stepOf(attempt) !== 'STARTED') return reply.redirect(bankPath(visit), 303)
    const { compInd } = formOf(request)
    const done = compInd === 'Y' || compInd === 'N' ? compInd : 'U'
    const { checkout, locale } = visit
    const leadsToBank = await authenticate(attempts, attempt, done)
    return reply.redirect(leadsToBank ? bankPath(visit) : checkoutPath(checkout.id, locale), 303)
  })
}
