// An order at the sandbox's online wallet, and customers of it who do not simply pay.
import type { OnlineWalletDecline } from '../../src/rails/index.ts'
import { column, type RowOf, table } from '../../src/storage/tables/table.ts'
import type { Language } from '../issuer/messages.ts'

/** The third party that the sandbox plays. */
export const walletName = 'Onda'

export type OrderState = 'open' | 'agreed' | 'paid' | 'declined'

export const orders = table(
  'sandbox.wallet_orders',
  {
    key: column.uuid(),
    reference: column.text(),
    merchantName: column.text(),
    amount: column.bigint(),
    currency: column.text(),
    returnUrl: column.text(),
    language: column.text<Language>(),
    state: column.text<OrderState>(),
    payer: column.text().optional(),
    decline: column.text<OnlineWalletDecline>().optional(),
    transaction: column.text(),
    createdAt: column.instant(),
    expiresAt: column.instant(),
  },
  { refunded: column.bigint() },
)

export type Order = RowOf<typeof orders>

/** A payment that was taken back from the merchant, and given again where the merchant was right. */
export const reversals = table(
  'sandbox.wallet_reversals',
  {
    key: column.uuid(),
    amount: column.bigint(),
    reason: column.text(),
    state: column.text<'taken' | 'given_again'>(),
  },
  { createdAt: column.instant(), dueAt: column.instant().optional() },
)

export type Reversal = RowOf<typeof reversals>

/** Whoever logs in pays, but these. */
export const testPayers = {
  /** Agrees, and has no money when it is taken. */
  empty: 'empty@onda.example',
  /** Agrees; the capture is never answered, and is paid when it is inquired. */
  silent: 'silent@onda.example',
} as const

/** What the login page suggests. */
export const usualPayer = 'ana@onda.example'
