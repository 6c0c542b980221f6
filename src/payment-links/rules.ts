// Pure decisions about payment links.
import type { BackTo, CheckoutDraft } from '../checkouts/index.ts'
import type { Cents } from '../kernel/money.ts'
import { ok, type Result } from '../kernel/result.ts'
import { after, hour, type Instant, instant } from '../kernel/time.ts'
import { withinPaymentLimit } from '../operations/index.ts'
import { linkWords } from './messages.ts'
import type { LinkStatus, PaymentLink } from './model.ts'

export const linksPath = '/l'

const lifetimeHours = 24
/** The lifetime is shorter than for other links, because an open checkout takes one of the uses. */
const lifetimeOfLimitedHours = 1

export function linkUrl(baseUrl: string, code: string): string {
  return `${baseUrl}${linksPath}/${code}`
}

export function linkStatus(
  { closedAt, usesMax, uses, expiresAt }: Pick<PaymentLink, 'closedAt' | 'usesMax' | 'uses' | 'expiresAt'>,
  now: Instant,
): LinkStatus {
  if (closedAt !== undefined) return 'CLOSED'
  if (usesMax !== undefined && uses >= usesMax) return 'USED'
  return expiresAt !== undefined && expiresAt <= now ? 'EXPIRED' : 'ACTIVE'
}

export function draftOf(link: PaymentLink, amount: Cents, baseUrl: string, now: Instant): CheckoutDraft {
  const url = linkUrl(baseUrl, link.code)
  const hours = link.usesMax === undefined ? lifetimeHours : lifetimeOfLimitedHours
  const { expiresAt = Number.POSITIVE_INFINITY, extInvoiceId, extEmail, extCustomerId } = link
  const end = after(now, hours * hour)
  return {
    kind: 'payment',
    amount,
    currency: link.currency,
    merchantReferences: {
      extInvoiceId,
      extEmail,
      extCustomerId,
      extEmployee: link.extEmployee,
      notes: link.notes,
    },
    items: link.items ?? [{ name: link.description }],
    store: link.store,
    urlConfirm: link.urlConfirm ?? url,
    urlCancel: link.urlCancel ?? url,
    exclude: link.exclude,
    requiredFields: link.requiredFields,
    instant: false,
    expiresAt: instant(Math.min(end, expiresAt)),
    expiryWasAsked: expiresAt < end,
    paymentLinkId: link.id,
  }
}

export function fitsLimits(
  { amount, amountMax }: Pick<PaymentLink, 'amount' | 'amountMax'>,
  wallet: Parameters<typeof withinPaymentLimit>[0],
): Result<undefined> {
  const [most, field] = amount === undefined ? [amountMax, 'amount_max'] : [amount, 'amount']
  return most === undefined ? ok(undefined) : withinPaymentLimit(wallet, most, field)
}

export function backToLink(baseUrl: string): BackTo {
  return ({ operation }, url, locale) =>
    operation?.paymentLinkId !== undefined && url.startsWith(`${baseUrl}${linksPath}/`)
      ? linkWords[locale].backToLink
      : undefined
}

/** Reads an amount with a comma or point before the cents. Refuses `1.234`, which may be thousands. */
export function typedAmount(text: string): Cents | undefined {
  const [, euros, decimals = ''] = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text.replace(/[\s€]/g, '')) ?? []
  return euros === undefined ? undefined : (BigInt(euros + decimals.padEnd(2, '0')) as Cents)
}

export function fitsLink({ amount: fixed, amountMin, amountMax }: PaymentLink, amount: Cents): boolean {
  if (fixed !== undefined) return amount === fixed
  return amountMin !== undefined && amountMax !== undefined && amount >= amountMin && amount <= amountMax
}

/** A code of 22 characters has 131 random bits, so nobody can guess a link. */
export const codeLength = 22
const codePattern = /^[0-9A-Za-z]{22}$/

export function isCode(text: string): boolean {
  return codePattern.test(text)
}
