// Writing a mail: its facts are read when it is sent.
import { findBankOrder, maskedIban } from '../../bank-files/index.ts'
import { type Cents, cents } from '../../kernel/money.ts'
import { type Instant, instant } from '../../kernel/time.ts'
import { factsOf } from '../../methods/list.ts'
import { findOperation, type Operation } from '../../operations/index.ts'
import { brandName, dayInWords, money, wholeMoment } from '../../pages/index.ts'
import type { Executor } from '../../storage/index.ts'
import { findChargeById, findSubscription, isSoft } from '../../subscriptions/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { ClaimedMail, Language, MailDetails, MailKind } from '../model.ts'
import { oneLine } from '../rules.ts'
import type { Content } from './content.ts'
import { type MailMessages, mailMessages } from './messages.ts'

/** `skip`: the reason, as one word, why no mail is sent. */
export type Draft = { readonly skip: string } | WrittenMail

export interface WrittenMail {
  /** The address as it was given, unchecked. */
  readonly to: string | undefined
  readonly content: Content
  /** The operation, subscription or link whose mails form one thread. */
  readonly thread: string
}

export interface Writing {
  readonly db: Executor
  readonly mail: ClaimedMail
  /** The details after decryption. */
  readonly details: MailDetails
  /** Undefined if the reader belongs to the operator. */
  readonly wallet: Wallet | undefined
  readonly language: Language
  readonly now: Instant
  /** The whole address of the page of an open charge. */
  openChargeUrl(subscriptionId: string, chargeId: string): string
}

interface Told extends Writing {
  readonly words: MailMessages
  readonly shop: string
}

const nothing = { skip: 'not_found' } as const

/** The content of a mail, or the reason for sending none. */
export async function writeMail(writing: Writing): Promise<Draft> {
  const words = mailMessages[writing.language]
  const { wallet } = writing
  const shop = wallet === undefined ? words.operators : oneLine(wallet.name)
  return writers[writing.mail.kind]({ ...writing, words, shop })
}

const writers: Readonly<Record<MailKind, (told: Told) => Promise<Draft>>> = {
  receipt,
  reference,
  reference_reminder: reminder,
  payment_link: link,
  charge_failed: chargeFailed,
  card_expiring: cardExpiring,
  refund,
  refund_page: refundPage,
  dispute,
  payout,
  invitation,
  password,
}

function euros(amount: Cents, { language }: Told): string {
  return money(amount, 'EUR', language)
}

function momentOf(moment: Instant, { words, language }: Told): string {
  const { day, time } = wholeMoment(moment, language)
  return words.at(day, time)
}

function operationOf({ db, mail }: Told): Promise<Operation | undefined> {
  return findOperation(db, mail.walletId, mail.subject)
}

/** The customer's address: from this operation, the merchant's reference, the parent or the subscription. */
async function customerOf(told: Told, operation: Operation): Promise<string | undefined> {
  const { db, mail } = told
  const own = operation.client?.email ?? operation.extEmail
  if (own !== undefined) return own
  if (operation.parentId !== undefined) {
    const parent = await findOperation(db, mail.walletId, operation.parentId)
    if (parent !== undefined) return customerOf(told, parent)
  }
  return operation.subscriptionId === undefined
    ? undefined
    : (await findSubscription(db, mail.walletId, operation.subscriptionId))?.client?.email
}

/** Mails about captures and refunds are in the thread of the authorization or payment. */
function threadOf({ id, parentId }: Operation): string {
  return parentId ?? id
}

function cardOf({ card }: Pick<Operation, 'card'>): string | undefined {
  return card && `${brandName(card.type)} •••• ${card.last4}`
}

type Row = Content['rows'][number]

function rowsOf(rows: readonly (readonly [string, string | undefined])[]): Row[] {
  return rows.flatMap(([label, value]) =>
    value === undefined || value === '' ? [] : [[label, value] as const],
  )
}

function commonRows(told: Told, operation: Operation): readonly (readonly [string, string | undefined])[] {
  const { labels } = told.words
  const { method, extInvoiceId } = operation
  return [
    [labels.method, method && factsOf(method).names[told.language]],
    [labels.card, cardOf(operation)],
    [labels.invoice, extInvoiceId && oneLine(extInvoiceId)],
    [labels.number, operation.id],
  ]
}

async function receipt(told: Told): Promise<Draft> {
  const operation = await operationOf(told)
  if (operation === undefined) return nothing
  const { words, shop } = told
  const { title, lead, notes, reason } = words.receipt
  const amount = euros(operation.amount, told)
  const { amount: label, date } = words.labels
  const paidAt = operation.settledAt ?? operation.modifiedAt
  return {
    to: await customerOf(told, operation),
    thread: threadOf(operation),
    content: {
      title: title(shop, amount),
      lead: lead(shop, amount),
      rows: rowsOf([[label, amount], [date, momentOf(paidAt, told)], ...commonRows(told, operation)]),
      notes,
      reason: reason(shop, amount),
    },
  }
}

