// Orders, reversals and test customers of the online wallet.
import type { Randomness } from '../../src/kernel/random.ts'
import type { OnlineWalletDecline } from '../../src/rails/index.ts'
import { column, type RowOf, table } from '../../src/storage/tables/table.ts'
import type { Language } from '../issuer/messages.ts'

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
    intent: column.text<'sale' | 'hold'>(),
    savesAccount: column.boolean(),
    state: column.text<OrderState>(),
    payer: column.text().optional(),
    decline: column.text<OnlineWalletDecline>().optional(),
    transaction: column.text(),
    createdAt: column.instant(),
    expiresAt: column.instant(),
  },
  { refunded: column.bigint(), accountEnded: column.boolean() },
)

export type Order = RowOf<typeof orders>

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

/** Captures and releases of holds. */
export const movements = table(
  'sandbox.wallet_movements',
  {
    key: column.uuid(),
    hold: column.uuid(),
    verb: column.text<'capture' | 'release'>(),
    amount: column.bigint(),
    allowed: column.boolean(),
    transaction: column.text(),
  },
  {},
)

/** Test customers with a special result. Any other e-mail pays. */
export const testPayers = {
  /** The customer approves, but the account has no money. */
  empty: 'empty@onda.example',
  /** The customer approves. The capture gets no answer, and a later inquiry says that it is paid. */
  silent: 'silent@onda.example',
  /** The customer approves. PayPal reviews the payment for a day after the order, then it is paid. */
  reviewed: 'reviewed@onda.example',
} as const

export const usualPayer = 'ana@onda.example'

const transactionBytes = 9

export function newTransaction(random: Randomness): string {
  return Buffer.from(random.bytes(transactionBytes)).toString('hex').toUpperCase()
}
