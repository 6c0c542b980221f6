// A payment link: an address that a merchant gives to customers, under which each of them opens a checkout.

import type { CheckoutMethodCode, RequiredFields } from '../checkouts/index.ts'
import type { PaymentItem } from '../operations/index.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const linkStatuses = ['ACTIVE', 'USED', 'EXPIRED', 'CLOSED'] as const
/** `USED`: it was paid as often as it may be. */
export type LinkStatus = (typeof linkStatuses)[number]

/**
 * What a customer finds under it. `taken`: others are paying what is left of it; `unpayable`: the wallet offers no method
 * any more.
 */
export type LinkState = 'open' | 'taken' | 'unpayable' | Exclude<LinkStatus, 'ACTIVE'>

export const linkLanguages = ['pt', 'en'] as const

export const paymentLinks = table('payment_links', {
  id: column.uuid(),
  walletId: column.bigint(),
  /** The end of its address. Who knows it may pay, and nothing else. */
  code: column.text(),
  /** What is paid for, in the merchant's words. */
  description: column.text(),
  /** In cents; absent where the customer chooses between the bounds. */
  amount: column.cents().optional(),
  amountMin: column.cents().optional(),
  amountMax: column.cents().optional(),
  currency: column.text<'EUR'>(),
  items: column.json<readonly PaymentItem[]>().optional(),
  extInvoiceId: column.text().named('ext_invoiceid').optional(),
  extEmail: column.text().optional(),
  extCustomerId: column.text().named('ext_customerid').optional(),
  extEmployee: column.text().optional(),
  notes: column.text().optional(),
  store: column.bigint().optional(),
  exclude: column.json<readonly CheckoutMethodCode[]>().optional().default([]),
  requiredFields: column.json<RequiredFields>().optional().default({}),
  /** How often it may be paid; absent for any number. */
  usesMax: column.integer().optional(),
  urlConfirm: column.text().optional(),
  urlCancel: column.text().optional(),
  language: column.text<(typeof linkLanguages)[number]>().optional(),
  expiresAt: column.instant().optional(),
  closedAt: column.instant().optional(),
  createdAt: column.instant(),
})

/** With what was paid through it, which is counted from its payments. */
export const linksWithUse = paymentLinks.with({ uses: column.integer(), amountPaid: column.cents() })

export type PaymentLink = RowOf<typeof linksWithUse>