async function reference(told: Told): Promise<Draft> {
  return byReference(told, ({ words, shop }, amount) => ({
    title: words.reference.title(shop, amount),
    lead: words.reference.lead(shop, amount),
    notes: words.reference.notes,
    reason: words.reference.reason(shop, amount),
  }))
}

async function reminder(told: Told): Promise<Draft> {
  return byReference(told, ({ words, shop }, _amount, deadline = '') => ({
    title: words.reminder.title(shop, deadline),
    lead: words.reminder.lead(shop, deadline),
    notes: words.reminder.notes,
    reason: words.reminder.reason(shop, deadline),
  }))
}

/** Writes the mail only while the reference can be paid. */
async function byReference(
  told: Told,
  said: (told: Told, amount: string, deadline: string | undefined) => Omit<Content, 'rows'>,
): Promise<Draft> {
  const operation = await operationOf(told)
  if (operation?.mb === undefined) return nothing
  const { status, mb, expires } = operation
  if (status !== 'PENDING') return { skip: 'already_decided' }
  // The customer has another reference by now, with a mail of its own. Older mail names no reference.
  if (told.mail.occasion !== '' && told.mail.occasion !== mb.ref) return { skip: 'replaced' }
  if (expires !== undefined && expires <= told.now) return { skip: 'expired' }
  const { labels } = told.words
  const amount = euros(operation.amount, told)
  const deadline = expires === undefined ? undefined : momentOf(expires, told)
  return {
    to: await customerOf(told, operation),
    thread: threadOf(operation),
    content: {
      ...said(told, amount, deadline),
      rows: rowsOf([
        [labels.entity, mb.entity],
        [labels.reference, mb.ref.replace(/(\d{3})(?=\d)/g, '$1 ')],
        [labels.amount, amount],
        [labels.deadline, deadline],
        [labels.invoice, operation.extInvoiceId && oneLine(operation.extInvoiceId)],
      ]),
    },
  }
}

async function link(told: Told): Promise<Draft> {
  const { details, words, shop, mail, now } = told
  const { url, description = '', amount, expires } = details
  if (url === undefined) return nothing
  if (expires !== undefined && Date.parse(expires) <= now) return { skip: 'expired' }
  const { title, lead, button, until, notes, reason } = words.link
  const what = oneLine(description)
  const moment = expires === undefined ? undefined : momentOf(instant(Date.parse(expires)), told)
  return {
    to: mail.recipient,
    thread: mail.subject,
    content: {
      title: title(shop, what),
      lead: lead(shop, what),
      rows: rowsOf([
        [words.labels.shop, shop],
        [words.labels.amount, amount && euros(cents(BigInt(amount)), told)],
      ]),
      button: { text: button, url },
      notes: [...(moment === undefined ? [] : [until(moment)]), ...notes],
      reason: reason(shop, what),
    },
  }
}

async function chargeFailed(told: Told): Promise<Draft> {
  const { db, mail, words, shop } = told
  const charge = await findChargeById(db, mail.walletId, mail.subject)
  if (charge === undefined) return nothing
  const subscription = await findSubscription(db, mail.walletId, charge.subscriptionId)
  const { title, lead, notes, reason, button, retried } = words.chargeFailed
  const amount = euros(charge.amount, told)
  const { labels, declines } = words
  const description = subscription?.description
  const canPass = isSoft(charge.error)
  const retryOn = canPass ? charge.retryOn : undefined
  const canTry = canPass && charge.attempt !== undefined && subscription?.status === 'APPROVED'
  return {
    to: charge.client?.email ?? subscription?.client?.email,
    thread: charge.subscriptionId,
    content: {
      title: title(shop, amount),
      lead: lead(shop, amount),
      rows: rowsOf([
        [labels.subscription, description && oneLine(description)],
        [labels.amount, amount],
        [labels.card, subscription && cardOf(subscription)],
        [labels.reasonOfFailure, declines[charge.error ?? '']],
        [labels.invoice, charge.extInvoiceId && oneLine(charge.extInvoiceId)],
      ]),
      button: canTry
        ? { text: button, url: told.openChargeUrl(charge.subscriptionId, charge.id) }
        : undefined,
      notes: [...(retryOn === undefined ? [] : [retried(dayInWords(retryOn, told.language))]), ...notes],
      reason: reason(shop, amount),
    },
  }
}

async function cardExpiring(told: Told): Promise<Draft> {
  const { db, mail, words, shop } = told
  const subscription = await findSubscription(db, mail.walletId, mail.subject)
  const card = subscription && cardOf(subscription)
  if (subscription?.card === undefined || card === undefined) return nothing
  if (subscription.status !== 'APPROVED') return { skip: 'already_ended' }
  const { title, lead, notes, reason } = words.cardExpiring
  const month = subscription.card.valdate
  const { description } = subscription
  return {
    to: subscription.client?.email,
    thread: subscription.id,
    content: {
      title: title(shop, card, month),
      lead: lead(shop, card, month),
      rows: rowsOf([
        [words.labels.subscription, description && oneLine(description)],
        [words.labels.card, card],
        [words.labels.validUntil, month],
      ]),
      notes,
      reason: reason(shop, card, month),
    },
  }
}

