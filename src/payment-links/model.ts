// Types and table of payment links.
import type { CheckoutMethodCode, RequiredFields } from '../checkouts/index.ts'
import type { PaymentItem } from '../operations/index.ts'
import { column, type RowOf, table } from '../storage/tables/table.ts'

export const linkStatuses = ['ACTIVE', 'USED', 'EXPIRED', 'CLOSED'] as const
export type LinkStatus = (typeof linkStatuses)[number]

/** `taken`: customers are paying the remaining uses. `unpayable`: the wallet offers no method. */
export type LinkState = 'open' | 'taken' | 'unpayable' | Exclude<LinkStatus, 'ACTIVE'>

export const linkLanguages = ['pt', 'en'] as const

export const paymentLinks = table('payment_links', {
  id: column.uuid(),
  walletId: column.bigint(),
  /** The end of the address. A person who knows it can only pay. */
  code: column.text(),
  description: column.text(),
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
  usesMax: column.integer().optional(),
  urlConfirm: column.text().optional(),
  urlCancel: column.text().optional(),
  language: column.text<(typeof linkLanguages)[number]>().optional(),
  expiresAt: column.instant().optional(),
  closedAt: column.instant().optional(),
  createdAt: column.instant(),
})

export const linksWithUse = paymentLinks.with({ uses: column.integer(), amountPaid: column.cents() })

export type PaymentLink = RowOf<typeof linksWithUse>