async function refund(told: Told): Promise<Draft> {
  const operation = await operationOf(told)
  if (operation === undefined) return nothing
  const { words, shop, db, mail } = told
  const { title, lead, notes, reason } = words.refund
  const { parentId } = operation
  const paid = parentId === undefined ? undefined : await findOperation(db, mail.walletId, parentId)
  const amount = euros(cents(-operation.amount), told)
  return {
    to: await customerOf(told, operation),
    thread: threadOf(operation),
    content: {
      title: title(shop, amount),
      lead: lead(shop, amount),
      rows: rowsOf([
        [words.labels.amount, amount],
        [words.labels.paidOn, paid && momentOf(paid.settledAt ?? paid.createdAt, told)],
        ...commonRows(told, operation),
      ]),
      notes,
      reason: reason(shop, amount),
    },
  }
}

/** Only while the payer can name the account. */
async function refundPage(told: Told): Promise<Draft> {
  const { details, words, shop, now } = told
  const { url, expires } = details
  const operation = await operationOf(told)
  if (operation === undefined || url === undefined) return nothing
  if (operation.status !== 'PENDING') return { skip: 'already_decided' }
  const ends = expires === undefined ? undefined : instant(Date.parse(expires))
  if (ends !== undefined && ends <= now) return { skip: 'expired' }
  const { title, lead, button, until, notes, reason } = words.refundPage
  const amount = euros(cents(-operation.amount), told)
  return {
    to: await customerOf(told, operation),
    thread: threadOf(operation),
    content: {
      title: title(shop, amount),
      lead: lead(shop, amount),
      rows: rowsOf([[words.labels.amount, amount], ...commonRows(told, operation)]),
      button: { text: button, url },
      notes: [...(ends === undefined ? [] : [until(momentOf(ends, told))]), ...notes],
      reason: reason(shop, amount),
    },
  }
}

async function dispute(told: Told): Promise<Draft> {
  const operation = await operationOf(told)
  if (operation === undefined) return nothing
  const { words, wallet } = told
  const { title, lead, notes, reason } = words.dispute
  const amount = euros(cents(-operation.amount), told)
  return {
    to: wallet?.email,
    thread: threadOf(operation),
    content: {
      title: title(amount),
      lead: lead(amount),
      rows: rowsOf([
        [words.labels.amount, amount],
        [words.labels.reasonOfFailure, operation.error && oneLine(operation.error.replaceAll('_', ' '))],
        [words.labels.method, operation.method && factsOf(operation.method).names[told.language]],
        [words.labels.number, operation.parentId],
      ]),
      notes,
      reason: reason(amount),
    },
  }
}

async function payout(told: Told): Promise<Draft> {
  const operation = await operationOf(told)
  if (operation === undefined) return nothing
  const { words, wallet, db, mail } = told
  const { title, lead, notes, reason } = words.payout
  const order = await findBankOrder(db, mail.walletId, operation.id)
  const amount = euros(cents(-operation.amount), told)
  return {
    to: wallet?.email,
    thread: operation.id,
    content: {
      title: title(amount),
      lead: lead(amount),
      rows: rowsOf([
        [words.labels.amount, amount],
        [words.labels.account, order && maskedIban(order.party.iban)],
        [words.labels.date, momentOf(operation.settledAt ?? operation.modifiedAt, told)],
        [words.labels.number, operation.id],
      ]),
      notes,
      reason: reason(amount),
    },
  }
}

async function invitation(told: Told): Promise<Draft> {
  const { shop, words } = told
  const { title, lead, reason } = words.invitation
  return byAccountLink(told, words.invitation, { title: title(shop), lead: lead(shop), reason: reason(shop) })
}

async function password(told: Told): Promise<Draft> {
  const { words } = told
  const { title, lead, reason } = words.password
  return byAccountLink(told, words.password, { title: title(), lead: lead(), reason: reason() })
}

function byAccountLink(
  told: Told,
  { button, until, notes }: Pick<MailMessages['invitation'], 'button' | 'until' | 'notes'>,
  said: Pick<Content, 'title' | 'lead' | 'reason'>,
): Draft {
  const { mail, details, now } = told
  const { url, expires, lifeMs = Number.POSITIVE_INFINITY } = details
  if (url === undefined) return nothing
  if (now - mail.createdAt >= lifeMs) return { skip: 'expired' }
  const moment = expires === undefined ? '' : momentOf(instant(Date.parse(expires)), told)
  return {
    to: mail.recipient,
    thread: mail.subject,
    content: { ...said, rows: [], button: { text: button, url }, notes: [until(moment), ...notes] },
  }
}
